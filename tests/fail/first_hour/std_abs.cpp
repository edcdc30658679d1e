// SPDX-License-Identifier: MIT
// expect-error: is_no_number
#include <cmath>
#include <cstdlib>
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::abs(x);
#else
  return std::abs(x);
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
