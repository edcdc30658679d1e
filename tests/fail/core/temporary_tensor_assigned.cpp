// SPDX-License-Identifier: MIT
// expect-error: discards qualifiers\|no viable overloaded
// at most: 30
// at most with clang: 60
#include <jig/core/tensor.hpp>

int main() {
  jig::tensor<float, 2> x, y;
#ifdef JIG_CONTROL
  x = y;
#else
  jig::tensor<float, 2>() = y;
#endif
  return static_cast<int>(x(0));
}
