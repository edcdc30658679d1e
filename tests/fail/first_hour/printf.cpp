// SPDX-License-Identifier: MIT
// expect-error: what_a_traced_lambda_does_must_be_constexpr
#include <cstdio>
// at most with clang: 56
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  jig::print(x);
  return x;
#else
  std::printf("%f", x);
  return x;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
