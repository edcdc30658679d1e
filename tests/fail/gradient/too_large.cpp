// SPDX-License-Identifier: MIT
// expect-error: f: its gradients take more than the
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
  auto y = x;
#ifdef JIG_CONTROL
  for ([[maybe_unused]] auto i : jig::range(0, 60, jig::beside(x))) {
#else
  for ([[maybe_unused]] auto i : jig::range(0, 60)) {
#endif
    JIG_IF(y > 0) y = y - 1;
    JIG_ELSE y = y * 2;
  }
  return jig::gradient(y, x);
});

int main() { return f(-1.0f)() > 0 ? 0 : 1; }
