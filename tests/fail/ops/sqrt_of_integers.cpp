// SPDX-License-Identifier: MIT
// expect-error: Sqrt: the dtype must be
// expect-error: floating, use jig::cast
// expect-error: int32 (3,)
#include <jig.hpp>

int main() {
  jig::tensor<int, 3> x;
#ifdef JIG_CONTROL
  auto y = jig::sqrt(jig::cast<float>(x));
#else
  auto y = jig::sqrt(x);
#endif
  return static_cast<int>(y(0));
}
