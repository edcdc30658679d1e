// SPDX-License-Identifier: MIT
#include <jig/nn/embedding.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

constexpr auto apply = jig::function<"apply(layer, x)">([](auto& layer, auto x) { return layer(x); });

TEST_CASE("embedding: rows of the table") {
  jig::nn::embedding<5, 3> layer;
  layer.initialize(1);
  const auto& table = layer.embeddings.value();
  float largest = 0;
  for (float w : table) largest = std::max(largest, std::abs(w));
  CHECK((largest > 0.03f && largest <= 0.05f));
  const jig::tensor<int, jig::dyn, 2> x{{4, 0}, {0, 2}};
  const auto y = apply(layer, x);
  CHECK(y.shape() == jig::shape{3, {2, 2, 3}});
  int wrong = 0;
  for (jig::index i = 0; i < 12; ++i) wrong += y(i / 6, i / 3 % 2, i % 3) != table(x(i / 6, i / 3 % 2), i % 3);
  CHECK(wrong == 0);
  CHECK_THROWS_AS(apply(layer, jig::tensor<int, jig::dyn, 2>{{5, 0}}), jig::invalid_argument);
  CHECK(apply(layer, jig::tensor<int, jig::dyn, 2>(0)).size() == 0);
}

}  // namespace
