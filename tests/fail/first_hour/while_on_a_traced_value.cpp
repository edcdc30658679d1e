// SPDX-License-Identifier: MIT
// expect-error: f: more than 64 ways.*loops with jig::range or JIG_WHILE
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto s = x;
  JIG_WHILE(s < 100) s *= 2;
  return s;
#else
  auto s = x;
  while (s < 100) s *= 2;
  return s;
#endif
});

int main() { (void)f(3); }
