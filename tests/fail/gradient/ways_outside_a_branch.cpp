// SPDX-License-Identifier: MIT
// expect-error: f: gradient: inside a branch
// expect-error: or loop the target depends on
// expect-error: what was computed from the
#include <jig.hpp>

int main() {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto y = x * x;
#ifdef JIG_CONTROL
    auto g = jig::gradient(y * x, x);
    if (x > 0) return g;
#else
    if (x > 0) return jig::gradient(y * x, x);
#endif
    return x;
  });
  return static_cast<int>(f(2.0f)());
}
