// SPDX-License-Identifier: MIT
// expect-error: f: gradient: one that goes
// expect-error: through a loop has none of
// expect-error: its own
#include <jig.hpp>

int main() {
  constexpr auto f = jig::function<"f(x)">([](auto x, auto n) {
    auto y = x;
    for (auto i : jig::range(n)) {
      (void)i;
      y = jig::sin(y);
    }
    auto g = jig::gradient(y, x);
#ifdef JIG_CONTROL
    return g;
#else
    return jig::gradient(g, x);
#endif
  });
  return static_cast<int>(f(2.0f, 3)());
}
