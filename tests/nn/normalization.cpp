// SPDX-License-Identifier: MIT
#include <jig/nn/normalization.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

namespace nn = jig::nn;

constexpr auto apply =
    jig::function<"apply(layer, x, training)">([](auto& layer, auto x, auto training) { return nn::call_layer(layer, x, training); });

TEST_CASE("batch_normalization: over the batch in training, by moving averages in use") {
  nn::batch_normalization<double, 2> layer;
  layer.initialize(0);
  layer.gamma.assign(jig::tensor<double, 2>{2, 0.5});
  layer.beta.assign(jig::tensor<double, 2>{1, -1});
  double moving_mean[2] = {}, moving_variance[2] = {1, 1};
  for (int call = 0; call < 3; ++call) {
    jig::tensor<double, jig::dyn, 3, 2> x(2);
    for (jig::index i = 0; i < 12; ++i) x.data()[i] = std::sin(static_cast<double>(i * i + call)) + call;
    const auto y = apply(layer, x, jig::lit<true>), in_use = apply(layer, x, jig::lit<false>);
    for (jig::index c = 0; c < 2; ++c) {
      double mean = 0, variance = 0;
      for (jig::index i = 0; i < 6; ++i) mean += x(i / 3, i % 3, c) / 6;
      for (jig::index i = 0; i < 6; ++i) variance += std::pow(x(i / 3, i % 3, c) - mean, 2) / 6;
      moving_mean[c] = 0.99 * moving_mean[c] + 0.01 * mean;
      moving_variance[c] = 0.99 * moving_variance[c] + 0.01 * variance;
      CHECK(layer.moving_mean.value.value()(c) == doctest::Approx(moving_mean[c]));
      CHECK(layer.moving_variance.value.value()(c) == doctest::Approx(moving_variance[c]));
      const double gamma = c == 0 ? 2 : 0.5, beta = c == 0 ? 1 : -1;
      int wrong = 0;
      for (jig::index i = 0; i < 6; ++i) {
        const double v = x(i / 3, i % 3, c);
        wrong += y(i / 3, i % 3, c) != doctest::Approx((v - mean) / std::sqrt(variance + 1e-3) * gamma + beta);
        wrong += in_use(i / 3, i % 3, c) != doctest::Approx((v - moving_mean[c]) / std::sqrt(moving_variance[c] + 1e-3) * gamma + beta);
      }
      CHECK(wrong == 0);
    }
  }
}

constexpr auto slopes = jig::function<"slopes(layer, x, w)">([](auto& layer, auto x, auto w) {
  auto loss = jig::reduce_sum(nn::call_layer(layer, x, jig::lit<true>) * w);
  auto to_layer = jig::gradient(loss, layer);
  using parts = jig::structure<decltype(to_layer)>;
  return std::tuple(jig::gradient(loss, x), parts::template get<0>(to_layer), parts::template get<1>(to_layer));
});

TEST_CASE("normalisations: gradients") {
  nn::batch_normalization<double, 2> over_batch;
  nn::layer_normalization<double, 2, 0.5> over_row;
  const auto compare = [](auto& layer) {
    layer.initialize(0);
    layer.gamma.assign(jig::tensor<double, 2>{2, -0.5});
    jig::tensor<double, jig::dyn, 3, 2> x(2), w(2);
    for (jig::index i = 0; i < 12; ++i) {
      x.data()[i] = std::sin(static_cast<double>(i * i));
      w.data()[i] = std::cos(static_cast<double>(3 * i));
    }
    auto loss = [&] {
      const auto y = apply(layer, x, jig::lit<true>);
      double sum = 0;
      for (jig::index i = 0; i < 12; ++i) sum += y.data()[i] * w.data()[i];
      return sum;
    };
    const auto [to_x, to_gamma, to_beta] = slopes(layer, x, w);
    int wrong = 0;
    for (jig::index i = 0; i < 12; ++i) {
      const double at = x.data()[i], h = 1e-5;
      x.data()[i] = at + h;
      const double above = loss();
      x.data()[i] = at - h;
      const double below = loss();
      x.data()[i] = at;
      wrong += to_x.data()[i] != doctest::Approx((above - below) / (2 * h)).epsilon(1e-6);
    }
    CHECK(wrong == 0);
    double sum = 0;
    for (jig::index i = 0; i < 6; ++i) sum += w.data()[2 * i + 1];
    CHECK(to_beta(1) == doctest::Approx(sum));
    // The loss is linear in gamma, and beta is 0.
    CHECK(to_gamma(0) * 2 - to_gamma(1) * 0.5 == doctest::Approx(loss()));
  };
  compare(over_batch);
  compare(over_row);
}

TEST_CASE("layer_normalization: every row") {
  nn::layer_normalization<double, 4> layer;
  layer.initialize(0);
  layer.gamma.assign(jig::tensor<double, 4>{1, 2, 3, 4});
  layer.beta.assign(jig::tensor<double, 4>{0.5, 0, 0, -0.5});
  const jig::tensor<double, 2, 4> x{{1, 2, 3, 10}, {5, 5, 5, 5}};
  const auto y = apply(layer, x, jig::lit<true>);
  const double variance = (9 + 4 + 1 + 36) / 4.0, above[] = {-3, -2, -1, 6}, beta[] = {0.5, 0, 0, -0.5};
  for (jig::index c = 0; c < 4; ++c) {
    CHECK(y(0, c) == doctest::Approx(above[c] / std::sqrt(variance + 1e-3) * static_cast<double>(c + 1) + beta[c]));
    CHECK(y(1, c) == beta[c]);
  }
}

TEST_CASE("normalisations: descriptions") {
  static_assert(
      std::is_same_v<nn::layers::batch_normalization<0.9>::layer<jig::spec<float, 7, 3>>, nn::batch_normalization<float, 3, 0.9>>);
  static_assert(std::is_same_v<nn::layers::layer_normalization<>::layer<jig::spec<double, 7>>, nn::layer_normalization<double, 7>>);
  static_assert(nn::layers::batch_normalization<>::refusal({1, {3}}).length == 0);
  CHECK(nn::layers::layer_normalization<>::refusal({}).view() == "samples of at least one axis");
}

}  // namespace
