// SPDX-License-Identifier: MIT
// expect-error: jig_where_for_conditionals
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::reduce_sum(x) > 0 ? x : jig::zeros_like(x);
#else
  return jig::reduce_sum(x) > 0 ? x : 0.0f;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
