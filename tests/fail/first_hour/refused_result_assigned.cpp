// SPDX-License-Identifier: MIT
// expect-error: AddV2: shapes do not broadcast: float32 (3,) and float32 (2,)
#include <jig.hpp>

constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return x + y; });
int main() {
#ifdef JIG_CONTROL
  jig::tensor<float, 3> r = f(jig::tensor<float, 3>{1, 2, 3}, jig::tensor<float, 3>{1, 2, 3});
#else
  jig::tensor<float, 3> r = f(jig::tensor<float, 3>{1, 2, 3}, jig::tensor<float, 2>{1, 2});
#endif
  float v = f(jig::tensor<float, 3>{1, 2, 3}, jig::tensor<float, 3>{1, 2, 3})(0);
  return int(r(0) + v);
}
