// SPDX-License-Identifier: MIT
#pragma once
// Moments, and what normalises with them.

#include <jig/ops/reduce.hpp>

#include <tuple>

namespace jig {

namespace detail {

constexpr void expand_channel_mean(expansion& c) {
  const int rank = c.extents(c.input(0)).rank;
  if (rank < 2) return c.fail("batch_moments: the operand needs an axis before its channels");
  list<index> axes;
  for (int a = 0; a + 1 < rank; ++a) axes.push_back(a);
  c.give(c.call(ops::reduce_mean, {c.input(0)}, "axes", axes));
}
inline constexpr op channel_mean{.name = "ChannelMean",
                                 .label = "channel_mean",
                                 .facts = fact::composite,
                                 .makes = made_ops<ops::reduce_mean>,
                                 .expand = expand_channel_mean};

}  // namespace detail

/// TensorFlow's tf.nn.moments: the mean and the variance along axes (none: all), as a tuple, `auto [mean, variance] = jig::moments<0>(x)`.
/// The variance is the mean of the squared distances from the mean.
/// Shape: those that reduce_mean has
template <index... Axes, Operand X>
constexpr auto moments(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  // The variance has no slope along the mean.
  auto distance = squared_difference(x, stop_gradient(reduce_mean<Axes...>(x, keepdims)));
  return std::tuple(reduce_mean<Axes...>(x), reduce_mean<Axes...>(distance));
}
template <index... Axes, Operand X>
constexpr auto moments(const X& x, keepdims_t, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  auto mean = reduce_mean<Axes...>(x, keepdims);
  return std::tuple(mean, reduce_mean<Axes...>(squared_difference(x, stop_gradient(mean)), keepdims));
}

/// The mean and the variance of every channel, as a tuple: moments along all axes but the last. With them `batch_norm` is what Keras'
/// BatchNormalization does in training.
/// Shape: [..., channels] -> [channels], [channels]
/// Errors: an operand with fewer than two axes is refused at compile time or throws invalid_argument.
template <Operand X>
constexpr auto batch_moments(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  auto mean = call<detail::channel_mean>(x);
  return std::tuple(mean, call<detail::channel_mean>(squared_difference(x, stop_gradient(mean))));
}

/// TensorFlow's `tf.nn.batch_normalization`: scale (x - mean) / sqrt(variance + epsilon) + offset. All broadcast to x; moments of channels
/// are those of training, from `batch_moments`, or those kept of it. The operands keep TensorFlow's order.
/// Shape: that of x
/// Dtype: floating
/// Cost: one multiplication and one addition for each element, which a product or a convolution before it does on its tiles.
template <Operand X, Operand M, Operand V, Operand O, Operand S, Operand E = double>
constexpr auto batch_norm(const X& x, const M& mean, const V& variance, const O& offset, const S& scale, const E& epsilon = 1e-3,
                          const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, mean, variance, offset, scale, epsilon);
  auto factor = rsqrt(variance + epsilon) * scale;
  return x * factor + (offset - mean * factor);
}

/// x divided by its norm along axes (none: of all elements), of which the square counts as epsilon where it is less.
/// Shape: that of x
/// Dtype: floating
template <index... Axes, Operand X, Operand E = double>
constexpr auto l2_normalize(const X& x, const E& epsilon = 1e-12, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, epsilon);
  return call<ops::multiply>(x, rsqrt(jig::maximum(reduce_sum<Axes...>(jig::square(x), keepdims), epsilon)));
}

namespace detail {

template <class X, class E>
constexpr auto normalized_rows(const X& x, const E& epsilon) {
  auto deviation = x - reduce_mean<-1>(x, keepdims);
  return deviation * rsqrt(reduce_mean<-1>(jig::square(deviation), keepdims) + epsilon);
}

}  // namespace detail

/// Every row with mean 0 and variance 1, as Keras' LayerNormalization computes it: (x - mean) / sqrt(variance + epsilon), with the moments
/// along the last axis.
/// Shape: that of x
/// Dtype: floating
/// Cost: rows are normalised one after another, while they are in the cache.
template <Operand X>
constexpr auto layer_norm(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return detail::normalized_rows(x, 1e-3);
}
/// The same, times gamma and plus beta.
/// Shape: x [..., n], gamma [n], beta [n] -> [..., n]
template <Operand X, Operand G, Operand B, Operand E = double>
constexpr auto layer_norm(const X& x, const G& gamma, const B& beta, const E& epsilon = 1e-3, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, gamma, beta, epsilon);
  return detail::normalized_rows(x, epsilon) * gamma + beta;
}

}  // namespace jig
