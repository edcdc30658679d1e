// SPDX-License-Identifier: MIT
// expect-error: add: the lambda cannot be
#include <jig.hpp>

constexpr auto add = jig::function<"add(x, y)">([](auto x, auto y) { return x + y; });

int main() {
  jig::tensor<float, 3> x;
#ifdef JIG_CONTROL
  return static_cast<int>(add(x, x)(0));
#else
  return static_cast<int>(add(x)(0));
#endif
}
