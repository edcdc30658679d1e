// SPDX-License-Identifier: MIT
// expect-error: a traced value of spec
// expect-error: cannot become one of
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
  auto y = x;
#ifdef JIG_CONTROL
  for (auto i : jig::range(3 * jig::extent<0>(x))) y = y + x * i;
#else
  for (auto i : jig::range(3 * jig::extent<0>(x))) y = jig::concat<0>(y, x * i);
#endif
  return y;
});

int main() { return f(jig::tensor<int, 2>{1, 2})(0); }
