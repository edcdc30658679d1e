// SPDX-License-Identifier: MIT
// expect-error: f: every way through the body
// expect-error: if instead
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  for (auto i : jig::range(x))
    if (i > 2) return i;
#else
  for (auto i : jig::range(x)) return i;
#endif
  return x;
});

int main() { return f(3)(); }
