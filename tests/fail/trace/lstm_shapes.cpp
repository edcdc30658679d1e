// SPDX-License-Identifier: MIT
// expect-error: lstm: expected \[batch, time, in\], a kernel \[in, 4 units\], a recurrent kernel \[units, 4 units\] and a bias \[4 units\]
// expect-error: given (2, 7, 3), (3, 20), (4, 20) and (20,)
#include <jig.hpp>

constexpr auto last = jig::function<"last(x, w, u, b)">([](auto x, auto w, auto u, auto b) { return jig::lstm(x, w, u, b); });

int main() {
  jig::tensor<float, 2, 7, 3> x;
  jig::tensor<float, 3, 20> w;
#ifdef JIG_CONTROL
  jig::tensor<float, 5, 20> u;
#else
  jig::tensor<float, 4, 20> u;
#endif
  jig::tensor<float, 20> b;
  return static_cast<int>(last(x, w, u, b)(0, 0));
}
