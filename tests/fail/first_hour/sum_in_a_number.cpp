// SPDX-License-Identifier: MIT
// expect-error: a C++ number cannot become a traced value
// expect-error: jig::constant_like(x, 0)
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto s = jig::constant_like(x, 0.f);
  for (int i = 0; i < 3; ++i) s += x[i];
  return s;
#else
  float s = 0;
  for (int i = 0; i < 3; ++i) s += x[i];
  return s;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
