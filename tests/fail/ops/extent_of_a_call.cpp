// SPDX-License-Identifier: MIT
// expect-error: iota: its extent is a number
// expect-error: jig::cumsum<Axis>(jig::ones_like(x)) - 1
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::cumsum<0>(jig::ones_like(x)) - 1;
#else
  return jig::iota<float, jig::dyn>(jig::extent<0>(x));
#endif
});

int main() { f(jig::zeros<float, jig::dyn>(3)); }
