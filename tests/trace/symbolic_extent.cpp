// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

TEST_CASE("an extent is an int32 scalar, known or not") {
  static constexpr auto f = jig::function([](auto x) { return jig::extent<1>(x) * 10 + jig::extent<0>(x); });
  CHECK(f(jig::zeros<float, 2, 3>())() == 32);
  CHECK(f(jig::zeros<float, jig::dyn, 3>(5))() == 35);
  CHECK(f(jig::zeros<float, jig::dyn, jig::dyn>(5, 0))() == 5);
  static_assert(f.get_concrete_function(jig::spec<float, 2, 3>()).graph().count("Shape") == 0);
}

TEST_CASE("a copy of an extent may change, the extent stays") {
  static constexpr auto f = jig::function([](auto x) {
    jig::symbol<int> n = jig::extent<0>(x);
    auto m = jig::extent<0>(x);
    n = n + 1;
    return n * 100 + m;
  });
  CHECK(f(jig::zeros<float, 4>())() == 504);
}
