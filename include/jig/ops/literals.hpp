// SPDX-License-Identifier: MIT
#pragma once
// Lists of literals as operands: each becomes a tensor of the dtype that one literal in its place would take.

#include <jig/ops/call.hpp>

#include <utility>

namespace jig::detail {

// One literal in place of a list of them, which decides the dtype as that does.
template <class X>
struct literal_for : std::type_identity<X> {};
template <auto... V>
struct literal_for<literal_list<V...>> : std::type_identity<typename literal_list<V...>::value_type> {};

template <class T, class V>
constexpr bool fits(V value) {
  if constexpr (std::is_integral_v<T> && std::is_integral_v<V> && !std::is_same_v<T, bool>) return std::in_range<T>(+value);
  else return true;
}

// A list of literals as a tensor of dtype T, all else as it is.
template <class T, class X>
constexpr const X& tensor_of_literals(const X& x) {
  return x;
}
template <class T, auto... V>
constexpr auto tensor_of_literals(const literal_list<V...>&) {
  if constexpr (!(fits<T>(V) && ...))
    return refuse_with<"a literal of a list does not fit the dtype of the tensor that the list joins: use jig::cast", spec<T>,
                       literal_list<V...>>();
  else return tensor<T, static_cast<index>(sizeof...(V))>{static_cast<T>(V)...};
}

// The same in the dtype of the list.
template <class X>
constexpr decltype(auto) tensor_of_its_own(const X& x) {
  if constexpr (is_literal_list<X>) return tensor_of_literals<typename argument<X>::T>(x);
  else return (x);
}

// An operand, of dtype T where it is tied to others; positions are not.
template <class T, bool Tied, class X>
constexpr decltype(auto) tensor_of_operand(const X& x) {
  if constexpr (Tied) return tensor_of_literals<T>(x);
  else return tensor_of_its_own(x);
}

template <const op& Op, class A, class... X>
constexpr auto call_with_lists(const X&... x) {
  if constexpr (is_dynamic<X...>) {
    return call<Op, A>(tensor_of_its_own(x)...);
  } else {
    using read = operands<Op, typename literal_for<X>::type...>;
    if constexpr (!read::literals_join) return refuse_number<Op, typename read::element, typename literal_for<X>::type...>();
    else
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return call<Op, A>(tensor_of_operand<typename read::element, read::tied(I)>(x)...);
      }(std::index_sequence_for<X...>());
  }
}

}  // namespace jig::detail
