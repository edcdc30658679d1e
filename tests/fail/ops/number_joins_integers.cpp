// SPDX-License-Identifier: MIT
// expect-error: Mul: a number of dtype float64
// expect-error: int32
// expect-error: jig::cast
#include <jig.hpp>

constexpr auto scaled = jig::function<"scaled(x, factor)">([](auto x, auto factor) {
#ifdef JIG_CONTROL
  return jig::cast<float>(x) * factor;
#else
  return x * factor;
#endif
});

int main() { return static_cast<int>(scaled(jig::tensor<int, 3>(), 2.5)(0)); }
