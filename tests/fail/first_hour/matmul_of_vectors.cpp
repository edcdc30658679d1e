// SPDX-License-Identifier: MIT
// expect-error: MatMul
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::dot(x, x);
#else
  return jig::matmul(x, x);
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
