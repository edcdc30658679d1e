// SPDX-License-Identifier: MIT
// expect-error: helper
// expect-error: what_a_traced_lambda_does_must_be_constexpr
#include <jig.hpp>

template <class X>
#ifdef JIG_CONTROL
constexpr auto helper(const X& x) {
#else
auto helper(const X& x) {
#endif
  return x * 2 + 1;
}

constexpr auto f = jig::function<"f(x)">([](auto x) { return helper(x); });

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
