// SPDX-License-Identifier: MIT
#include <jig/nn/binary_crossentropy.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

constexpr auto both = jig::function<"f(y, p)">(
    [](auto y, auto p) { return std::tuple(jig::nn::binary_crossentropy(y, p), jig::nn::binary_crossentropy.from_logits()(y, p)); });
constexpr auto slope =
    jig::function<"f(y, x)">([](auto y, auto x) { return jig::gradient(jig::nn::binary_crossentropy.from_logits()(y, x), x); });

TEST_CASE("binary_crossentropy: by hand") {
  const jig::tensor<double, jig::dyn, 2> y{{0, 1}, {0.25, 1}}, p{{0.1, 0.6}, {0.5, 0.875}};
  const auto [of_probabilities, of_logits] = both(y, p);
  for (int i = 0; i < 2; ++i) {
    double expected = 0, expected_of_logits = 0;
    for (int k = 0; k < 2; ++k) {
      const double q = 1 / (1 + std::exp(-p(i, k)));
      expected -= (y(i, k) * std::log(p(i, k)) + (1 - y(i, k)) * std::log(1 - p(i, k))) / 2;
      expected_of_logits -= (y(i, k) * std::log(q) + (1 - y(i, k)) * std::log(1 - q)) / 2;
    }
    CHECK(of_probabilities(i) == doctest::Approx(expected));
    CHECK(of_logits(i) == doctest::Approx(expected_of_logits));
  }
}

TEST_CASE("binary_crossentropy: probabilities of 0 and 1, large logits, labels without the last axis, integers") {
  const jig::tensor<int, jig::dyn> y{1, 0, 1, 0};
  const auto [of_probabilities, of_logits] = both(y, jig::tensor<double, jig::dyn, 1>{{0}, {1}, {1}, {1000}});
  CHECK(of_probabilities(0) == doctest::Approx(-std::log(1e-7)));
  CHECK(of_probabilities(1) == doctest::Approx(-std::log(1e-7)));
  CHECK(of_probabilities(2) == doctest::Approx(1e-7));
  CHECK(of_logits(3) == 1000);
  const auto g = slope(jig::tensor<int, 3>{1, 1, 0}, jig::tensor<double, 3, 1>{{-1000}, {0.5}, {-1000}});
  CHECK((g(0, 0) == -1 && g(2, 0) == 0));
  CHECK(g(1, 0) == doctest::Approx(1 / (1 + std::exp(-0.5)) - 1));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isnan(std::get<1>(both(y, jig::tensor<double, jig::dyn, 1>{{nan}, {0}, {0}, {0}}))(0)));
}

}  // namespace
