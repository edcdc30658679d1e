// SPDX-License-Identifier: MIT
// expect-error: f: a C++ variable changes
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto n = jig::constant_like(x, 0);
#else
  int n = 0;
#endif
  for (auto i : jig::range(0, x)) {
    n += 1;
    (void)i;
  }
  return x + n;
});

int main() { return f(5)() - 10; }
