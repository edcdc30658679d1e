// SPDX-License-Identifier: MIT
// expect-error: a tensor has at most 8 axes
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  jig::tensor<float, 1, 1, 1, 1, 1, 1, 1, 2> x;
#else
  jig::tensor<float, 1, 1, 1, 1, 1, 1, 1, 1, 2> x;
#endif
  return static_cast<int>(x.size());
}
