// SPDX-License-Identifier: MIT
// expect-error: a tensor cannot become a traced value: begin with jig::zeros_like
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto y = x * 2;
  return y;
#else
  jig::tensor<float, 3> y;
  y = x * 2;
  return y;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
