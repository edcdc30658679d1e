// SPDX-License-Identifier: MIT
// expect-error: a condition must be a scalar
// expect-error: reduce_all
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  if (jig::reduce_all(x > 0)) return jig::reduce_sum(x);
#else
  if (x > 0) return jig::reduce_sum(x);
#endif
  return jig::reduce_sum(-x);
});

int main() { return f(jig::tensor<int, 2>{1, 2})(); }
