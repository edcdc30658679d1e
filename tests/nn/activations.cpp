// SPDX-License-Identifier: MIT
#include <jig/nn/activations.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

namespace activations = jig::nn::activations;

constexpr auto all = jig::function<"all(x)">([](auto x) {
  return std::tuple(activations::linear(x), activations::relu(x), activations::relu6(x), activations::leaky_relu(x), activations::elu(x),
                    activations::selu(x), activations::gelu(x), activations::silu(x), activations::sigmoid(x), activations::tanh(x),
                    activations::softplus(x), activations::softsign(x), activations::exponential(x), activations::softmax(x));
});

TEST_CASE("activations") {
  const jig::tensor<double, 1, 4> x{{-2, -0.5, 0.25, 7}};
  double total = 0;
  for (double v : x) total += std::exp(v);
  const auto y = all(x);
  for (jig::index i = 0; i < 4; ++i) {
    const double v = x(0, i), s = 1 / (1 + std::exp(-v));
    const double expected[] = {v,
                               std::max(v, 0.0),
                               std::min(std::max(v, 0.0), 6.0),
                               v > 0 ? v : 0.2 * v,
                               v > 0 ? v : std::expm1(v),
                               1.0507009873554805 * (v > 0 ? v : 1.6732632423543772 * std::expm1(v)),
                               v * 0.5 * std::erfc(-v / std::sqrt(2.0)),
                               v * s,
                               s,
                               std::tanh(v),
                               std::log1p(std::exp(v)),
                               v / (1 + std::abs(v)),
                               std::exp(v),
                               std::exp(v) / total};
    int k = 0, wrong = 0;
    std::apply([&](const auto&... part) { ((wrong += part(0, i) != doctest::Approx(expected[k++])), ...); }, y);
    CHECK(wrong == 0);
  }
}

}  // namespace
