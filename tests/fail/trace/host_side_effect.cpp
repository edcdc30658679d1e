// SPDX-License-Identifier: MIT
// expect-error: calls
#include <jig.hpp>

int calls = 0;

#ifdef JIG_CONTROL
constexpr auto f = jig::function<"f(x, calls)">([](auto x, auto calls) { return x + calls; });
int main() { return f(3, ++calls)(); }
#else
constexpr auto f = jig::function<"f(x)">([](auto x) {
  ++calls;
  return x;
});
int main() { return f(3)(); }
#endif
