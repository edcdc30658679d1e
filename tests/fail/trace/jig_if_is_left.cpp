// SPDX-License-Identifier: MIT
// expect-error: f: JIG_IF cannot be left by
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  if (x > 2) return x;
#else
  JIG_IF(x > 2) {
    return x;
  }
#endif
  return x * 2;
});

int main() { return f(3)(); }
