// SPDX-License-Identifier: MIT
#pragma once
// Literal arguments: values that are part of a signature and constants inside the lambda.

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace jig {

/// The type of `lit<V>`. It converts to its value, in constant expressions too, and is not a tensor.
template <auto V>
struct literal {
  using value_type = decltype(V);
  static constexpr value_type value = V;
  constexpr operator value_type() const { return V; }
  constexpr value_type operator()() const { return V; }
};

/// A literal argument: `power(x, jig::lit<5>)` is traced once for each value.
template <auto V>
inline constexpr literal<V> lit{};

template <class T>
inline constexpr bool is_literal = false;
template <auto V>
inline constexpr bool is_literal<literal<V>> = true;

/// The type of `lits<V...>`: numbers of one kind side by side. Beside tensors each is a literal.
template <auto... V>
struct literal_list {
  using value_type = std::common_type_t<decltype(V)...>;
  static constexpr std::size_t size() { return sizeof...(V); }
};

/// A list of literals as an argument: `my_relu(jig::lits<1, -1>)` is traced once for each list. In the lambda it is a vector that takes the
/// dtype of what it meets, as a literal does; beside run-time tensors it has its own.
template <auto... V>
inline constexpr literal_list<V...> lits{};

template <class T>
inline constexpr bool is_literal_list = false;
template <auto... V>
inline constexpr bool is_literal_list<literal_list<V...>> = true;

/// Compile-time constants of any library: jig::literal, std::integral_constant, Hana's integral constants.
template <class T>
concept Constant = std::is_empty_v<T> && requires {
  { T::value } -> std::convertible_to<typename T::value_type>;
  requires std::is_arithmetic_v<typename T::value_type>;
  typename std::bool_constant<static_cast<bool>(T::value) || true>;
};

/// A floating-point number as a template argument, which Clang takes as such only from version 18 on: `dropout<0.1>`.
struct real {
  std::uint64_t bits;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr real(T x) : bits(std::bit_cast<std::uint64_t>(static_cast<double>(x))) {}
  constexpr double value() const { return std::bit_cast<double>(bits); }
};

}  // namespace jig
