// SPDX-License-Identifier: MIT
#pragma once
// Where values belong in sorted rows. The kernel is in eval/searchsorted.hpp.

#include <jig/ops/positions.hpp>

namespace jig {

namespace detail {

constexpr void search_rule(rule_context& c) {
  check_dtypes(c, numbers);
  const shape &sorted = c.inputs[0].shape, &values = c.inputs[1].shape;
  if (sorted.rank == 0) return c.fail("there is no sorted row");
  if (sorted.rank > 1) {
    constexpr const char* other_batches = "the values do not have the first extents of the sorted rows";
    if (values.rank != sorted.rank) return c.fail(other_batches);
    for (int a = 0; a + 1 < sorted.rank; ++a) c.equal(sorted[a], values[a], other_batches);
  }
  c.result = {dtype::int32, values};
}
constexpr op search_op(std::string_view name) {
  return copying_op(name, search_rule).with(fact::checked).taking({.elements = numbers, .results = {result_kind::int32}});
}

}  // namespace detail

namespace ops {

/// Inputs: sorted rows, and the values to find in each of them; one row may be for values of any shape.
inline constexpr op lower_bound = detail::search_op("LowerBound");
/// The same.
inline constexpr op upper_bound = detail::search_op("UpperBound");

}  // namespace ops

/// TensorFlow's `tf.searchsorted`: for each value the first position in a sorted row before which it can be put without disorder, with
/// `searchsorted<"right">(sorted, values)` the last one. NaN at the end of a row is larger than all numbers; a value that is NaN comes
/// before all, with "right" behind all. What rows give that are not sorted is some position from 0 to n.
/// Shape: sorted [n], values of any shape -> that of the values; or sorted [batch..., n], values [batch..., m] -> [batch..., m]
/// Dtype: both the same numbers; the positions are int32
/// Errors: a row too long for int32 throws invalid_argument.
/// Cost: log2(n) steps for each value, of several values at once; in rows of up to 16 registers all elements are compared.
template <text Side = "left", Operand X, Operand V>
constexpr auto searchsorted(const X& sorted, const V& values, const source_line& at = source_line::here()) {
  static_assert(Side.view() == "left" || Side.view() == "right", "jig::searchsorted: the side is \"left\" or \"right\"");
  const detail::line_scope in(at, sorted, values);
  if constexpr (Side.view() == "left") return call<ops::lower_bound>(sorted, values);
  else return call<ops::upper_bound>(sorted, values);
}

/// The number of the bucket that each value lies in, of those between sorted boundaries, which belong to the bucket above them:
/// `bucketize(ages, jig::lits<18, 65>)` is 0, 1 or 2.
/// Shape: x of any shape, boundaries [n] -> that of x
/// Dtype: both the same numbers; the buckets are int32
/// Cost: that of searchsorted
template <Operand X, Operand B>
constexpr auto bucketize(const X& x, const B& boundaries, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, boundaries);
  return call<ops::upper_bound>(boundaries, x);
}

}  // namespace jig
