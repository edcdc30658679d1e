// SPDX-License-Identifier: MIT
// expect-error: mean
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::reduce_mean(x);
#else
  return jig::mean(x);
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
