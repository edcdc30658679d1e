// SPDX-License-Identifier: MIT
#include <jig/eval/maths/error_function.hpp>

#include "../../maths_checks.hpp"

namespace {

// Bits, since -0 equals 0.
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr double some[] = {0.0, 1e-300, 1e-20, 0.3, 2.0, 40.0};

}  // namespace

TEST_CASE("error functions are at most 4 ulp off, and right where there are no digits") { for_each_error_function(compare_both); }

TEST_CASE_TEMPLATE("a number gives the same beside others that are computed in another way", T, float, double) {
  same_beside_others<T>([](const auto& v) { return jig::maths::erf(v); });
  same_beside_others<T>([](const auto& v) { return jig::maths::erfc(v); });
}

TEST_CASE("erf is odd to the last digit") {
  for (double x : some) CHECK(bits(jig::maths::erf(-x)) == bits(-jig::maths::erf(x)));
}
