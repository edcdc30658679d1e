// SPDX-License-Identifier: MIT
// expect-error: f: the lambda cannot be called with 1 argument: (float32 shape=(3,)): it needs as many
#include <jig.hpp>

constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return x + y; });
int main() {
  jig::tensor<float, 3> x{1, 2, 3};
#ifdef JIG_CONTROL
  (void)f(x, x);
#else
  (void)f(x);
#endif
}
