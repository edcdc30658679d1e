// SPDX-License-Identifier: MIT
// expect-error: f: gradient: Digamma has none
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::gradient(jig::lgamma(x), x); });
#else
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::gradient(jig::digamma(x), x); });
#endif
  return static_cast<int>(f(2.0f)());
}
