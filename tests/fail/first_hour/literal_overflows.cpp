// SPDX-License-Identifier: MIT
// expect-error: f: the literal 3000000000 does not fit dtype int32
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x * 300000000;
#else
  return x * 3000000000;
#endif
});

int main() { (void)f(std::vector<int>{1}); }
