// SPDX-License-Identifier: MIT
// expect-error: gradient: a source must be a
// expect-error: traced value or variable of a
// expect-error: floating dtype, given int32
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  using element = float;
#else
  using element = int;
#endif
  constexpr auto f =
      jig::function<"slope(x, y)">([](auto x, auto y) { return jig::gradient(jig::reduce_sum(x * jig::cast<float>(y)), y); });
  return static_cast<int>(f(jig::tensor<float, 3>{1, 2, 3}, jig::tensor<element, 3>{1, 2, 3})(0));
}
