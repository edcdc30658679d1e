// SPDX-License-Identifier: MIT
// expect-error: BroadcastLike: dtypes differ, convert one with jig::cast: float32 .3,. and int32 .2, 3.
#include <jig.hpp>

int main() {
  jig::tensor<float, 3> x;
#ifdef JIG_CONTROL
  jig::tensor<float, 2, 3> y;
#else
  jig::tensor<int, 2, 3> y;
#endif
  auto z = jig::call<jig::ops::broadcast_like>(x, y);
  return static_cast<int>(z(0, 0));
}
