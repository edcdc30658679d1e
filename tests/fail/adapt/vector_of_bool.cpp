// SPDX-License-Identifier: MIT
// expect-error: std::vector<bool> has no addressable elements
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return !x; });

int main() {
#ifdef JIG_CONTROL
  jig::tensor<bool, jig::dyn> x{true, false};
#else
  std::vector<bool> x{true, false};
#endif
  return f(x)(0);
}
