// SPDX-License-Identifier: MIT
// expect-error: AddV2: shapes do not
// expect-error: float32 (2, 3)
// expect-error: float32 (2,)
#include <jig.hpp>

int main() {
  jig::tensor<float, 2, 3> x;
#ifdef JIG_CONTROL
  jig::tensor<float, 3> y;
#else
  jig::tensor<float, 2> y;
#endif
  auto z = (x + y) * 2.0f;
  return static_cast<int>(z(0, 0));
}
