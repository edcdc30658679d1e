// SPDX-License-Identifier: MIT
// expect-error: summary_scalar: expected a scalar
// expect-error: float32 (3,)
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  jig::summary_scalar("x", jig::reduce_sum(x), 1);
#else
  jig::summary_scalar("x", x, 1);
#endif
  return x;
});

int main() { f(jig::tensor<float, 3>{1, 2, 3}); }
