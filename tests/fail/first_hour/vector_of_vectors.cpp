// SPDX-License-Identifier: MIT
// expect-error: its rows do not lie in one piece of memory
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  std::vector<float> x{};
#else
  std::vector<std::vector<float>> x{};
#endif
  (void)f(x);
}
