// SPDX-License-Identifier: MIT
#include <jig.hpp>

// Linked with a second unit that includes the same: nothing may be defined twice.
float from_second_unit();

int main() {
  constexpr auto twice = jig::function<"twice(x)">([](auto x) { return x + x; });
  return twice(2.0f)() == from_second_unit() ? 0 : 1;
}
