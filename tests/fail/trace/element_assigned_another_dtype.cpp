// SPDX-License-Identifier: MIT
// expect-error: an element or part of spec
// expect-error: jig::cast
#include <jig.hpp>

constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
#ifdef JIG_CONTROL
  x[0] = jig::cast<float>(y);
#else
  x[0] = y;
#endif
  return x;
});

int main() { return static_cast<int>(f(jig::tensor<float, 2>{1, 2}, jig::tensor<double>(3.0))(0)); }
