// SPDX-License-Identifier: MIT
// expect-error: Mul: shapes do not broadcast: float32 (2, 3) and float32 (3, 2)
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::matmul(x, jig::transpose(x));
#else
  return x * jig::transpose(x);
#endif
});

int main() { (void)f(jig::tensor<float, 2, 3>{}); }
