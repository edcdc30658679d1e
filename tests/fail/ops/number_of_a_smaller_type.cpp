// SPDX-License-Identifier: MIT
// expect-error: does not hold all that a scalar of this dtype may be
// expect-error: static_cast<float>
#include <jig.hpp>

int main() {
  jig::tensor<double> y(2);
#ifdef JIG_CONTROL
  double sum = 0;
#else
  float sum = 0;
#endif
  sum += y;
}
