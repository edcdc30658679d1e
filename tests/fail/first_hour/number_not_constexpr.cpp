// SPDX-License-Identifier: MIT
// expect-error: what_a_traced_lambda_does_must_be_constexpr
#include <jig.hpp>

float table(int i) { return float(i) * 2; }
constexpr float good_table(int i) { return float(i) * 2; }

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return good_table(3) * x;
#else
  return table(3) * x;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
