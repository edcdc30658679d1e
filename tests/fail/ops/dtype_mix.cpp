// SPDX-License-Identifier: MIT
// expect-error: Mul: dtypes differ
// expect-error: jig::cast
// expect-error: float32
// expect-error: float64
#include <jig.hpp>

constexpr auto scaled = jig::function<"scaled(x, y)">([](auto x, auto y) {
#ifdef JIG_CONTROL
  return jig::cast<double>(x) * y - 1;
#else
  return x * y - 1;
#endif
});

int main() { return static_cast<int>(scaled(jig::tensor<float, 3>(), jig::tensor<double, 3>())(0)); }
