// SPDX-License-Identifier: MIT
// expect-error: assert_that: the condition
// expect-error: must be a scalar of dtype
// expect-error: float32 (3,)
// expect-error: jig::reduce_all
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  jig::assert_that(jig::reduce_all(x > 0), "positive");
#else
  jig::assert_that(x, "positive");
#endif
  return x;
});

int main() { f(jig::tensor<float, 3>{1, 2, 3}); }
