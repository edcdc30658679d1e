// SPDX-License-Identifier: MIT
// expect-error: Mul: a literal of another
// expect-error: int32
// expect-error: jig::cast
#include <jig.hpp>

constexpr auto half = jig::function<"half(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::cast<float>(x) * 0.5;
#else
  return x * 0.5;
#endif
});

int main() { return static_cast<int>(half(jig::tensor<int, 3>())(0)); }
