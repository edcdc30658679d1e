// SPDX-License-Identifier: MIT
// expect-error: f: more than 64 ways.*loops with jig::range or JIG_WHILE
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto s = x;
  for (auto i : jig::range(0, x)) s += i;
  return s;
#else
  auto s = x;
  for (int i = 0; i < x; ++i) s += i;
  return s;
#endif
});

int main() { (void)f(3); }
