// SPDX-License-Identifier: MIT
#include <jig/nn/labels.hpp>

#include <doctest/doctest.h>

namespace {

using namespace jig::nn::detail;

TEST_CASE("labels and predictions: one dtype and one rank") {
  const jig::tensor<float, 2, 1> column{{1}, {2}};
  const jig::tensor<float, 2, 3> rows{{0, 1, 2}, {0.5f, -1, 1e-9f}};
  const jig::tensor<int, 2> numbers{3, 4};
  const jig::tensor<float, 2, 1> as_column = labels_like(numbers, column);
  CHECK((as_column(0, 0) == 3 && as_column(1, 0) == 4));
  const jig::tensor<float, 2> as_they_are = labels_like(numbers, rows);
  CHECK(as_they_are(1) == 4);
  const jig::tensor<int, 2, 1> classes{{5}, {6}};
  const jig::tensor<int, 2> without_axis = class_numbers(classes, rows);
  CHECK(without_axis(1) == 6);
  const jig::tensor<float, 2, 3> bounded = bounded_probabilities(rows);
  CHECK((bounded(0, 0) == 1e-7f && bounded(0, 2) == 1 - 1e-7f && bounded(1, 0) == 0.5f && bounded(1, 2) == 1e-7f));
  static_assert(extent_of_last<jig::tensor<float>> == 1 && extent_of_last<jig::tensor<float, 2, 3>> == 3);
}

}  // namespace
