// SPDX-License-Identifier: MIT
// expect-error: std::.*list<float.*>: its elements do not lie in one piece of memory
#include <jig.hpp>

#include <list>
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  std::vector<float> x{};
#else
  std::list<float> x{};
#endif
  (void)f(x);
}
