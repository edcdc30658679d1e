// SPDX-License-Identifier: MIT
// expect-error: Reshape
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::reshape<1, 3>(x);
#else
  return jig::reshape<2, 2>(x);
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
