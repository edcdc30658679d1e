// SPDX-License-Identifier: MIT
// expect-error: is_no_number
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::cast<int>(x);
#else
  return static_cast<int>(x);
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
