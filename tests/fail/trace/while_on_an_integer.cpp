// SPDX-License-Identifier: MIT
// expect-error: a condition must be a scalar
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  JIG_WHILE(x > 0) { x = x - 1; }
#else
  JIG_WHILE(x) { x = x - 1; }
#endif
  return x;
});

int main() { return f(3)(); }
