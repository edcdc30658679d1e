// SPDX-License-Identifier: MIT
// expect-error: jig::tensor: the element type must be a floating or integer type, bool or std::string
// at most: 38
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  jig::tensor<double, 3> x;
#else
  jig::tensor<long double, 3> x;
#endif
  return static_cast<int>(x.size());
}
