// SPDX-License-Identifier: MIT
#pragma once
// ONNX's normalisations, losses and random numbers.

#include <jig/io/onnx/elementwise.hpp>
#include <jig/io/onnx/reduce.hpp>

namespace jig::onnx {

/// One number for each channel, with axes behind it.
inline edge beside_channels(node_context& c, edge of_channels, int rank) {
  list<index> to{jig::infer};
  for (int a = 2; a < rank; ++a) to.push_back(1);
  return c.m.reshape(of_channels, to);
}
struct moments_of {
  edge mean, deviation, variance;
};
inline moments_of moments(node_context& c, edge x, const list<index>& axes) {
  moments_of m;
  m.mean = c.m.reduce(ops::reduce_mean, x, axes, true);
  m.deviation = c.m.sub(x, m.mean);
  m.variance = c.m.reduce(ops::reduce_mean, c.m.unary(ops::square, m.deviation), axes, true);
  return m;
}
inline edge inverse_deviation(node_context& c, edge variance, double epsilon) {
  return c.m.unary(ops::rsqrt, c.m.add(variance, c.m.number_like(variance, epsilon)));
}

inline void import_batch_normalization(node_context& c) {
  const edge x = c.x(0);
  const dtype d = c.m.type(x);
  const int rank = c.m.rank(x);
  const double epsilon = c.real("epsilon", 1e-5), momentum = c.real("momentum", 0.9);
  // Of one axis, the batch's, there are no channels to stand beside.
  const auto beside = [&](edge e) { return c.m.cast(rank < 2 ? e : beside_channels(c, e, rank), d); };
  edge mean = beside(c.x(3)), variance = beside(c.x(4));
  if (c.flag("training_mode")) {
    list<index> axes{0};
    for (int a = 2; a < rank; ++a) axes.push_back(a);
    const moments_of now = moments(c, x, axes);
    const auto running = [&](edge old, edge is) {
      const edge own = c.m.squeeze(is, axes);
      return c.m.add(c.m.scaled(old, momentum), c.m.cast(c.m.scaled(own, 1 - momentum), c.m.type(old)));
    };
    c.out(running(c.x(3), now.mean), 1);
    c.out(running(c.x(4), now.variance), 2);
    mean = now.mean, variance = now.variance;
  }
  const edge scale = c.m.mul(beside(c.x(1)), inverse_deviation(c, variance, epsilon));
  c.out(c.m.add(c.m.mul(c.m.sub(x, mean), scale), beside(c.x(2))));
}
inline void import_instance_normalization(node_context& c) {
  const edge x = c.x(0);
  const int rank = c.m.rank(x);
  list<index> axes;
  for (int a = 2; a < rank; ++a) axes.push_back(a);
  const moments_of now = moments(c, x, axes);
  const edge scale = c.m.mul(beside_channels(c, c.x(1), rank), inverse_deviation(c, now.variance, c.real("epsilon", 1e-5)));
  c.out(c.m.add(c.m.mul(now.deviation, scale), beside_channels(c, c.x(2), rank)));
}
inline void import_layer_normalization(node_context& c) {
  const edge x = c.x(0);
  const int rank = c.m.rank(x);
  list<index> axes;
  for (int a = c.axis(c.integer("axis", -1), rank); a < rank; ++a) axes.push_back(a);
  const moments_of now = moments(c, x, axes);
  const edge inverse = inverse_deviation(c, now.variance, c.real("epsilon", 1e-5));
  edge y = c.m.mul(c.m.mul(now.deviation, inverse), c.x(1));
  if (c.has(2)) y = c.m.add(y, c.x(2));
  c.out(y);
  c.out(now.mean, 1);
  c.out(inverse, 2);
}
inline void import_mean_variance_normalization(node_context& c) {
  list<index> axes = c.integers("axes");
  if (axes.empty()) axes = {0, 2, 3};
  const moments_of now = moments(c, c.x(0), axes);
  c.out(c.m.div(now.deviation, c.m.add(c.m.unary(ops::sqrt, now.variance), c.m.number_like(c.x(0), 1e-9))));
}
inline void import_lrn(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.static_extents(x);
  const index size = c.integer("size", 1);
  if (s.rank < 2 || size < 1 || size > (index{1} << 20)) c.fail("there are no channels to sum over");
  const index before = (size - 1) / 2, behind = size - 1 - before;
  // Sums of neighbouring channels as a product with a band of ones.
  c.m.require_size({dtype::float32, shape{2, {s[1], s[1]}}});
  any_tensor band = any_tensor::empty(dtype::float32, shape{2, {s[1], s[1]}});
  auto* to = static_cast<float*>(band.mutable_data());
  for (index i = 0; i < s[1]; ++i)
    for (index j = 0; j < s[1]; ++j) to[i * s[1] + j] = j >= i - before && j <= i + behind ? 1.0f : 0.0f;
  const index rest = s[0] * s[1] == 0 ? 0 : s.size() / (s[0] * s[1]);
  const edge squares = c.m.reshape(c.m.unary(ops::square, x), {s[0], s[1], rest});
  const edge filter = c.m.broadcast_to(c.m.cast(c.m.constant(band), c.m.type(x)), {s[0], s[1], s[1]});
  const edge sums = c.m.reshape(c.m.matmul(filter, squares), list_of(s));
  const double alpha = c.real("alpha", 1e-4), beta = c.real("beta", 0.75), bias = c.real("bias", 1);
  const edge below = c.m.add(c.m.scaled(sums, alpha / static_cast<double>(size)), c.m.number_like(x, bias));
  c.out(c.m.div(x, c.m.binary(ops::power, below, c.m.number_like(x, beta))));
}
inline void import_lp_normalization(node_context& c) {
  const edge x = c.x(0);
  const index axis = c.axis(c.integer("axis", -1), c.m.rank(x));
  const bool first = c.integer("p", 2) == 1;
  const edge sum = c.m.reduce(ops::reduce_sum, c.m.unary(first ? ops::abs : ops::square, x), {axis}, true);
  c.out(c.m.div(x, first ? sum : c.m.unary(ops::sqrt, sum)));
}

// Of log probabilities [batch, classes, …] the one of each label, negative, weighed and reduced.
inline edge negative_log_likelihood(node_context& c, edge x, edge labels, bool has_weights) {
  const shape s = c.m.static_extents(x);
  if (s.rank < 2) c.fail("there are no classes");
  labels = c.m.cast(labels, dtype::int64);
  edge ignored{};
  const bool ignores = c.given("ignore_index");
  edge at = labels;
  if (ignores) {
    ignored = c.m.binary(ops::equal, labels, c.m.number(dtype::int64, c.integer("ignore_index", 0)));
    at = c.m.select(ignored, c.m.number(dtype::int64, 0), labels);
  }
  // Classes last, so that a label is a place in a row.
  list<index> order{0};
  for (int a = 2; a < s.rank; ++a) order.push_back(a);
  order.push_back(1);
  const index rows = s[1] == 0 ? 0 : s.size() / s[1];
  std::vector<index> first;
  for (index r = 0; r < rows; ++r) first.push_back(r * s[1]);
  const edge flat = c.m.reshape(c.m.transpose(x, order), {s.size()});
  const edge at_rows = c.m.reshape(at, {rows});
  edge loss = c.m.unary(ops::neg, c.m.gather(flat, c.m.add(at_rows, c.m.constants(first)), 0));
  edge weight = c.m.broadcast_to(c.m.number_like(x, 1), {rows});
  if (has_weights) weight = c.m.gather(c.x(2), at_rows, 0);
  if (ignores) weight = c.m.select(c.m.reshape(ignored, {rows}), c.m.number_like(x, 0), weight);
  loss = c.m.mul(loss, weight);
  const auto how = c.text("reduction", "mean");
  if (how == "none") return c.m.reshape(loss, list_of(c.m.extents(labels)));
  const edge sum = c.m.reduce(ops::reduce_sum, loss, {0}, false);
  return how == "sum" ? sum : c.m.div(sum, c.m.reduce(ops::reduce_sum, weight, {0}, false));
}
inline void import_negative_log_likelihood(node_context& c) { c.out(negative_log_likelihood(c, c.x(0), c.x(1), c.has(2))); }
inline void import_softmax_cross_entropy(node_context& c) {
  const edge probabilities = log_softmax(c, c.x(0), {1});
  c.out(negative_log_likelihood(c, probabilities, c.x(1), c.has(2)));
  c.out(probabilities, 1);
}

// Random numbers from 0 to 1, as many as x has elements. Without a seed it is always the same one.
inline edge uniform_like(node_context& c, edge x) {
  const edge like = c.m.type(x) == dtype::float64 ? x : c.m.cast(x, dtype::float32);
  // An attribute is one of both.
  const index real = functor<ops::cast>::convert<index>(c.real("seed", 0)), seed = real != 0 ? real : c.integer("seed", 0);
  return c.m.call(ops::random_uniform, {like, c.m.number(dtype::int64, seed)});
}
inline void import_dropout(node_context& c) {
  const edge x = c.x(0);
  const bool trains = c.opset >= 12 ? c.has(2) && c.m.known_truth(c.x(2)) : c.opset < 7 && !c.flag("is_test", false);
  double ratio = c.real("ratio", 0.5);
  if (c.opset >= 12) ratio = c.has(1) ? c.m.known_real(c.x(1)) : 0.5;
  const dtype mask_type = c.opset < 10 ? c.m.type(x) : dtype::boolean;
  if (!trains || ratio == 0) {
    c.out(x);
    if (c.wants(1)) c.out(c.m.cast(c.m.unary(ops::ones_like, x), mask_type), 1);
    return;
  }
  if (!(ratio > 0 && ratio < 1)) c.fail("the ratio must be at least 0 and less than 1");
  const edge random = uniform_like(c, x), kept = c.m.binary(ops::greater_equal, random, c.m.number_like(random, ratio));
  c.out(c.m.scaled(c.m.select(kept, x, c.m.number_like(x, 0)), 1 / (1 - ratio)));
  c.out(c.m.cast(kept, mask_type), 1);
}
inline void import_random_uniform_like(node_context& c) {
  const dtype d = c.given("dtype") ? require_dtype(static_cast<element_type>(c.integer("dtype", 1))) : c.m.type(c.x(0));
  const double low = c.real("low", 0), high = c.real("high", 1);
  const edge u = uniform_like(c, c.x(0));
  c.out(c.m.cast(c.m.add(c.m.scaled(u, high - low), c.m.number_like(u, low)), d));
}
inline void import_bernoulli(node_context& c) {
  const dtype d = c.given("dtype") ? require_dtype(static_cast<element_type>(c.integer("dtype", 1))) : c.m.type(c.x(0));
  const edge u = uniform_like(c, c.x(0));
  c.out(c.m.cast(c.m.binary(ops::less, u, c.m.cast(c.x(0), c.m.type(u))), d));
}

inline constexpr op_entry normal_ops[] = {
    {"BatchNormalization", import_batch_normalization},
    {"Bernoulli", import_bernoulli},
    {"Dropout", import_dropout},
    {"InstanceNormalization", import_instance_normalization},
    {"LRN", import_lrn},
    {"LayerNormalization", import_layer_normalization},
    {"LpNormalization", import_lp_normalization},
    {"MeanVarianceNormalization", import_mean_variance_normalization},
    {"NegativeLogLikelihoodLoss", import_negative_log_likelihood},
    {"RandomUniformLike", import_random_uniform_like},
    {"SoftmaxCrossEntropyLoss", import_softmax_cross_entropy},
};

}  // namespace jig::onnx
