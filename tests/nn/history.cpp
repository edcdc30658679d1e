// SPDX-License-Identifier: MIT
#include <jig/nn/history.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace {

TEST_CASE("history: numbers of all epochs") {
  jig::nn::history h;
  CHECK((h.size() == 0 && h["loss"].empty()));
  for (int i = 0; i < 3; ++i) {
    jig::nn::logs l;
    l.set("loss", i);
    h.add(l);
  }
  CHECK(h["loss"] == std::vector<double>{0, 1, 2});
  CHECK(h.epoch(1)["loss"] == 1);
  // What it gives is no copy: two calls are ends of the same numbers.
  CHECK(*std::min_element(h["loss"].begin(), h["loss"].end()) == 0);
  CHECK_THROWS_AS(h["accuracy"], jig::invalid_argument);
}

}  // namespace
