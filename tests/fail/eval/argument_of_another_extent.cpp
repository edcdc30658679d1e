// SPDX-License-Identifier: MIT
// expect-error: half: argument x: expected
// expect-error: shape=(3,)
// expect-error: shape=(4,)
#include <jig.hpp>

constexpr auto half = jig::function<"half(x)">([](auto x) { return x / 2; });
constexpr auto concrete = half.get_concrete_function(jig::spec<float, 3>{});

int main() {
#ifdef JIG_CONTROL
  jig::tensor<float, 3> x;
#else
  jig::tensor<float, 4> x;
#endif
  return static_cast<int>(concrete(x)(0));
}
