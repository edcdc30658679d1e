// SPDX-License-Identifier: MIT
// expect-error: integers of rank 0
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  x(jig::all, 1) = 1;
#else
  x(jig::all, 1, 0) = 1;
#endif
  return x;
});

int main() { return static_cast<int>(f(jig::tensor<float, 2, 2>())(0, 0)); }
