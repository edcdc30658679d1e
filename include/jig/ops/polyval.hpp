// SPDX-License-Identifier: MIT
#pragma once
// Polynomials.

#include <jig/ops/arithmetic.hpp>

#include <tuple>
#include <utility>

namespace jig {

namespace detail {

template <class X, class P>
constexpr auto polynomial_behind(const X&, const P& value) {
  return value;
}
template <class X, class P, class C, class... Rest>
constexpr auto polynomial_behind(const X& x, const P& value, const C& next, const Rest&... rest) {
  return detail::polynomial_behind(x, call<ops::add>(call<ops::multiply>(value, x), next), rest...);
}

}  // namespace detail

/// A polynomial of its last operand with the others as coefficients, that of the highest power first: `polyval(2, 0, -1, x)` is
/// 2 x² - 1. Coefficients are numbers or tensors, which broadcast.
template <Operand... C>
  requires(sizeof...(C) > 1)
constexpr auto polyval(const C&... coefficients_and_x) {
  const auto operands_in_order = std::tie(coefficients_and_x...);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return detail::polynomial_behind(std::get<sizeof...(C) - 1>(operands_in_order), std::get<I>(operands_in_order)...);
  }(std::make_index_sequence<sizeof...(C) - 1>());
}

}  // namespace jig
