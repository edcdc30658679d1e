// SPDX-License-Identifier: MIT
#pragma once
// How often each small number occurs, and histograms. The kernel is in eval/bincount.hpp.

#include <jig/ops/segment.hpp>
#include <jig/ops/select.hpp>

namespace jig {

namespace detail {

constexpr void bincount_rule(rule_context& c) {
  if (!is_integer(c.inputs[0].dtype)) return c.fail("the values must be integers");
  const bool weighted = c.inputs.size() > 1;
  const dtype d = weighted ? c.inputs[1].dtype : static_cast<dtype>(c.integer("T"));
  if (!is_of(d, numbers)) return c.fail("the dtype of the counts must be a number");
  const index bins = c.integer("size");
  if (bins < 0) return c.fail("the number of bins must not be negative");
  if (weighted) {
    const shape &values = c.inputs[0].shape, &weights = c.inputs[1].shape;
    constexpr const char* apart = "the weights do not have the shape of the values";
    if (values.rank != weights.rank) return c.fail(apart);
    for (int a = 0; a < values.rank; ++a) c.equal(values[a], weights[a], apart);
  }
  c.result = {d, shape{1, {bins}}};
}

// Whether an integer dtype holds a number.
constexpr bool reaches(dtype d, index number) {
  const int bits = 8 * static_cast<int>(size_of(d)) - is_signed(d);
  return bits >= 63 || number >> bits == 0;
}

// Of the weights: the adjoint of the bin that each is added to.
constexpr void bincount_gradient(gradient_context& c) {
  if (c.inputs() < 2 || !c.wants(1)) return c.nothing();
  const graph_value values = c.input(0);
  const index bins = c.integer("size");
  if (bins == 0) return c.give(1, c.zeros_like(c.input(1)));
  const index first = 0;
  const attribute_view along[] = {{"axis", attribute_kind::integer, {&first, 1}}};
  const graph_value adjoint = c.full_adjoint();
  if (!reaches(c.spec(values).dtype, bins)) return c.give(1, c.call(ops::gather, {adjoint, values}, along));
  const graph_value last = c.number(values, static_cast<double>(bins - 1));
  const graph_value there = c.call(ops::gather, {adjoint, c.call(ops::minimum, {values, last})}, along);
  c.give(1, c.call(c.ops().select, {values < c.number(values, static_cast<double>(bins)), there, c.number(there, 0)}));
}

}  // namespace detail

namespace ops {

/// Attribute `size`. Inputs: integers, and weights of them; without these attribute `T`, the dtype of the counts.
inline constexpr op bincount = detail::indexing_op("DenseBincount", detail::bincount_rule, 1, detail::bincount_gradient)
                                   .with(fact::reads_dense)
                                   .making(made_ops<gather, minimum>)
                                   .taking({.elements = numbers, .positions = 1});

}  // namespace ops

/// How often each number from 0 up to N - 1 occurs in x, a tensor of any rank: TensorFlow's `tf.math.bincount` with N as its minlength and
/// its maxlength. Larger numbers are not counted.
/// Shape: (N)
/// Dtype: T, a number; x holds integers of any dtype
/// Errors: a negative number throws invalid_argument with it.
template <index N, Element T = int, Operand X>
constexpr auto bincount(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::bincount, attributes<integer<"size", N>, type_attribute<"T", dtype_of<T>>>>(x);
}
/// The sums of the weights that stand where each number from 0 up to N - 1 does in x. Floating weights are added in their order.
/// Shape: x, weights alike -> (N)
/// Dtype: that of the weights; integers wrap
/// Errors: a negative number throws invalid_argument with it.
template <index N, Operand X, Operand W>
constexpr auto bincount(const X& x, const W& weights, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, weights);
  return call<ops::bincount, attributes<integer<"size", N>>>(x, weights);
}

/// TensorFlow's `tf.histogram_fixed_width`: how many of the values lie in each of N parts of the same width between low and high. Those
/// below count in the first one, those above in the last; so does NaN in the first.
/// Shape: (N)
/// Dtype: values, low and high floating; the counts are T
template <index N, Element T = int, Operand V, Operand L, Operand H>
constexpr auto histogram_fixed_width(const V& values, const L& low, const H& high, const source_line& at = source_line::here()) {
  static_assert(N > 0, "jig::histogram_fixed_width: there must be a bin");
  const detail::line_scope in(at, values, low, high);
  // Of what is not negative, a cast is the floor.
  return bincount<N, T>(cast<int>(clip((values - low) / (high - low) * static_cast<double>(N), 0.0, static_cast<double>(N - 1))));
}

}  // namespace jig
