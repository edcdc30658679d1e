// SPDX-License-Identifier: MIT
#include <jig/nn/dropout.hpp>

#include <doctest/doctest.h>

namespace {

constexpr auto train = jig::function<"train(x, seed)">([](auto x, auto seed) { return jig::nn::dropout<0.25>()(x, seed); });
constexpr auto use = jig::function<"use(x)">([](auto x) { return jig::nn::dropout<0.25>()(x); });

TEST_CASE("dropout: drops in training only") {
  const auto x = jig::ones<float, 1000>();
  int dropped = 0;
  for (float y : train(x, 3)) {
    CHECK((y == 0 || y == doctest::Approx(1 / 0.75f)));
    dropped += y == 0;
  }
  CHECK(dropped > 200);
  CHECK(dropped < 300);
  for (float y : use(x)) CHECK(y == 1);
}

}  // namespace
