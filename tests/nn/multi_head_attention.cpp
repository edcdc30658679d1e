// SPDX-License-Identifier: MIT
#include <jig/nn/multi_head_attention.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

using jig::index;

constexpr index in = 5, heads = 2, dim = 3, keys = 4, length = 3;
using layer_type = jig::nn::multi_head_attention<double, in, heads, dim>;

constexpr auto of_two = jig::function<"f(layer, x, y)">([](auto& layer, auto x, auto y) { return layer(x, y); });
constexpr auto of_one = jig::function<"f(layer, x)">([](auto& layer, auto x) {
  return std::tuple(layer(x), layer(x, x, jig::causal), jig::gradient(jig::reduce_sum(layer(x)), layer.output_bias));
});

double number(index i, index of) { return static_cast<double>((i * 37 + of * 101 + 11) % 97) / 60 - 0.8; }
template <class X>
X numbered(index of) {
  X x;
  for (index i = 0; i < x.size(); ++i) x.data()[i] = number(i, of);
  return x;
}

// Element d of a head of what a row is projected to.
template <class X, class K, class B>
double projected(const X& x, index row, const K& kernel, const B& bias, index h, index d) {
  double s = bias(h, d);
  for (index i = 0; i < in; ++i) s += x(0, row, i) * kernel(i, h, d);
  return s;
}

template <class Q, class V>
double expected(const layer_type& layer, const Q& query, const V& value, index t, index o, bool causal) {
  double out = layer.output_bias.value()(o);
  for (index h = 0; h < heads; ++h) {
    std::vector<double> weights;
    double total = 0;
    for (index s = 0; s < value.extent(1); ++s) {
      double score = 0;
      for (index d = 0; d < dim; ++d)
        score += projected(query, t, layer.query_kernel.value(), layer.query_bias.value(), h, d) *
                 projected(value, s, layer.key_kernel.value(), layer.key_bias.value(), h, d);
      weights.push_back(causal && s > t ? 0 : std::exp(score / std::sqrt(static_cast<double>(dim))));
      total += weights.back();
    }
    for (index d = 0; d < dim; ++d)
      for (index s = 0; s < value.extent(1); ++s)
        out += weights[static_cast<std::size_t>(s)] / total *
               projected(value, s, layer.value_kernel.value(), layer.value_bias.value(), h, d) * layer.output_kernel.value()(h, d, o);
  }
  return out;
}

TEST_CASE("multi_head_attention: projections, heads and their output") {
  layer_type layer;
  layer.initialize(7);
  layer.query_bias.assign(numbered<jig::tensor<double, heads, dim>>(1));
  layer.key_bias.assign(numbered<jig::tensor<double, heads, dim>>(2));
  layer.value_bias.assign(numbered<jig::tensor<double, heads, dim>>(3));
  layer.output_bias.assign(numbered<jig::tensor<double, in>>(4));
  const auto x = numbered<jig::tensor<double, 1, length, in>>(5);
  const auto y = numbered<jig::tensor<double, 1, keys, in>>(6);
  const auto both = of_two(layer, x, y);
  const auto [own, causal, slope] = of_one(layer, jig::tensor<double, jig::dyn, length, in>(x));
  int wrong = 0;
  const auto compare = [&](double found, double e) { wrong += !(std::abs(found - e) < 1e-12); };
  for (index t = 0; t < length; ++t)
    for (index o = 0; o < in; ++o) {
      compare(both(0, t, o), expected(layer, x, y, t, o, false));
      compare(own(0, t, o), expected(layer, x, x, t, o, false));
      compare(causal(0, t, o), expected(layer, x, x, t, o, true));
      compare(slope(o), length);
    }
  CHECK(wrong == 0);
}

TEST_CASE("multi_head_attention: Keras' initialisers") {
  jig::nn::multi_head_attention<float, 16, 4, 8> layer;
  layer.output_bias.assign(jig::ones<float, 16>());
  layer.initialize(1);
  const auto largest = [](const auto& kernel) {
    double most = 0;
    for (float w : kernel.value()) most = std::max(most, std::abs(static_cast<double>(w)));
    return most;
  };
  const double of_query = std::sqrt(6.0 / (16 * 4 + 16 * 8)), of_output = std::sqrt(6.0 / (4 * 8 + 4 * 16));
  CHECK((largest(layer.query_kernel) <= of_query && largest(layer.query_kernel) > 0.98 * of_query));
  CHECK((largest(layer.output_kernel) <= of_output && largest(layer.output_kernel) > 0.98 * of_output));
  CHECK(layer.query_kernel.value()(1, 2, 3) != layer.key_kernel.value()(1, 2, 3));
  CHECK(layer.output_bias.value()(7) == 0);
}

}  // namespace
