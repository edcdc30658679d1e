// SPDX-License-Identifier: MIT
// expect-error: jig::tensor<float,
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  jig::tensor<float, jig::dyn> y = f(std::vector<float>{1, 2, 3});
  return int(y(0));
#else
  std::vector<float> y = f(std::vector<float>{1, 2, 3});
  return int(y[0]);
#endif
}
