// SPDX-License-Identifier: MIT
// expect-error: f: more than 64 ways
// expect-error: JIG_IF
#include <jig.hpp>

#ifdef JIG_CONTROL
#define IF JIG_IF
#else
#define IF if
#endif

constexpr auto f = jig::function<"f(x)">([](auto x) {
  auto y = x;
  IF(x % 2 == 0) { y = y + 2; }
  IF(x % 3 == 0) { y = y + 3; }
  IF(x % 4 == 0) { y = y + 4; }
  IF(x % 5 == 0) { y = y + 5; }
  IF(x % 6 == 0) { y = y + 6; }
  IF(x % 7 == 0) { y = y + 7; }
  IF(x % 8 == 0) { y = y + 8; }
  return y;
});

int main() { return f(3)(); }
