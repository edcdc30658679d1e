// SPDX-License-Identifier: MIT
#include <jig.hpp>

float from_second_unit();
float from_second_unit() {
  constexpr auto twice = jig::function<"twice(x)">([](auto x) { return x + x; });
  return twice(2.0f)();
}
