// SPDX-License-Identifier: MIT
// expect-error: MatMul: inner extents differ
// expect-error: float32 (2, 3)
// expect-error: (4, 5)
#include <jig.hpp>

constexpr auto dense = jig::function<"dense(x, w)">([](auto x, auto w) { return jig::tanh(jig::matmul(x, w)) + 1; });

int main() {
  jig::tensor<float, 2, 3> x;
#ifdef JIG_CONTROL
  jig::tensor<float, 3, 5> w;
#else
  jig::tensor<float, 4, 5> w;
#endif
  return static_cast<int>(dense(x, w)(0, 0));
}
