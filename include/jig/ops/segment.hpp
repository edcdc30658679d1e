// SPDX-License-Identifier: MIT
#pragma once
// Sums of the rows that have the same number. The kernel is in eval/segment.hpp.

#include <jig/ops/extremes.hpp>
#include <jig/ops/gather.hpp>
#include <jig/ops/reshape.hpp>

namespace jig {

namespace detail {

constexpr const char* no_numbers_of_rows = "the segment ids do not have the first extents of the data";

constexpr void segment_rule(rule_context& c) {
  if (!is_integer(c.inputs[1].dtype)) return c.fail("the segment ids must be integers");
  if (!is_of(c.inputs[0].dtype, numbers)) return c.fail(wrong_kind(numbers));
  const index segments = c.integer("num_segments");
  if (segments < 0) return c.fail("the number of segments must not be negative");
  const shape &data = c.inputs[0].shape, &ids = c.inputs[1].shape;
  if (ids.rank > data.rank) return c.fail(no_numbers_of_rows);
  if (data.rank - ids.rank == max_rank) return c.fail("a tensor has at most 8 axes");
  for (int a = 0; a < ids.rank; ++a) c.equal(ids[a], data[a], no_numbers_of_rows);
  shape out{1, {segments}};
  for (int a = ids.rank; a < data.rank; ++a) out.push_back(data[a]);
  c.result = {c.inputs[0].dtype, out};
}

// A condition of rank n with axes of one element behind it, so that it broadcasts along rows.
constexpr graph_value of_rows(gradient_context& c, graph_value condition, int axes) {
  const index last = -1;
  const attribute_view with[] = {{"dim", attribute_kind::integer, {&last, 1}}};
  for (; axes > 0; --axes) condition = c.call(c.ops().expand_dims, {condition}, with);
  return condition;
}

// The rows of the adjoint with these numbers, zeros where a row belongs to no segment.
constexpr void segment_gradient(gradient_context& c) {
  if (!c.wants(0)) return c.nothing();
  const graph_value ids = c.input(1);
  const int axes = c.spec(c.input(0)).shape.rank - c.spec(ids).shape.rank;
  if (c.integer("num_segments") == 0) return c.give(0, c.zeros_like(c.input(0)));
  const index first = 0;
  const attribute_view along[] = {{"axis", attribute_kind::integer, {&first, 1}}};
  const graph_value adjoint = c.full_adjoint();
  if (!is_signed(c.spec(ids).dtype)) return c.give(0, c.call(ops::gather, {adjoint, ids}, along));
  const graph_value none = c.number(ids, 0);
  const graph_value rows = c.call(ops::gather, {adjoint, c.call(ops::maximum, {ids, none})}, along);
  c.give(0, c.call(c.ops().select, {of_rows(c, ids < none, axes), c.number(rows, 0), rows}));
}

}  // namespace detail

namespace ops {

/// Attribute `num_segments`. Inputs: rows, and the number of the segment of each.
inline constexpr op unsorted_segment_sum = detail::indexing_op("UnsortedSegmentSum", detail::segment_rule, 2, detail::segment_gradient)
                                               .with(fact::reads_dense)
                                               .making(made_ops<gather, maximum>)
                                               .taking({.elements = numbers, .positions = 2});

}  // namespace ops

/// For each of N segments the sum of the elements or rows of data that have its number; zeros for a segment without any. Rows with
/// a negative number belong to none. Floating numbers are added in the order of the rows.
/// Shape: data (I..., E...), segment_ids (I...) -> (N, E...)
/// Dtype: that of data; integers wrap. The ids are integers of any dtype.
/// Errors: an id of N or more throws invalid_argument with it.
template <index N, Operand X, Operand I>
constexpr auto unsorted_segment_sum(const X& data, const I& segment_ids, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, data, segment_ids);
  return call<ops::unsorted_segment_sum, attributes<integer<"num_segments", N>>>(data, segment_ids);
}

}  // namespace jig
