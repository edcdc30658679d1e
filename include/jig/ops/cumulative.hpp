// SPDX-License-Identifier: MIT
#pragma once
// Running sums and products along an axis.

#include <jig/ops/transpose.hpp>

namespace jig {

namespace detail {

constexpr void cumulative_rule(rule_context& c) {
  check_dtypes(c, numbers);
  c.axis(c.integer("axis"), c.inputs[0].shape.rank);
  c.result = c.inputs[0];
}

}  // namespace detail

namespace ops {

extern const op cumsum;

}  // namespace ops

namespace detail {

// Sums from every position to the end of the axis.
constexpr graph_value sum_to_end(gradient_context& c, const graph_value& x) {
  const index axis = c.integer("axis");
  attribute_view along{"axis", attribute_kind::integer, {&axis, 1}}, turned{"axis", attribute_kind::integers, {&axis, 1}};
  return c.call(ops::reverse, {c.call(ops::cumsum, {c.call(ops::reverse, {x}, {&turned, 1})}, {&along, 1})}, {&turned, 1});
}
constexpr void cumsum_gradient(gradient_context& c) { c.give(0, sum_to_end(c, c.full_adjoint())); }
// Where an element is 0 its gradient is NaN, as in TensorFlow.
constexpr void cumprod_gradient(gradient_context& c) { c.give(0, sum_to_end(c, c.full_adjoint() * c.output()) / c.input(0)); }

}  // namespace detail

namespace ops {

/// Attribute `axis`.
inline constexpr op cumsum = detail::axis_op("Cumsum", detail::cumulative_rule, fact::computes | fact::reads_dense, detail::cumsum_gradient)
                                 .making(made_ops<reverse>)
                                 .taking({.elements = numbers});
inline constexpr op cumprod =
    detail::axis_op("Cumprod", detail::cumulative_rule, fact::computes | fact::reads_dense, detail::cumprod_gradient)
        .making(made_ops<cumsum, reverse>)
        .taking({.elements = numbers});

}  // namespace ops

/// Running sums along an axis. Integer overflow wraps. Which numbers of the last axis are combined first follows from its extent
/// and the width of registers, as in other reductions.
/// Shape: that of x
template <index Axis = 0, Operand X>
constexpr auto cumsum(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::cumsum, attributes<integer<"axis", Axis>>>(x);
}

/// Running products along an axis. Integer overflow wraps. Which numbers of the last axis are combined first follows from its extent
/// and the width of registers, as in other reductions.
/// Shape: that of x
template <index Axis = 0, Operand X>
constexpr auto cumprod(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::cumprod, attributes<integer<"axis", Axis>>>(x);
}

}  // namespace jig
