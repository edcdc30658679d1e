// SPDX-License-Identifier: MIT
#include <jig/nn/regression_losses.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

constexpr auto losses = jig::function<"f(y, p)">([](auto y, auto p) {
  return std::tuple(jig::nn::mse(y, p), jig::nn::mae(y, p), jig::nn::huber(y, p), jig::nn::huber.delta<0.5>()(y, p));
});

double huber(double error, double delta) {
  return std::abs(error) <= delta ? error * error / 2 : delta * std::abs(error) - delta * delta / 2;
}

TEST_CASE("regression losses: by hand") {
  const jig::tensor<double, jig::dyn, 3> y{{1, 2, 3}, {0, -1, 0}}, p{{1, 2.75, 0}, {1, -1.25, 100}};
  const auto [squared, absolute, wide, narrow] = losses(y, p);
  for (int i = 0; i < 2; ++i) {
    double expected[4] = {};
    for (int k = 0; k < 3; ++k) {
      const double error = p(i, k) - y(i, k);
      expected[0] += error * error / 3;
      expected[1] += std::abs(error) / 3;
      expected[2] += huber(error, 1) / 3;
      expected[3] += huber(error, 0.5) / 3;
    }
    CHECK(squared(i) == doctest::Approx(expected[0]));
    CHECK(absolute(i) == doctest::Approx(expected[1]));
    CHECK(wide(i) == doctest::Approx(expected[2]));
    CHECK(narrow(i) == doctest::Approx(expected[3]));
  }
}

TEST_CASE("regression losses: a number for each sample is not broadcast along the batch") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto [squared, absolute, wide, narrow] =
      losses(jig::tensor<int, jig::dyn>{1, 2, 3}, jig::tensor<double, jig::dyn, 1>{{1.5}, {0}, {nan}});
  CHECK(squared.size() == 3);
  CHECK((squared(0) == 0.25 && absolute(1) == 2 && wide(1) == 1.5 && narrow(1) == 0.875));
  CHECK((std::isnan(squared(2)) && std::isnan(wide(2))));
  const auto [of_rows, more, and_more, last] = losses(jig::tensor<double, jig::dyn, 1>{{1}, {2}}, jig::tensor<double, jig::dyn>{2, 5});
  CHECK((of_rows(0) == 1 && of_rows(1) == 9 && of_rows.size() == 2));
}

}  // namespace
