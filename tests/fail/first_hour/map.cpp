// SPDX-License-Identifier: MIT
// expect-error: std::.*map<int, float.*>: its elements do not lie in one piece of memory
#include <jig.hpp>

#include <map>
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  std::vector<float> x{};
#else
  std::map<int, float> x{};
#endif
  (void)f(x);
}
