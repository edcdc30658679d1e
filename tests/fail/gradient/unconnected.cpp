// SPDX-License-Identifier: MIT
// expect-error: slope: gradient: the target,
// expect-error: float32 (), does not depend
// expect-error: on y, float32 (3,), in a way
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  constexpr auto f = jig::function<"slope(x, y)">([](auto x, auto y) { return jig::gradient(jig::reduce_sum(x * y), y); });
#else
  constexpr auto f = jig::function<"slope(x, y)">([](auto x, auto y) { return jig::gradient(jig::reduce_sum(x * jig::floor(y)), y); });
#endif
  return static_cast<int>(f(jig::tensor<float, 3>{1, 2, 3}, jig::tensor<float, 3>{1, 2, 3})(0));
}
