// SPDX-License-Identifier: MIT
// expect-error: a traced lambda must not
// expect-error: what varies has to
#include <jig.hpp>

int main() {
  float scale = 3;
#ifdef JIG_CONTROL
  auto f = jig::function<"f(x, scale)">([](auto x, auto s) { return x * s; });
  return static_cast<int>(f(jig::tensor<float, 2>{1, 2}, scale)(0));
#else
  auto f = jig::function<"f(x)">([scale](auto x) { return x * scale; });
  return static_cast<int>(f(jig::tensor<float, 2>{1, 2})(0));
#endif
}
