// SPDX-License-Identifier: MIT
#include <jig/eval/maths/root.hpp>

#include "../../maths_checks.hpp"

TEST_CASE("roots are at most 4 ulp off, and right where there are no digits") { for_each_root(compare_both); }

TEST_CASE("roots of floats are exact where they are floats") {
  using batch = jig::simd::batch<float>;
  for (int i = 0; i < 4000; ++i) {
    const float root = static_cast<float>(i);
    CHECK(jig::maths::sqrt(root * root) == root);
    CHECK(jig::maths::sqrt(batch(root * root * 0x1p-120f)).get(0) == root * 0x1p-60f);
  }
  CHECK(jig::maths::rsqrt(4.0f) == 0.5f);
}
