// SPDX-License-Identifier: MIT
// expect-error: DenseBincount: the values mu
// expect-error: st be integers
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::bincount<4>(jig::cast<int>(x));
#else
  return jig::bincount<4>(x);
#endif
});

int main() { return f(jig::tensor<float, 3>())(0); }
