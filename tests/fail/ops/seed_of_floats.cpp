// SPDX-License-Identifier: MIT
// expect-error: StatelessRandomUniformV2: the
// expect-error: must be an integer
#include <jig.hpp>

int main() {
  jig::tensor<float, 3> x;
#ifdef JIG_CONTROL
  auto y = jig::random_uniform_like(x, 1);
#else
  auto y = jig::random_uniform_like(x, 1.5);
#endif
  return static_cast<int>(y(0));
}
