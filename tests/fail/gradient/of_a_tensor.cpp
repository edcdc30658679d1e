// SPDX-License-Identifier: MIT
// expect-error: gradient: the target must be
// expect-error: a traced value or variable of
// expect-error: a floating dtype, given a
#include <jig.hpp>

int main() {
  jig::tensor<float, 3> x{1, 2, 3};
#ifdef JIG_CONTROL
  auto g = jig::grad([](auto a) { return jig::reduce_sum(a * a); })(x);
#else
  auto g = jig::gradient(jig::reduce_sum(x * x), x);
#endif
  return static_cast<int>(g(0));
}
