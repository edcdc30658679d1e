// SPDX-License-Identifier: MIT
#include <jig/eval/maths/trigonometric.hpp>

#include "../../maths_checks.hpp"

namespace {

// Bits, since -0 equals 0.
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr double some[] = {0.0, 1e-300, 1e-20, 0.3, 2.0, 40.0};

}  // namespace

TEST_CASE("functions of angles, and their inverses, are at most 4 ulp off, and right where there are no digits") {
  for_each_trigonometric(compare_both);
}

TEST_CASE_TEMPLATE("angles of points are at most 4 ulp off, in all quadrants", T, float, double) {
  compare_pairs<T>(
      jig::functor<jig::ops::atan2>(), [](auto y, auto x) { return std::atan2(y, x); },
      [](double a, double b) { return std::pair(std::tan(a * 1.57), b * b * b); });
}

TEST_CASE("odd and even functions of angles are so to the last digit") {
  for (double x : some) {
    CHECK(bits(jig::maths::sin(-x)) == bits(-jig::maths::sin(x)));
    CHECK(bits(jig::maths::tan(-x)) == bits(-jig::maths::tan(x)));
    CHECK(jig::maths::cos(-x) == jig::maths::cos(x));
  }
}
