// SPDX-License-Identifier: MIT
#pragma once
// Where the largest and the smallest elements are.

#include <jig/ops/view.hpp>

namespace jig {

namespace detail {

constexpr void find_rule(rule_context& c) {
  check_dtypes(c, numbers | booleans);
  const shape& from = c.inputs[0].shape;
  int axis = c.axis(c.integer("dimension"), from.rank);
  if (c.failed) return;
  if (from[axis] == 0) return c.fail("an axis without elements has no largest or smallest one");
  shape out;
  for (int a = 0; a < from.rank; ++a)
    if (a != axis) out.push_back(from[a]);
  c.result = {dtype::int64, out};
}

}  // namespace detail

namespace ops {

/// Attribute `dimension`.
inline constexpr op argmax = detail::axis_op("ArgMax", detail::find_rule, fact::checked | fact::reads_dense)
                                 .taking({.elements = numbers | booleans, .results = {result_kind::int64}});
inline constexpr op argmin = detail::axis_op("ArgMin", detail::find_rule, fact::checked | fact::reads_dense)
                                 .taking({.elements = numbers | booleans, .results = {result_kind::int64}});

}  // namespace ops

/// The position of the largest element along an axis, as an int64: the first one of equals; NaN counts as
/// largest.
/// Errors: an axis without elements is refused at compile time or throws invalid_argument.
template <index Axis = 0, Operand X>
constexpr auto argmax(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::argmax, attributes<integer<"dimension", Axis>>>(x);
}

/// The position of the smallest element along an axis, as an int64: the first one of equals; NaN counts as
/// smallest.
/// Errors: an axis without elements is refused at compile time or throws invalid_argument.
template <index Axis = 0, Operand X>
constexpr auto argmin(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::argmin, attributes<integer<"dimension", Axis>>>(x);
}

}  // namespace jig
