// SPDX-License-Identifier: MIT
// expect-error: axis
// at most: 31
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  constexpr int axis = 0;
  return jig::reduce_sum<axis>(x);
#else
  int axis = 0;
  return jig::reduce_sum<axis>(x);
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
