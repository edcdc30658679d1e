// SPDX-License-Identifier: MIT
// expect-error: element: one position; a range goes into x\[range\], or into x(i, j) beside a position, a range or jig::all
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x[jig::range_of(0, 1)];
#else
  return jig::element(x, jig::range_of(0, 1));
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 2, 2>()).size()); }
