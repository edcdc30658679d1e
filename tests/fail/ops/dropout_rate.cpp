// SPDX-License-Identifier: MIT
// expect-error: dropout: the rate must be at l
// expect-error: less than 1
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::dropout<0.99>(x, 1) * 2;
#else
  return jig::dropout<1>(x, 1) * 2;
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 3>())(0)); }
