// SPDX-License-Identifier: MIT
#include <jig/nn/categorical_crossentropy.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

constexpr auto dense = jig::function<"f(y, p)">([](auto y, auto p) {
  return std::tuple(jig::nn::categorical_crossentropy(y, p), jig::nn::categorical_crossentropy.from_logits()(y, p));
});
constexpr auto sparse = jig::function<"f(y, p)">([](auto y, auto p) {
  return std::tuple(jig::nn::sparse_categorical_crossentropy(y, p), jig::nn::sparse_categorical_crossentropy.from_logits()(y, p));
});

const jig::tensor<double, jig::dyn, 3> predictions{{0.5, 0.25, 0.25}, {1, 2, 5}, {0, 1, 0}};

TEST_CASE("categorical_crossentropy: by hand") {
  const jig::tensor<double, jig::dyn, 3> y{{0, 0.25, 0.75}, {1, 0, 0}, {1, 0, 0}};
  const auto [of_probabilities, of_logits] = dense(y, predictions);
  const auto [of_classes, of_classes_and_logits] = sparse(jig::tensor<int, jig::dyn>{2, 0, 0}, predictions);
  for (int i = 0; i < 3; ++i) {
    double sum = 0, exponentials = 0, expected = 0, expected_of_logits = 0;
    for (int k = 0; k < 3; ++k) sum += predictions(i, k), exponentials += std::exp(predictions(i, k));
    for (int k = 0; k < 3; ++k) {
      expected -= y(i, k) * std::log(std::min(std::max(predictions(i, k) / sum, 1e-7), 1 - 1e-7));
      expected_of_logits -= y(i, k) * (predictions(i, k) - std::log(exponentials));
    }
    CHECK(of_probabilities(i) == doctest::Approx(expected));
    CHECK(of_logits(i) == doctest::Approx(expected_of_logits));
    if (i > 0) {
      CHECK(of_classes(i) == doctest::Approx(expected));
      CHECK(of_classes_and_logits(i) == doctest::Approx(expected_of_logits));
    }
  }
  CHECK(of_classes(0) == doctest::Approx(-std::log(0.25)));
}

TEST_CASE("sparse_categorical_crossentropy: labels with an axis of 1, and some that are no class") {
  const auto [of_classes, of_logits] = sparse(jig::tensor<int, jig::dyn, 1>{{1}, {-1}, {3}}, predictions);
  CHECK(of_classes(0) == doctest::Approx(-std::log(0.25)));
  CHECK((of_classes(1) == 0 && of_classes(2) == 0 && of_logits(1) == 0 && of_logits(2) == 0));
}

}  // namespace
