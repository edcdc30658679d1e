// SPDX-License-Identifier: MIT
#pragma once
// Signatures: what a function's name and parameters are called, and which specs and literals key a trace.

#include <jig/adapt/structure.hpp>
#include <jig/adapt/unsupported.hpp>
#include <jig/trace/variable.hpp>

namespace jig {

/// The signature of a variable: its spec, whichever variable it is.
template <class T, index... E>
struct variable_spec : spec<T, E...> {};
template <class T, index... E>
inline constexpr bool is_spec<variable_spec<T, E...>> = true;

/// The signature of a number: a scalar that takes the dtype of what it meets, as a literal does. Its value is that of the call.
template <class T>
struct weak_spec : spec<T> {};
template <class T>
inline constexpr bool is_spec<weak_spec<T>> = true;

/// The signature of tensors of any rank, for with_signature: what TensorFlow calls a TensorSpec of shape None. A call is traced when it
/// runs, once for each rank.
template <class T>
struct spec_of_unknown_rank {
  using value_type = T;
  static constexpr tensor_spec value() { return {dtype_of<T>, {unknown_rank, {}}}; }
};
template <class T>
inline constexpr bool is_spec<spec_of_unknown_rank<T>> = true;

/// The signature of a struct of variables: the struct's type, since its methods may be called.
template <class S>
struct struct_key {
  using type = S;
};

namespace detail {

template <class X>
inline constexpr bool is_variable_spec = false;
template <class T, index... E>
inline constexpr bool is_variable_spec<variable_spec<T, E...>> = true;
template <class X>
inline constexpr bool is_weak_spec = false;
template <class T>
inline constexpr bool is_weak_spec<weak_spec<T>> = true;
template <class Key, class Leaves = leaves_of<Key>>
inline constexpr bool leaves_rank_open = false;
template <class T>
inline constexpr bool leaves_rank_open<spec_of_unknown_rank<T>, leaf_list<spec_of_unknown_rank<T>>> = true;
template <class Key, class... L>
  requires(structure<Key>::nested)
inline constexpr bool leaves_rank_open<Key, leaf_list<L...>> = (leaves_rank_open<L> || ...);
template <class X>
inline constexpr bool is_struct_key = false;
template <class S>
inline constexpr bool is_struct_key<struct_key<S>> = true;

template <class X>
struct variable_key;
template <class T, index... E>
struct variable_key<variable<T, E...>> : std::type_identity<variable_spec<T, E...>> {};

constexpr std::string_view trimmed(std::string_view s) {
  while (!s.empty() && s.front() == ' ') s.remove_prefix(1);
  while (!s.empty() && s.back() == ' ') s.remove_suffix(1);
  return s;
}

// Character by character, since GCC with -fsanitize=undefined cannot search the text of a template argument in constant
// evaluation.
constexpr std::size_t find_character(std::string_view s, char c, std::size_t from = 0) {
  for (std::size_t i = from; i < s.size(); ++i)
    if (s[i] == c) return i;
  return s.size();
}

/// The k-th parameter in `name(a, b)`, or an empty text.
constexpr std::string_view parameter(std::string_view declaration, std::size_t k) {
  std::size_t begin = find_character(declaration, '(') + 1;
  std::size_t end = find_character(declaration, ')');
  for (; begin < end; --k) {
    std::size_t stop = find_character(declaration, ',', begin);
    if (stop > end) stop = end;
    if (k == 0) return trimmed(declaration.substr(begin, stop - begin));
    begin = stop + 1;
  }
  return {};
}

constexpr std::size_t parameter_count(std::string_view declaration) {
  std::size_t n = 0;
  while (!parameter(declaration, n).empty()) ++n;
  return n;
}

}  // namespace detail

/// The name in `name(a, b)`; `function` when none was given.
constexpr std::string_view function_name(std::string_view declaration) {
  auto name = detail::trimmed(declaration.substr(0, detail::find_character(declaration, '(')));
  return name.empty() ? "function" : name;
}

/// The name of parameter k in `name(a, b)`; `args_k` when none was given.
constexpr message parameter_name(std::string_view declaration, std::size_t k) {
  message m;
  auto name = detail::parameter(declaration, k);
  if (name.empty()) m << "args_" << static_cast<index>(k);
  else m << name;
  return m;
}

namespace detail {

/// Whether an argument is a number of C++, but for truth values, or what stands for one.
template <class X>
inline constexpr bool is_number_argument = is_weak<X> || is_weak_spec<X> || (std::is_arithmetic_v<X> && !std::is_same_v<X, bool>);
template <class X>
struct number_of_argument : std::type_identity<canonical<X>> {};
template <class X>
  requires(is_weak<X> || is_weak_spec<X>)
struct number_of_argument<X> : std::type_identity<typename X::value_type> {};

/// The dtypes among the arguments of a call, of those that are numbers of C++ and of all others, a bit for each.
struct argument_dtypes {
  unsigned numbers, others;

  static constexpr unsigned bit(dtype d) { return is_number(d) ? 1u << static_cast<int>(d) : 0; }
  /// Whether a number takes the dtype of what it meets: if it may take another one that is there, or if no other argument has its own.
  constexpr bool weakens(dtype number) const {
    for (dtype d = dtype(); is_number(d); d = static_cast<dtype>(static_cast<int>(d) + 1))
      if (d != number && ((numbers | others) & bit(d)) != 0 && literal_joins(number, d)) return true;
    return others != 0 && (others & bit(number)) == 0;
  }
};

template <class X>
constexpr auto leaf_key(const X& x) {
  if constexpr (is_spec<X> || Constant<X>) return x;
  else if constexpr (std::is_convertible_v<const X&, const char*>) return spec<std::string>();
  else if constexpr (is_variable<X>) return typename variable_key<X>::type();
  else if constexpr (is_weak<X>) return weak_spec<typename X::value_type>();
  else if constexpr (is_symbol<X>) return typename X::spec_type();
  else if constexpr (Argument<X>) return typename argument<X>::spec_type();
  else if constexpr (requires { refused_argument<X>::sentence; }) return refuse<refused_argument<X>>();
  else if constexpr (RunTimeArgument<X>)
    return refuse_with<"the dtype or rank of this argument is known at run time only: pass jig::any_tensor::viewing(x)", X>();
  else return refuse<unsupported_reason<X>>();
}

template <class X, class Leaves = leaves_of<X>>
inline constexpr bool holds_variables = false;
template <class X, class... L>
inline constexpr bool holds_variables<X, leaf_list<L...>> = (is_variable<L> || ...);

template <class X, class Leaves = leaves_of<X>>
inline constexpr bool holds_symbols = false;
template <class X, class... L>
inline constexpr bool holds_symbols<X, leaf_list<L...>> = ((is_recorded<L> || is_refused<L>) || ...);

// Nothing but variables and literals.
template <class X, class Leaves = leaves_of<X>>
inline constexpr bool holds_no_tensors = false;
template <class X, class... L>
inline constexpr bool holds_no_tensors<X, leaf_list<L...>> = ((is_variable<L> || Constant<L>) && ...);

// A struct of variables reaches the lambda as the struct that it is, and so does one of nothing.
template <class X>
inline constexpr bool is_struct_of_variables = false;
template <class X>
  requires(boost::hana::Struct<X>::value)
inline constexpr bool is_struct_of_variables<X> = (holds_variables<X> || leaves_of<X>::size == 0) && holds_no_tensors<X>;

template <class X, argument_dtypes All = argument_dtypes{0, 0}>
constexpr auto key_for() {
  if constexpr (is_struct_key<X>) {
    return X();
  } else if constexpr (is_struct_of_variables<X>) {
    return struct_key<X>();
  } else if constexpr (structure<X>::nested) {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      return structure<X>::make(key_for<part<X, I>, All>()...);
    }(std::make_index_sequence<structure<X>::size>());
  } else if constexpr (is_number_argument<X>) {
    using T = typename number_of_argument<X>::type;
    if constexpr (is_weak_spec<X> || All.weakens(dtype_of<T>)) return weak_spec<T>();
    else return spec<T>();
  } else {
    return decltype(detail::leaf_key(std::declval<const X&>()))();
  }
}

template <class Key>
inline constexpr Key key_object{};

}  // namespace detail

template <class S>
struct structure<struct_key<S>> {
  static constexpr bool nested = true;
  static constexpr std::size_t size = structure<S>::size;
  using key_tuple = typename structure<S>::key_tuple;
  template <std::size_t I, class X>
  static constexpr auto& get(X&) {
    return detail::key_object<decltype(detail::key_for<detail::part<S, I>>())>;
  }
  template <std::size_t I>
  static constexpr std::string_view name() {
    return structure<S>::template name<I>();
  }
};

/// What an argument contributes to the key of a trace: its spec, its literal, or a structure of these. A number beside arguments of other
/// dtypes contributes a weak_spec, which key_of does not see.
template <class X>
using key_of = decltype(detail::key_for<std::remove_cvref_t<X>>());

namespace detail {

template <class X, class Leaves = leaves_of<X>>
inline constexpr bool holds_numbers = false;
template <class X, class... L>
inline constexpr bool holds_numbers<X, leaf_list<L...>> = (is_number_argument<L> || ...);

template <class X>
constexpr void note_dtype(argument_dtypes& to) {
  if constexpr (is_number_argument<X>) {
    to.numbers |= argument_dtypes::bit(dtype_of<typename number_of_argument<X>::type>);
  } else {
    using key = decltype(leaf_key(std::declval<const X&>()));
    if constexpr (is_spec<key>) to.others |= argument_dtypes::bit(key::value().dtype);
  }
}
template <class... X>
constexpr argument_dtypes dtypes_of_arguments() {
  argument_dtypes out{0, 0};
  if constexpr ((holds_numbers<X> || ...)) ([&]<class... L>(leaf_list<L...>) { (note_dtype<L>(out), ...); }(leaves_of<X>()), ...);
  return out;
}

/// The keys of the arguments of a call.
template <class... X>
using keys_of = types<decltype(key_for<X, dtypes_of_arguments<X...>()>())...>;

// What a key expects or an argument gives, as messages say it.
constexpr void describe_key(message& m, const tensor_spec& s) { m << name_of(s.dtype) << " shape=" << s.shape; }
template <class Key>
constexpr void describe_key(message& m) {
  if constexpr (structure<Key>::nested) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      m << '(';
      ((m << (I == 0 ? "" : "; "), describe_key<part<Key, I>>(m)), ...);
      m << ')';
    }(std::make_index_sequence<structure<Key>::size>());
  } else if constexpr (is_spec<Key>) {
    if (is_variable_spec<Key>) m << "variable ";
    describe_key(m, Key::value());
  } else {
    using T = canonical<typename Key::value_type>;
    m << name_of(dtype_of<T>) << " literal";
    if constexpr (std::is_integral_v<T>) m << ' ' << static_cast<index>(Key::value);
  }
}

}  // namespace detail

}  // namespace jig
