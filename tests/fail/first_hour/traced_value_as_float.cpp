// SPDX-License-Identifier: MIT
// expect-error: auto_for_float
// at most with clang: 44
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto s = jig::reduce_sum(x);
  return x / s;
#else
  float s = jig::reduce_sum(x);
  return x / s;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
