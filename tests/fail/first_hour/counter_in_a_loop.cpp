// SPDX-License-Identifier: MIT
// expect-error: f: a C++ variable changes
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto n = jig::constant_like(x, 0);
  for (auto i : jig::range(0, x))
    if (i % 2 == 0) n += 1;
  return n;
#else
  int n = 0;
  for (auto i : jig::range(0, x))
    if (i % 2 == 0) ++n;
  return n;
#endif
});

int main() { (void)f(3); }
