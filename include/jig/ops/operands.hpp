// SPDX-License-Identifier: MIT
#pragma once
// Operands of ops: where they live, their specs, and which dtype literals and weak numbers among them take.

#include <jig/adapt/argument.hpp>
#include <jig/adapt/mdspan.hpp>
#include <jig/adapt/valarray.hpp>
#include <jig/core/literal.hpp>
#include <jig/ops/composite.hpp>

#include <tuple>

namespace jig {

template <class T, index... E>
class symbol;
template <class T>
class weak_symbol;
template <class T>
class weak_value;
class dynamic_symbol;

namespace ops {
extern const op cast;
}

/// Where an operand lives. What is dual is traced in constant evaluation and, where a trace at run time takes structs of variables,
/// there; else it is eager. What is dynamic is traced at run time.
enum class world : unsigned char { foreign, literal, traced, eager, dual, dynamic, refused };

/// The world of a type. Traced values and variables specialise it in trace/.
template <class X>
inline constexpr world world_of = Argument<X>   ? (std::is_arithmetic_v<X> ? world::literal : world::eager)
                                  : Constant<X> ? world::literal
                                                : world::foreign;
template <text... S>
inline constexpr world world_of<refused<S...>> = world::refused;

namespace detail {
/// What is dual and never traced, see trace/eager_value.hpp.
template <class X>
inline constexpr bool is_eager_value = false;
}  // namespace detail

/// What an op takes: a traced value, a tensor, view, container, number or compile-time constant.
template <class X>
concept Operand = world_of<std::remove_cvref_t<X>> != world::foreign;

/// Whether X is a value of the library, which is what makes an operator the library's.
template <class X>
inline constexpr bool is_value = is_tensor<X> || is_view<X> || is_refused<X> || is_literal_list<X>;

/// Operands of an operator: at least one is a value of the library.
template <class... X>
concept OperatorArguments = (is_value<std::remove_cvref_t<X>> || ...) && (Operand<X> && ...);

namespace detail {

/// Whether operators of X and Y know the line they are written at, by an operand of type X; see trace/line_operators.hpp.
template <class X, class Y>
inline constexpr bool tells_line = false;
template <class T, index... E, class Y>
inline constexpr bool tells_line<symbol<T, E...>, Y> = Operand<Y> && world_of<Y> != world::literal;
template <class Y>
inline constexpr bool tells_line<dynamic_symbol, Y> = Operand<Y>;

}  // namespace detail

/// The same of two that do not know the line of the operator; those that do have operators of their own.
template <class X, class Y>
concept OperatorArgumentsWithoutLine = OperatorArguments<X, Y> && !detail::tells_line<X, Y> && !detail::tells_line<Y, X>;

namespace detail {

/// Whether X is a number that a function was called with, or was computed of such and of literals only. Beside another value it takes the
/// dtype of that one, as a literal does. It is a scalar.
template <class X>
inline constexpr bool is_weak = false;
template <class T>
inline constexpr bool is_weak<weak_symbol<T>> = true;
template <class T>
inline constexpr bool is_weak<weak_value<T>> = true;

template <class... X>
inline constexpr bool is_dynamic = ((world_of<X> == world::dynamic) || ...);

/// Whether a value is a place in a graph wherever it is.
template <class X>
inline constexpr bool is_recorded = world_of<X> == world::traced || world_of<X> == world::dynamic;

template <class... T>
struct types {};

/// The spec of an operand; a literal has none of its own.
template <class X>
struct operand_spec {
  using type = void;
  using element = void;
};
template <class X>
  requires(world_of<X> == world::eager)
struct operand_spec<X> {
  using type = typename argument<X>::spec_type;
  using element = typename type::value_type;
};

template <class X>
struct literal_element {
  using type = canonical<X>;
};
template <Constant X>
struct literal_element<X> {
  using type = canonical<typename X::value_type>;
};

// The number in a literal.
template <class V>
constexpr auto number_in(const V& v) {
  if constexpr (Constant<V>) return V::value;
  else return v;
}

// The traced value with a spec.
template <class Spec>
struct symbol_of_spec;
template <class T, index... E>
struct symbol_of_spec<spec<T, E...>> : std::type_identity<symbol<T, E...>> {};

template <class L, class T>
constexpr bool literal_joins() {
  if constexpr (std::is_same_v<L, bool>) return std::is_same_v<T, bool>;
  else if constexpr (std::is_floating_point_v<L>) return std::is_floating_point_v<T> || is_storage_float<T>;
  else return (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) || is_storage_float<T>;
}
// Whether a value of type X is a number that takes dtype T.
template <class X, class T>
constexpr bool weak_joins() {
  if constexpr (is_weak<X>) return literal_joins<typename operand_spec<X>::element, T>();
  else return false;
}
// A weak number that an eager run knows, as one of dtype T.
template <class T, class X>
T number_as(const X& x) {
  return static_cast<T>(*argument<X>::bind(x).data());
}

// The spec of an operand where it is assigned to what has dtype T.
template <class T, class X>
using spec_beside = std::conditional_t<weak_joins<X, T>(), spec<T>, typename operand_spec<X>::type>;

/// Whether an operand is a scalar of dtype bool, as conditions are. Dynamic ones may be; they are asked when they are used.
template <class X>
inline constexpr bool is_scalar_bool = [] {
  if constexpr (world_of<X> == world::dynamic) return true;
  else if constexpr (world_of<X> == world::literal) return std::is_same_v<typename literal_element<X>::type, bool>;
  else return operand_spec<X>::type::value() == tensor_spec{dtype::boolean, {}};
}();

constexpr bool literal_joins(dtype literal, dtype d) {
  if (literal == dtype::boolean) return d == dtype::boolean;
  return is_floating(literal) ? is_floating(d) : is_number(d);
}

template <class... T>
struct common_literal {
  using type = canonical<std::common_type_t<T...>>;
};
template <>
struct common_literal<> {
  using type = float;
};

// The dtype of numbers among which there is no tensor: that of those that functions were called with, unless it would change the kind
// of a literal.
template <class Weak, class Literals>
struct common_number;
template <class... L>
struct common_number<std::tuple<>, std::tuple<L...>> : common_literal<L...> {};
template <class W, class... Weak, class... L>
struct common_number<std::tuple<W, Weak...>, std::tuple<L...>> {
  using weak = canonical<std::common_type_t<W, Weak...>>;
  using type = std::conditional_t<(literal_joins<L, weak>() && ...), weak, canonical<std::common_type_t<weak, L...>>>;
};

// How the operands of one call are read: literals and weak numbers take the dtype of the first tied operand that has one of its own.
template <const op& Op, class... X>
struct operands {
  // Lists of inputs may be longer than there are bits.
  static constexpr bool tied(std::size_t i) { return i >= 32 || (Op.free_inputs >> i & 1) == 0; }
  static constexpr std::size_t none = sizeof...(X);
  static constexpr std::size_t leader = [] {
    constexpr bool has_dtype[] = {!std::is_void_v<typename operand_spec<X>::type> && !is_weak<X>...};
    for (std::size_t i = 0; i < sizeof...(X); ++i)
      if (has_dtype[i] && tied(i)) return i;
    return none;
  }();

  template <std::size_t I>
  using operand = std::tuple_element_t<I, std::tuple<std::type_identity<X>...>>;

  // Without a leader the common type of the numbers decides.
  template <std::size_t... I>
  static auto common(std::index_sequence<I...>) {
    if constexpr (leader != none) {
      return std::type_identity<typename operand_spec<typename operand<leader>::type>::element>();
    } else {
      using weak = decltype(std::tuple_cat(weak_if_tied<I>()...));
      using literals = decltype(std::tuple_cat(literal_if_tied<I>()...));
      return common_number<weak, literals>();
    }
  }
  template <std::size_t I>
  static auto literal_if_tied() {
    using Y = typename operand<I>::type;
    if constexpr (world_of<Y> == world::literal && tied(I)) return std::tuple<typename literal_element<Y>::type>();
    else return std::tuple<>();
  }
  template <std::size_t I>
  static auto weak_if_tied() {
    using Y = typename operand<I>::type;
    if constexpr (is_weak<Y> && tied(I)) return std::tuple<typename operand_spec<Y>::element>();
    else return std::tuple<>();
  }

  using element = typename decltype(common(std::index_sequence_for<X...>()))::type;

  template <std::size_t I>
  static constexpr bool joins() {
    using Y = typename operand<I>::type;
    if constexpr (!tied(I)) return true;
    else if constexpr (is_weak<Y>) return literal_joins<typename operand_spec<Y>::element, element>();
    else if constexpr (world_of<Y> == world::literal) return literal_joins<typename literal_element<Y>::type, element>();
    else return true;
  }

  template <std::size_t I>
  static auto spec_at() {
    using Y = typename operand<I>::type;
    if constexpr (is_weak<Y> && tied(I)) return spec<element>();
    else if constexpr (world_of<Y> != world::literal) return typename operand_spec<Y>::type();
    else if constexpr (tied(I)) return spec<element>();
    else return spec<typename literal_element<Y>::type>();
  }

  template <std::size_t... I>
  static auto all_specs(std::index_sequence<I...>) -> types<decltype(spec_at<I>())...>;
  using specs = decltype(all_specs(std::index_sequence_for<X...>()));

  template <std::size_t... I>
  static constexpr bool all_join(std::index_sequence<I...>) {
    return (joins<I>() && ...);
  }
  static constexpr bool literals_join = all_join(std::index_sequence_for<X...>());

  /// Whether all that decides the dtype are numbers, of which functions were called with some.
  static constexpr bool only_weak = [] {
    constexpr bool weak[] = {is_weak<X>...};
    for (std::size_t i = 0; i < sizeof...(X) && leader == none; ++i)
      if (weak[i] && tied(i)) return true;
    return false;
  }();
};

}  // namespace detail

}  // namespace jig
