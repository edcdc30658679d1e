// SPDX-License-Identifier: MIT
// expect-error: a literal of another kind cannot join a tensor of dtype int32
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x % 2;
#else
  return x % 2.5;
#endif
});

int main() { (void)f(std::vector<int>{1}); }
