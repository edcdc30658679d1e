// SPDX-License-Identifier: MIT
#include <jig/nn/initializers.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

template <class Tensor>
double check_uniform(const Tensor& x, double limit) {
  double sum = 0, squares = 0, largest = 0;
  for (auto w : x) {
    sum += static_cast<double>(w);
    squares += static_cast<double>(w * w);
    largest = std::max(largest, std::abs(static_cast<double>(w)));
  }
  const auto n = static_cast<double>(x.size());
  CHECK(largest <= limit);
  CHECK(largest > 0.99 * limit);
  CHECK(std::abs(sum / n) < 0.05 * limit);
  CHECK(squares / n == doctest::Approx(limit * limit / 3).epsilon(0.05));
  return largest;
}

TEST_CASE("initializers: limits") {
  check_uniform(jig::nn::uniform_within<float, 5000>(0.05, 1), 0.05);
  check_uniform(jig::nn::glorot_uniform<float, 100, 50>(2), std::sqrt(6.0 / 150));
  // The taps of a filter multiply the channels.
  check_uniform(jig::nn::glorot_uniform<double, 3, 3, 20, 30>(3), std::sqrt(6.0 / (9 * 50)));
}

TEST_CASE("initializers: the seed decides") {
  const auto a = jig::nn::glorot_uniform<float, 2, 3>(1), b = jig::nn::glorot_uniform<float, 2, 3>(1);
  const auto c = jig::nn::glorot_uniform<float, 2, 3>(2);
  CHECK(a(1, 2) == b(1, 2));
  CHECK(a(1, 2) != c(1, 2));
}

}  // namespace
