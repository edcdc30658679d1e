// SPDX-License-Identifier: MIT
#include <jig/nn/cross_entropy.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

constexpr auto dense = jig::function<"f(labels, logits)">([](auto l, auto x) { return jig::nn::softmax_cross_entropy_with_logits(l, x); });
constexpr auto sparse =
    jig::function<"f(labels, logits)">([](auto l, auto x) { return jig::nn::sparse_softmax_cross_entropy_with_logits(l, x); });
constexpr auto slope = jig::function<"f(labels, logits)">(
    [](auto l, auto x) { return jig::gradient(jig::nn::sparse_softmax_cross_entropy_with_logits(l, x), x); });

TEST_CASE("cross-entropy with logits") {
  const jig::tensor<double, 2, 3> logits{{1, 2, 3}, {-1, 0.5, 0}};
  const jig::tensor<double, 2, 3> labels{{0, 0.25, 0.75}, {1, 0, 0}};
  double expected[2] = {};
  for (int i = 0; i < 2; ++i) {
    double total = 0;
    for (int k = 0; k < 3; ++k) total += std::exp(logits(i, k));
    for (int k = 0; k < 3; ++k) expected[i] -= labels(i, k) * (logits(i, k) - std::log(total));
  }
  const auto y = dense(labels, logits);
  CHECK(y(0) == doctest::Approx(expected[0]));
  CHECK(y(1) == doctest::Approx(expected[1]));
  CHECK(sparse(jig::tensor<int, 2>{2, 0}, logits)(1) == doctest::Approx(expected[1]));
  CHECK(sparse(jig::tensor<int, jig::dyn>{2, 0}, jig::tensor<double, jig::dyn, 3>(logits))(1) == doctest::Approx(expected[1]));
}

TEST_CASE("cross-entropy with logits: large ones, and the gradient") {
  const jig::tensor<float, 1, 3> logits{{1000, 0, -1000}};
  CHECK(sparse(jig::tensor<int, 1>{0}, logits)(0) == 0);
  CHECK(sparse(jig::tensor<int, 1>{2}, logits)(0) == 2000);
  // The softmax without the labels.
  const auto g = slope(jig::tensor<int, 1>{2}, logits);
  CHECK((g(0, 0) == 1 && g(0, 1) == 0 && g(0, 2) == -1));
  const auto equal = slope(jig::tensor<int, 2>{0, 1}, jig::zeros<float, 2, 3>());
  CHECK(equal(1, 1) == doctest::Approx(-2 / 3.0));
  CHECK(equal(1, 2) == doctest::Approx(1 / 3.0));
}

}  // namespace
