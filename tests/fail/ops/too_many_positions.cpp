// SPDX-License-Identifier: MIT
// expect-error: positions are integers of rank 0
#include <jig.hpp>

int main() {
  jig::tensor<float, 2, 2> x;
#ifdef JIG_CONTROL
  x(jig::all, 1) = 1;
#else
  x(jig::all, 1, 0) = 1;
#endif
  return static_cast<int>(x(0, 0));
}
