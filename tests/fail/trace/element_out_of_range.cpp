// SPDX-License-Identifier: MIT
// expect-error: StridedSlice
#include <jig.hpp>

constexpr auto f = jig::function<"f(x, i)">([](auto x, auto i) {
#ifdef JIG_CONTROL
  x(i, jig::lit<1>) = 1;
#else
  x(i, jig::lit<2>) = 1;
#endif
  return x;
});

int main() { return static_cast<int>(f(jig::tensor<float, 2, 2>(), 1)(0, 0)); }
