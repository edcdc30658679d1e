// SPDX-License-Identifier: MIT
#pragma once
// New values: tensors filled with numbers, which become constants in a trace, and values of the same world
// (traced or eager) as another one.

#include <jig/graph/gradient.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/rules.hpp>

#include <algorithm>
#include <concepts>

namespace jig {

template <class T, index... E>
class variable_value;

namespace detail {

// A number of the same kind as x, which may be an element, a batch of them or truth values.
template <class T>
constexpr T number_like(const T& x, double value) {
  if constexpr (std::is_same_v<decltype(x == x), T>) return T(value != 0);
  else if constexpr (requires { typename T::value_type; }) return T(static_cast<typename T::value_type>(value));
  else return static_cast<T>(value);
}

constexpr void fill_rule(rule_context& c) {
  check_dtypes(c, anything);
  if (c.inputs[1].shape.rank != 0) return c.fail("the value must have rank 0");
  c.result = c.inputs[0];
}

constexpr void eye_rule(rule_context& c) {
  check_dtypes(c, numbers | booleans);
  if (c.inputs[0].shape.rank < 2) return c.fail("a matrix needs two axes");
  c.result = c.inputs[0];
}

}  // namespace detail

namespace ops {

inline constexpr op zeros_like{.name = "ZerosLike",
                               .label = "zeros_like",
                               .facts = fact::elementwise | fact::moves,
                               .rule = elementwise_rule<anything>,
                               .gradient = detail::zero_gradient,
                               .value = [](const known_operands& x) { return x.element(0); },
                               .operands = {.shapes = 1}};
inline constexpr op ones_like{.name = "OnesLike",
                              .label = "ones_like",
                              .facts = fact::elementwise | fact::moves,
                              .rule = elementwise_rule < numbers | booleans >,
                              .gradient = detail::zero_gradient,
                              .value = [](const known_operands& x) { return x.element(detail::bits_of_number(x.type, 1)); },
                              .operands = {.shapes = 1}};
/// Inputs: a tensor, of which only the shape counts, and the value.
inline constexpr op fill{.name = "Fill",
                         .label = "Fill",
                         .facts = fact::elementwise | fact::moves,
                         .rule = detail::fill_rule,
                         .gradient =
                             [](gradient_context& c) {
                               if (c.wants(1)) c.give(1, c.full_adjoint());
                               c.nothing();
                             },
                         .value = [](const known_operands& x) { return x.element(x[1]); }};
/// Input: a matrix or several, of which only the shape counts.
inline constexpr op eye{.name = "Eye",
                        .label = "eye",
                        .rule = detail::eye_rule,
                        .gradient = detail::zero_gradient,
                        .operands = {.elements = numbers | booleans, .shapes = 1}};

}  // namespace ops

template <>
struct functor<ops::zeros_like> {
  template <class T>
  static auto apply(const T& x) {
    if constexpr (std::is_same_v<T, std::string>) return T();
    else return detail::number_like(x, 0);
  }
};
template <>
struct functor<ops::ones_like> {
  static auto apply(const auto& x) { return detail::number_like(x, 1); }
};
template <>
struct functor<ops::fill> {
  static auto apply(const auto&, const auto& value) { return value; }
};

template <>
struct kernel<ops::eye> {
  template <class Attributes, class Out, class In>
  static void run(Attributes, const Out& out, const In&) {
    using T = typename Out::value_type;
    const index rows = out.extent(out.rank() - 2), columns = out.extent(out.rank() - 1), n = out.size();
    std::fill_n(out.data(), n, T(0));
    const index most = (std::min)(rows, columns);
    for (index first = 0; first < n; first += rows * columns)
      for (index i = 0; i < most; ++i) out.data()[first + i * (columns + 1)] = T(1);
  }
};

namespace detail {

template <class X>
struct element_of_operand {
  using type = typename operand_spec<X>::element;
};
template <class X>
  requires(world_of<X> == world::literal)
struct element_of_operand<X> : literal_element<X> {};

// Defined in trace/variable_value.hpp.
template <class T, class X, class V>
constexpr auto dual_constant(const X& x, V value);

// Defined in runtime/dynamic_call.hpp: a number of this dtype, and elements, as constants of the graph of x.
template <class X, class V>
auto dynamic_constant(const X& x, dtype d, V value);
template <class X, class V>
auto dynamic_elements(const X& x, const V& v);

inline constexpr text constant_like_refusal =
    "constant_like: a number of another kind cannot join this dtype: use jig::cast, or write the number as that kind";

// A literal as an element, which it has to fit.
template <class T, class V>
constexpr T fitting(V value) {
  if (!literal_fits<T>(value)) throw_invalid_argument("a literal does not fit the dtype of the tensor");
  return static_cast<T>(value);
}

// A constant of rank 0 in the world of x.
template <class T, class X, class V>
constexpr auto constant_beside(const X& x, V value) {
  if constexpr (world_of<X> == world::traced) {
    auto* b = x.builder();
    return std::conditional_t<is_weak<X>, weak_symbol<T>, symbol<T>>(b, b->template literal<T>(value));
  } else if constexpr (world_of<X> == world::dual) {
    return dual_constant<T>(x, value);
  } else if constexpr (world_of<X> == world::dynamic) {
    return dynamic_constant(x, dtype_of<T>, static_cast<T>(value));
  } else {
    return tensor<T>(fitting<T>(value));
  }
}

// The same with the dtype of x.
template <class X, class V>
constexpr auto number_beside(const X& x, V value) {
  if constexpr (world_of<X> == world::dynamic) return dynamic_constant(x, x.dtype(), value);
  else return constant_beside<typename element_of_operand<X>::type>(x, value);
}

// v in the world of x: beside a traced value a tensor or container becomes a constant of the graph.
template <class X, class V>
constexpr decltype(auto) beside(const X& x, const V& v) {
  if constexpr (world_of<X> == world::traced && world_of<V> == world::eager) {
    using S = typename argument<V>::spec_type;
    static_assert(argument_layout<V> == memory_layout::row_major && S::value().shape.is_static(),
                  "jig: only tensors and arrays of static shape can be constants of a trace");
    auto seen = elements_of_constant(v);
    auto* b = x.builder();
    return typename symbol_of_spec<S>::type(b, b->template constant<typename S::value_type>(seen.shape(), seen.data()));
  } else if constexpr (world_of<X> == world::dynamic && world_of<V> == world::eager) {
    return dynamic_elements(x, v);
  } else {
    return (v);
  }
}

template <class T, index... E, class View>
constexpr auto copied(spec<T, E...>, const View& from) {
  return tensor<T, E...>(view<const T, E...>(from.data(), from.shape(), from.strides()));
}

inline constexpr text extents_are_numbers =
    "extents of new tensors are numbers: what has those of a traced x is jig::zeros_like(x), jig::ones_like(x) or jig::full_like(x, value)";

// A traced value among the operands, if there is one.
template <class First, class... Rest>
constexpr const auto& traced_one_of(const First& x, const Rest&... rest) {
  if constexpr (is_recorded<First> || sizeof...(Rest) == 0) return x;
  else return traced_one_of(rest...);
}

}  // namespace detail

/// A number as a tensor of rank 0, or the elements of a tensor or container as a tensor. Where it meets traced values it becomes a
/// constant of their graph; it does not become a traced value itself (see constant_like).
template <Operand V>
  requires(world_of<V> == world::literal || world_of<V> == world::eager)
constexpr auto constant(const V& value) {
  if constexpr (world_of<V> == world::literal) return tensor<typename detail::literal_element<V>::type>(detail::number_in(value));
  else if constexpr (is_tensor<V>) return value;
  else return detail::copied(typename argument<V>::spec_type(), detail::elements_of_constant(value));
}

/// A tensor of one value: `full<float, 2, dyn>(0.5f, n)`, with one extent for each wildcard.
/// Errors: a negative extent throws invalid_argument.
template <Element T, index... E, std::convertible_to<index>... N>
constexpr auto full(const std::type_identity_t<T>& value, N... n) {
  tensor<T, E...> out(uninitialized, detail::fill_wildcards<E...>(n...));
  for (auto& x : out) x = value;
  return out;
}

/// A tensor of zeros, of empty strings for std::string.
/// Errors: a negative extent throws invalid_argument.
template <Element T, index... E, std::convertible_to<index>... N>
constexpr auto zeros(N... n) {
  return full<T, E...>(T(), n...);
}

/// A tensor of ones.
/// Errors: a negative extent throws invalid_argument.
template <Element T, index... E, std::convertible_to<index>... N>
  requires(!std::is_same_v<T, std::string>)
constexpr auto ones(N... n) {
  return full<T, E...>(T(1), n...);
}

/// A matrix with ones on its diagonal and zeros elsewhere.
/// Shape: (Rows, Columns), with one extent for each wildcard
template <Element T, index Rows, index Columns, std::convertible_to<index>... N>
  requires(!std::is_same_v<T, std::string>)
constexpr auto eye(N... n) {
  auto out = zeros<T, Rows, Columns>(n...);
  for (index i = 0; i < out.extent(0) && i < out.extent(1); ++i) out(i, i) = T(1);
  return out;
}
/// Shape: (Rows, Rows), with one extent if that is a wildcard
template <Element T, index Rows, std::convertible_to<index>... N>
  requires(!std::is_same_v<T, std::string>)
constexpr auto eye(N... n) {
  return eye<T, Rows, Rows>(n..., n...);
}

/// The numbers 0, 1, 2, …
template <Element T, index E, std::convertible_to<index>... N>
  requires(is_number(dtype_of<T>))
constexpr auto iota(N... n) {
  auto out = zeros<T, E>(n...);
  for (index i = 0; i < out.size(); ++i) out(i) = static_cast<T>(i);
  return out;
}

// Extents that only a call knows.
template <Element T, index... E, class... N>
  requires(detail::is_recorded<N> || ...)
constexpr auto full(const std::type_identity_t<T>&, const N&...) {
  return refuse_with<detail::extents_are_numbers, N...>();
}
template <Element T, index... E, class... N>
  requires(detail::is_recorded<N> || ...)
constexpr auto zeros(const N&...) {
  return refuse_with<detail::extents_are_numbers, N...>();
}
template <Element T, index... E, class... N>
  requires(detail::is_recorded<N> || ...)
constexpr auto ones(const N&...) {
  return refuse_with<detail::extents_are_numbers, N...>();
}
template <Element T, index E, class... N>
  requires(detail::is_recorded<N> || ...)
constexpr auto iota(const N&...) {
  return refuse_with<"iota: its extent is a number; positions along an axis of a traced x are jig::cumsum<Axis>(jig::ones_like(x)) - 1",
                     N...>();
}

/// Numbers at equal distances from first to last, both included; of one number, the first.
template <std::floating_point T, index E, std::convertible_to<index>... N>
constexpr auto linspace(std::type_identity_t<T> first, std::type_identity_t<T> last, N... n) {
  auto out = full<T, E>(first, n...);
  const index gaps = out.size() - 1;
  // From both ends, so that the last number is exact and the numbers lie symmetrically.
  for (index i = 1; i <= gaps; ++i) {
    T part = static_cast<T>(i < gaps - i ? i : gaps - i) / static_cast<T>(gaps);
    out(i) = i < gaps - i ? first + (last - first) * part : last - (last - first) * part;
  }
  return out;
}

/// Zeros without a dtype named: `zeros<2, 3>()`, as TensorFlow's.
/// Dtype: float32
template <index... E, class... N>
constexpr auto zeros(const N&... n) {
  return zeros<float, E...>(n...);
}
/// Ones without a dtype named.
/// Dtype: float32
template <index... E, class... N>
constexpr auto ones(const N&... n) {
  return ones<float, E...>(n...);
}
/// A tensor of one value: `full<2, 3>(0.5f)`.
/// Dtype: that of the value
template <index... E, Element T, class... N>
constexpr auto full(const T& value, const N&... n) {
  return full<T, E...>(value, n...);
}
/// A matrix with ones on its diagonal, without a dtype named.
/// Dtype: float32
template <index Rows, index... Columns, class... N>
  requires(sizeof...(Columns) <= 1)
constexpr auto eye(const N&... n) {
  return eye<float, Rows, Columns...>(n...);
}
/// Numbers at equal distances from first to last, both included, without a dtype named.
/// Dtype: that of the first number
template <index E, std::floating_point T, class... N>
constexpr auto linspace(T first, std::type_identity_t<T> last, const N&... n) {
  return linspace<T, E>(first, last, n...);
}
/// The numbers 0, 1, 2, … without a dtype named: `iota<64>()`, as TensorFlow's `range`.
/// Dtype: int32
template <index E, class... N>
constexpr auto iota(const N&... n) {
  return iota<std::int32_t, E>(n...);
}

/// Zeros in the shape and dtype of x.
template <Operand X>
constexpr auto zeros_like(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::zeros_like>(x);
}

/// Ones in the shape and dtype of x.
template <Operand X>
constexpr auto ones_like(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::ones_like>(x);
}

/// A value of rank 0 and x's dtype in the shape of x.
template <Operand X, Operand V>
constexpr auto full_like(const X& x, const V& value, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, value);
  return call<ops::fill>(x, value);
}

/// Ones on the diagonal and zeros elsewhere, in the shape and dtype of the matrix or the matrices x.
template <Operand X>
constexpr auto eye_like(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::eye>(x);
}

/// A number as a value of rank 0 with x's dtype, in the world of x: in a trace a constant of its graph.
/// Errors: a number that is no literal of that dtype is refused at compile time.
template <Operand X, Operand V>
constexpr auto constant_like(const X& x, const V& value) {
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (world_of<V> != world::literal) {
    return refuse_with<"constant_like: the value must be a number or jig::lit; use jig::full_like for a tensor", V>();
  } else if constexpr (detail::is_dynamic<X>) {
    if (!detail::literal_joins(dtype_of<typename detail::literal_element<V>::type>, x.dtype()))
      detail::throw_invalid_argument(detail::constant_like_refusal.view());
    return detail::dynamic_constant(x, x.dtype(), detail::number_in(value));
  } else {
    using T = typename detail::element_of_operand<X>::type;
    if constexpr (!detail::literal_joins<typename detail::literal_element<V>::type, T>())
      return refuse_with<detail::constant_like_refusal, X, V>();
    else return detail::constant_beside<T>(x, detail::number_in(value));
  }
}

}  // namespace jig
