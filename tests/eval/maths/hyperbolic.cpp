// SPDX-License-Identifier: MIT
#include <jig/eval/maths/hyperbolic.hpp>

#include "../../maths_checks.hpp"

namespace {

// Bits, since -0 equals 0.
std::uint64_t bits(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr double some[] = {0.0, 1e-300, 1e-20, 0.3, 2.0, 40.0};

}  // namespace

TEST_CASE("hyperbolic functions, and their inverses, are at most 4 ulp off, and right where there are no digits") {
  for_each_hyperbolic(compare_both);
}

TEST_CASE("tanh is odd to the last digit") {
  for (double x : some) CHECK(bits(jig::maths::tanh(-x)) == bits(-jig::maths::tanh(x)));
}
