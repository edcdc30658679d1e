// SPDX-License-Identifier: MIT
// expect-error: this_op_is_not_computed_before_the_call
// at most with clang: 53
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x + jig::exp(jig::ones_like(x));
#else
  return x + jig::exp(jig::ones<float, 3>());
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 3>())(0)); }
