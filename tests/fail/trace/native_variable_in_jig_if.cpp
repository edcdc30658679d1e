// SPDX-License-Identifier: MIT
// expect-error: f: a C++ variable changes
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto best = jig::constant_like(x, 0);
#else
  float best = 0;
#endif
  JIG_IF(x > 1) {
    best = 5;
  } JIG_ELSE {
    best = 7;
  }
  return x + best;
});

int main() { return f(0.0f)() == 7 ? 0 : 1; }
