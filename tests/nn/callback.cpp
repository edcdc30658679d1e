// SPDX-License-Identifier: MIT
#include <jig/nn/callback.hpp>

#include <doctest/doctest.h>

namespace {

TEST_CASE("logs: numbers by name in the order they came") {
  jig::nn::logs l;
  CHECK_THROWS_WITH_AS(l["loss"], "there are no numbers yet", jig::invalid_argument);
  l.set("loss", 1);
  l.set("accuracy", 2);
  l.set("loss", 3);
  CHECK((l.size() == 2 && l["loss"] == 3 && l["accuracy"] == 2 && l.begin()->first == "loss"));
  CHECK((l.contains("accuracy") && !l.contains("acc")));
  CHECK_THROWS_WITH_AS(l["acc"], "there is no 'acc' among loss, accuracy", jig::invalid_argument);
}

}  // namespace
