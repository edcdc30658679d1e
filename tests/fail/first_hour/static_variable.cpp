// SPDX-License-Identifier: MIT
// expect-error: what_a_traced_lambda_does_must_be_constexpr\|static
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x * 2;
#else
  static int n = 0;
  ++n;
  return x * n;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
