// SPDX-License-Identifier: MIT
#include <jig/eval/maths/power.hpp>

#include "../../maths_checks.hpp"

TEST_CASE_TEMPLATE("powers are at most 4 ulp off, and right where there are no digits", T, float, double) {
  auto judge = [](auto x, auto y) { return std::pow(x, y); };
  constexpr double largest = std::numeric_limits<T>::max_exponent * 0.72;
  compare_pairs<T>(jig::functor<jig::ops::power>(), judge, [](double a, double b) {
    const double x = std::exp(a * a * a * largest);
    return std::pair(x, b * largest / std::abs(std::log(x)));
  });
  // Negative numbers to integral powers.
  compare_pairs<T>(jig::functor<jig::ops::power>(), judge,
                   [](double a, double b) { return std::pair(-std::exp(a), std::rint(b * largest)); });
}
