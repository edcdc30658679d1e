// SPDX-License-Identifier: MIT
// expect-error: jig::tensor: the element type must be float, double, an integer, bool or std::string
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  jig::tensor<double, 3> x;
#else
  jig::tensor<long double, 3> x;
#endif
  return static_cast<int>(x.size());
}
