// SPDX-License-Identifier: MIT
// expect-error: reduce_sum
// at most: 28
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::reduce_sum<0>(x);
#else
  return jig::reduce_sum(x, 0);
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
