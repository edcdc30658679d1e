// SPDX-License-Identifier: MIT
// expect-error: gradient: the target must be
// expect-error: a traced value or variable of
// expect-error: a floating dtype, given int32
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::gradient(jig::reduce_sum(x), x); });
#else
  constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::gradient(jig::reduce_sum(jig::cast<int>(x)), x); });
#endif
  return static_cast<int>(f(jig::tensor<float, 3>{1, 2, 3})(0));
}
