// SPDX-License-Identifier: MIT
// expect-error: tensor<double, 3>
// at most with clang: 50
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  jig::tensor<float, 3> y = f(jig::tensor<float, 3>{1, 2, 3});
#else
  jig::tensor<double, 3> y = f(jig::tensor<float, 3>{1, 2, 3});
#endif
  return int(y(0));
}
