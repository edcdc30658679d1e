// SPDX-License-Identifier: MIT
#pragma once
// Quotients, products and logarithms that are 0 where the limit says so instead of NaN. What would be NaN is replaced before it is
// computed, too: else gradients were 0 times infinity there.

#include <jig/ops/division.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/unary.hpp>

namespace jig {

/// x / y, and 0 where y is 0, whatever x is. There both gradients are 0.
/// Shape: x and y broadcast
template <Operand X, Operand Y>
constexpr auto divide_no_nan(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  auto zero = call<ops::equal>(y, 0);
  return jig::where(zero, 0, detail::quotient(x, jig::where(zero, 1, y)));
}

/// x * y, and 0 where y is 0, also where x is infinite or NaN.
/// Shape: x and y broadcast
/// Dtype: floating
template <Operand X, Operand Y>
constexpr auto multiply_no_nan(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  // Where x is finite it stays: it is the slope along y.
  auto dropped = call<ops::logical_and>(call<ops::equal>(y, 0), call<ops::logical_not>(call<ops::is_finite>(x)));
  return call<ops::multiply>(jig::where(dropped, 0, x), y);
}

/// x * log(y), and 0 where x is 0, whatever y is. There both gradients are 0.
/// Shape: x and y broadcast
/// Dtype: floating
template <Operand X, Operand Y>
constexpr auto xlogy(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  auto zero = call<ops::equal>(x, 0);
  return jig::where(zero, 0, call<ops::multiply>(x, log(jig::where(zero, 1, y))));
}

/// x / y, and 0 where x is 0, whatever y is. There both gradients are 0.
/// Shape: x and y broadcast
template <Operand X, Operand Y>
constexpr auto xdivy(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  auto zero = call<ops::equal>(x, 0);
  return jig::where(zero, 0, detail::quotient(x, jig::where(zero, 1, y)));
}

}  // namespace jig
