// SPDX-License-Identifier: MIT
// expect-error: jig::tensor: extents go without braces, x(rows, columns), and elements in one list for each axis
// at most: 8
#include <jig/core/tensor.hpp>

int main() {
  const jig::index rows = 2, columns = 3;
#ifdef JIG_CONTROL
  const jig::tensor<float, jig::dyn, jig::dyn> x(rows, columns);
#else
  const jig::tensor<float, jig::dyn, jig::dyn> x({rows, columns});
#endif
  const jig::tensor<float, jig::dyn, 1> y({{1}, {2}});
  return static_cast<int>(x(1, 2) + y(0, 0));
}
