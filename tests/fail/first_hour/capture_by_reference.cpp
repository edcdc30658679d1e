// SPDX-License-Identifier: MIT
// expect-error: a traced lambda must not capture: what varies has to be an argument
#include <jig.hpp>

int main() {
  float scale = 2;
#ifdef JIG_CONTROL
  auto f = jig::function<"f(x, scale)">([](auto x, auto s) { return x * s; });
  (void)f(jig::tensor<float, 3>{1, 2, 3}, scale);
#else
  auto f = jig::function<"f(x)">([&](auto x) { return x * scale; });
  (void)f(jig::tensor<float, 3>{1, 2, 3});
#endif
}
