// SPDX-License-Identifier: MIT
// expect-error: is_no_number__write_jig_sin
#include <cmath>
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::sin(x);
#else
  return std::sin(x);
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
