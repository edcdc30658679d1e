// SPDX-License-Identifier: MIT
#pragma once
// Sums and extremes of the rows that have the same number. The kernels are in eval/segment.hpp.

#include <jig/ops/composite.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/gather.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/select.hpp>

#include <limits>

namespace jig {

namespace detail {

// What segments without rows hold.
template <class T>
constexpr T lowest_or_highest(bool highest) {
  if constexpr (dtype_of<T> == dtype::float16) return T(highest ? 65504.0f : -65504.0f);
  else if constexpr (dtype_of<T> == dtype::bfloat16) return T(highest ? 0x1.fep127f : -0x1.fep127f);
  else return highest ? (std::numeric_limits<T>::max)() : std::numeric_limits<T>::lowest();
}

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

// The rows of a tensor that segments have with the numbers of rows, and zeros for those that belong to none.
constexpr graph_value rows_of_segments(gradient_context& c, const graph_value& of) {
  const graph_value ids = c.input(1);
  const index first = 0;
  const attribute_view along[] = {{"axis", attribute_kind::integer, {&first, 1}}};
  if (!is_signed(c.spec(ids).dtype)) return c.call(ops::gather, {of, ids}, along);
  const graph_value none = c.number(ids, 0);
  const graph_value rows = c.call(ops::gather, {of, c.call(ops::maximum, {ids, none})}, along);
  const int axes = c.spec(c.input(0)).shape.rank - c.spec(ids).shape.rank;
  return c.call(c.ops().select, {of_rows(c, ids < none, axes), c.number(rows, 0), rows});
}

constexpr void segment_sum_gradient(gradient_context& c) {
  if (!c.wants(0)) return c.nothing();
  if (c.integer("num_segments") == 0) return c.give(0, c.zeros_like(c.input(0)));
  c.give(0, rows_of_segments(c, c.full_adjoint()));
}
// Elements that are equally large share what comes back.
constexpr void segment_extreme_gradient(gradient_context& c);

constexpr op segment_op(std::string_view name, void (*gradient)(gradient_context&)) {
  return indexing_op(name, segment_rule, 2, gradient).with(fact::reads_dense).taking({.elements = numbers, .positions = 2});
}

}  // namespace detail

namespace ops {

/// Attribute `num_segments`. Inputs: rows, and the number of the segment of each.
inline constexpr op unsorted_segment_sum =
    detail::segment_op("UnsortedSegmentSum", detail::segment_sum_gradient).making(made_ops<gather, maximum>);
/// The same.
inline constexpr op unsorted_segment_max =
    detail::segment_op("UnsortedSegmentMax", detail::segment_extreme_gradient).making(made_ops<gather, maximum, unsorted_segment_sum>);
inline constexpr op unsorted_segment_min =
    detail::segment_op("UnsortedSegmentMin", detail::segment_extreme_gradient).making(made_ops<gather, maximum, unsorted_segment_sum>);

}  // namespace ops

namespace detail {

constexpr void segment_extreme_gradient(gradient_context& c) {
  if (!c.wants(0)) return c.nothing();
  const graph_value data = c.input(0);
  if (c.integer("num_segments") == 0) return c.give(0, c.zeros_like(data));
  const graph_value zero = c.number(data, 0);
  const graph_value equal = c.call(c.ops().equal, {data, rows_of_segments(c, c.output())});
  const graph_value chosen = c.call(c.ops().select, {equal, c.number(data, 1), zero});
  const graph_value shares = c.full_adjoint() / c.call_alike(ops::unsorted_segment_sum, {chosen, c.input(1)});
  c.give(0, c.call(c.ops().select, {equal, rows_of_segments(c, shares), zero}));
}

// Sums over the numbers of rows, of which there is at least one.
constexpr void expand_segment_mean(expansion& c) {
  const edge data = c.input(0), ids = c.input(1);
  const tensor_spec rows = c.spec(data);
  if (!is_floating(rows.dtype)) return c.fail("UnsortedSegmentMean: ", wrong_kind(floats), ": ", rows);
  const index type = static_cast<index>(rows.dtype), last = -1;
  const attribute_view to{"DstT", attribute_kind::type, {&type, 1}}, behind{"dim", attribute_kind::integer, {&last, 1}};
  const attribute_view segments = c.attribute("num_segments");
  const edge sums = c.call(ops::unsorted_segment_sum, {data, ids}, {&segments, 1});
  const edge ones = c.call(ops::cast, {c.call(ops::ones_like, {ids})}, {&to, 1});
  const edge counts = c.call(ops::unsorted_segment_sum, {ones, ids}, {&segments, 1});
  edge divisor = c.call(ops::maximum, {counts, c.call(ops::ones_like, {counts})});
  for (int axes = c.spec(sums).shape.rank; axes > 1; --axes) divisor = c.call(ops::expand_dims, {divisor}, {&behind, 1});
  c.give(c.call(ops::divide, {sums, divisor}));
}

}  // namespace detail

namespace ops {

/// Attribute `num_segments`. Inputs: rows, and the number of the segment of each.
inline constexpr op unsorted_segment_mean{.name = "UnsortedSegmentMean",
                                          .label = "UnsortedSegmentMean",
                                          .facts = fact::composite,
                                          .free_inputs = 2,
                                          .makes = made_ops<unsorted_segment_sum, cast, ones_like, maximum, expand_dims, divide>,
                                          .expand = detail::expand_segment_mean};

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

/// The largest elements of the rows of each segment, the lowest number of the dtype for a segment without any; NaN passes through. Rows
/// with a negative number belong to none.
/// Shape: data (I..., E...), segment_ids (I...) -> (N, E...)
/// Dtype: that of data. The ids are integers of any dtype.
/// Errors: an id of N or more throws invalid_argument with it.
template <index N, Operand X, Operand I>
constexpr auto unsorted_segment_max(const X& data, const I& segment_ids, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, data, segment_ids);
  return call<ops::unsorted_segment_max, attributes<integer<"num_segments", N>>>(data, segment_ids);
}
/// The smallest ones, the highest number of the dtype for a segment without any.
/// Errors: an id of N or more throws invalid_argument with it.
template <index N, Operand X, Operand I>
constexpr auto unsorted_segment_min(const X& data, const I& segment_ids, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, data, segment_ids);
  return call<ops::unsorted_segment_min, attributes<integer<"num_segments", N>>>(data, segment_ids);
}
/// The means of the rows of each segment, zeros for a segment without any.
/// Dtype: floating
/// Errors: an id of N or more throws invalid_argument with it.
template <index N, Operand X, Operand I>
constexpr auto unsorted_segment_mean(const X& data, const I& segment_ids, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, data, segment_ids);
  return call<ops::unsorted_segment_mean, attributes<integer<"num_segments", N>>>(data, segment_ids);
}

}  // namespace jig
