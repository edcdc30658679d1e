// SPDX-License-Identifier: MIT
#pragma once
// Diagonals of matrices as views, and values whose extents are checked to be those of another one.

#include <jig/ops/select.hpp>
#include <jig/ops/view.hpp>

namespace jig {

namespace detail {

constexpr void diag_part_rule(rule_context& c) {
  const shape& from = c.inputs[0].shape;
  auto axes = c.integers("axes");
  if (axes.size() != 2 || from.rank < 2) return c.fail("a diagonal needs two axes");
  int a = c.axis(axes[0], from.rank), b = c.axis(axes[1], from.rank);
  if (c.failed) return;
  if (a >= b) return c.fail("the first axis of a diagonal must be before the second");
  shape out;
  for (int i = 0; i < from.rank; ++i) {
    if (i == b) continue;
    if (i != a) out.push_back(from[i]);
    else if (is_static_extent(from[a]) && is_static_extent(from[b])) out.push_back(from[a] < from[b] ? from[a] : from[b]);
    else out.push_back(c.equal(from[a], from[b], "a diagonal along wildcard extents needs equal ones"));
  }
  c.result = {c.inputs[0].dtype, out};
}
constexpr void diag_part_strides(const restride_context& c, index&, shape& strides) {
  auto axes = find_attribute(c.attributes, "axes").values;
  auto a = static_cast<int>(axes[0] < 0 ? axes[0] + c.input.rank : axes[0]);
  auto b = static_cast<int>(axes[1] < 0 ? axes[1] + c.input.rank : axes[1]);
  int to = 0;
  for (int i = 0; i < c.input.rank; ++i)
    if (i != b) strides[to++] = c.input_strides[i] + (i == a ? c.input_strides[b] : 0);
}

constexpr void diag_part_gradient(gradient_context&);
constexpr void diag_part_gradient_again(gradient_context&);

constexpr void ensure_shape_rule(rule_context& c) {
  c.result = c.inputs[0];
  auto pairs = c.integers("axes");
  for (std::size_t i = 0; i + 1 < pairs.size(); i += 2) {
    index& e = c.result.shape[static_cast<int>(pairs[i])];
    e = c.equal(e, c.inputs[1].shape[static_cast<int>(pairs[i + 1])], "extents that must be equal differ");
  }
}

}  // namespace detail

namespace ops {

extern const op diag_part_add;

/// Attribute `axes`: two axes, of which the first becomes the diagonal and the second goes.
inline constexpr op diag_part =
    detail::view_op("MatrixDiagPart", detail::diag_part_rule, detail::diag_part_strides, detail::diag_part_gradient)
        .making(made_ops<diag_part_add>);
/// Adds the second input to that diagonal of the first.
inline constexpr op diag_part_add = detail::view_update_op("MatrixDiagPartGrad", detail::diag_part_gradient_again)
                                        .making(made_ops<diag_part>)
                                        .taking({.elements = numbers});
/// Inputs: a tensor, and one that is looked at for its extents only. Attribute `axes`: pairs of an axis of
/// the first and one of the second whose extents must be equal.
inline constexpr op ensure_shape = detail::view_op("EnsureShape", detail::ensure_shape_rule, detail::same_gradient);

}  // namespace ops

template <>
struct kernel<ops::diag_part_add> : detail::view_update_kernel<ops::diag_part> {};

namespace detail {

constexpr void diag_part_gradient(gradient_context& c) { view_gradient(c, ops::diag_part_add); }
constexpr void diag_part_gradient_again(gradient_context& c) { view_update_gradient(c, ops::diag_part); }

}  // namespace detail

}  // namespace jig
