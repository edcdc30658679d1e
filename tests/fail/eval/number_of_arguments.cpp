// SPDX-License-Identifier: MIT
// expect-error: add: expected 2
// expect-error: given 1
#include <jig.hpp>

constexpr auto add = jig::function<"add(x, y)">([](auto x, auto y) { return x + y; });
constexpr auto concrete = add.get_concrete_function(jig::spec<float, 3>{}, jig::spec<float, 3>{});

int main() {
  jig::tensor<float, 3> x;
#ifdef JIG_CONTROL
  return static_cast<int>(concrete(x, x)(0));
#else
  return static_cast<int>(concrete(x)(0));
#endif
}
