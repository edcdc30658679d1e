// SPDX-License-Identifier: MIT
// expect-error: AddV2: shapes do not broadcast: float32 (3,) and float32 (2,)
#include <jig.hpp>

#include <iostream>
constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) { return x + y; });
int main() {
#ifdef JIG_CONTROL
  std::cout << f(jig::tensor<float, 3>{1, 2, 3}, jig::tensor<float, 3>{1, 2, 3}) << '\n';
#else
  std::cout << f(jig::tensor<float, 3>{1, 2, 3}, jig::tensor<float, 2>{1, 2}) << '\n';
#endif
}
