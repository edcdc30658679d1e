// SPDX-License-Identifier: MIT
#include <jig/nn/dense.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

constexpr auto apply = jig::function<"apply(layer, x)">([](auto& layer, auto x) { return layer(x); });

TEST_CASE("dense: x kernel + bias") {
  jig::nn::dense<double, 3, 2> layer;
  layer.kernel.assign(jig::tensor<double, 3, 2>{{1, 2}, {3, 4}, {5, 6}});
  layer.bias.assign(jig::tensor<double, 2>{10, 20});
  const auto y = apply(layer, jig::tensor<double, 1, 3>{{1, 0, 2}});
  CHECK((y(0, 0) == 21 && y(0, 1) == 34));
  CHECK(apply(layer, jig::tensor<double, jig::dyn, 3>{{0, 0, 0}, {1, 1, 1}})(1, 1) == 32);
  CHECK(apply(layer, jig::ones<double, 2, 2, 3>())(1, 1, 0) == 19);
}

TEST_CASE("dense: Keras' initialisers") {
  jig::nn::dense<float, 100, 50> layer, other;
  layer.bias.assign(jig::ones<float, 50>());
  layer.initialize(1);
  other.initialize(2);
  const double limit = std::sqrt(6.0 / 150);
  double sum = 0, squares = 0, largest = 0;
  for (float w : layer.kernel.value()) {
    sum += static_cast<double>(w);
    squares += static_cast<double>(w * w);
    largest = std::max(largest, std::abs(static_cast<double>(w)));
  }
  CHECK(largest <= limit);
  CHECK(largest > 0.99 * limit);
  CHECK(std::abs(sum / 5000) < 0.05 * limit);
  CHECK(squares / 5000 == doctest::Approx(limit * limit / 3).epsilon(0.05));
  CHECK(layer.kernel.value()(3, 4) != other.kernel.value()(3, 4));
  CHECK(layer.bias.value()(7) == 0);
}

}  // namespace
