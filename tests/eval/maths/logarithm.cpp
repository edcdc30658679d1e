// SPDX-License-Identifier: MIT
#include <jig/eval/maths/logarithm.hpp>

#include "../../maths_checks.hpp"

TEST_CASE("logarithms are at most 4 ulp off, and right where there are no digits") { for_each_logarithm(compare_both); }

TEST_CASE_TEMPLATE("a number gives the same beside others that are computed in another way", T, float, double) {
  same_beside_others<T>([](const auto& v) { return jig::maths::log(v); });
}
