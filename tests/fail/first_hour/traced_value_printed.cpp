// SPDX-License-Identifier: MIT
// expect-error: a traced value has no elements to print: jig::print(x)
#include <iostream>
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  jig::print(x);
  return x;
#else
  std::cout << x << "\n";
  return x;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
