// SPDX-License-Identifier: MIT
// expect-error: this argument is neither a
// expect-error: do not lie in one piece
#include <jig.hpp>

#include <map>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2 + 1; });

int main() {
#ifdef JIG_CONTROL
  std::vector<float> x(3);
#else
  std::map<int, float> x;
#endif
  return static_cast<int>(f(x)(0));
}
