// SPDX-License-Identifier: MIT
// expect-error: a condition must be a scalar of dtype bool, given bool (3,)
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::where(x > 0, x, -x);
#else
  return x > 0 ? x : -x;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
