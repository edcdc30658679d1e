// SPDX-License-Identifier: MIT
// expect-error: what_a_traced_lambda_does_must_be_constexpr
// at most with clang: 56
#include <jig.hpp>

float scale = 2;
constexpr float constant_scale = 2;
constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x * constant_scale;
#else
  return x * scale;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
