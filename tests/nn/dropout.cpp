// SPDX-License-Identifier: MIT
#include <jig/nn/dropout.hpp>

#include <doctest/doctest.h>

namespace {

using layer_t = jig::nn::dropout<0.25>;
constexpr auto apply = jig::function<"apply(layer, x, training)">([](auto& layer, auto x, auto training) { return layer(x, training); });

int dropped(const jig::tensor<float, 1000>& y) {
  int zeros = 0, wrong = 0;
  for (float v : y) {
    zeros += v == 0;
    wrong += v != 0 && v != doctest::Approx(1 / 0.75f);
  }
  CHECK(wrong == 0);
  return zeros;
}

TEST_CASE("dropout: drops in training only, others in every call") {
  const auto x = jig::ones<float, 1000>();
  layer_t layer, other;
  layer.initialize(3);
  other.initialize(3);
  const jig::tensor<float, 1000> first = apply(layer, x, jig::lit<true>), second = apply(layer, x, jig::lit<true>);
  for (const auto* y : {&first, &second}) {
    CHECK(dropped(*y) > 200);
    CHECK(dropped(*y) < 300);
  }
  int differ = 0, same = 0;
  const auto again = apply(other, x, jig::lit<true>);
  for (jig::index i = 0; i < 1000; ++i) {
    differ += first(i) != second(i);
    same += first(i) == again(i);
  }
  CHECK(differ > 200);
  CHECK(same == 1000);
  for (float y : apply(layer, x, jig::lit<false>)) CHECK(y == 1);
  CHECK(layer.seeds.counter.value()() == 5);
}

}  // namespace
