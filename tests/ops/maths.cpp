// SPDX-License-Identifier: MIT
#include <jig/ops/maths.hpp>

#include "../maths_checks.hpp"

#include <type_traits>

// The library's functors are these functions.
static_assert(std::is_base_of_v<jig::maths::function<jig::ops::exp>, jig::functor<jig::ops::exp>>);
static_assert(!std::is_base_of_v<jig::maths::function<jig::ops::add>, jig::functor<jig::ops::add>>);

TEST_CASE("a single number gives what every number of a batch gives") {
  for (float x : samples<float>()) {
    const float one = jig::maths::exp(x), many = jig::maths::exp(jig::simd::batch<float>(x)).get(0);
    CHECK((one == many || x != x));
  }
}
