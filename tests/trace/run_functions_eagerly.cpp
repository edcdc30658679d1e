// SPDX-License-Identifier: MIT
// The switch alone: these tests are compiled with JIG_NO_EAGER. tests/eager.cpp has functions that look at it.
#include <jig/trace/run_functions_eagerly.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <thread>

TEST_CASE("the switch is off, says what was set last, and is one for all threads") {
  CHECK_FALSE(jig::functions_run_eagerly());
  jig::run_functions_eagerly(true);
  CHECK(jig::functions_run_eagerly());
  bool seen = false;
  std::thread([&] {
    seen = jig::functions_run_eagerly();
    jig::run_functions_eagerly(false);
  }).join();
  CHECK(seen);
  CHECK_FALSE(jig::functions_run_eagerly());
}

TEST_CASE("with JIG_NO_EAGER functions run their graphs whatever it says") {
  static int runs = 0;
  static constexpr auto counted = jig::function([](auto x) {
    if (!std::is_constant_evaluated()) ++runs;
    return x + 1;
  });
  jig::run_functions_eagerly(true);
  CHECK(counted(1)() == 2);
  jig::run_functions_eagerly(false);
  CHECK(runs == 0);
}
