// SPDX-License-Identifier: MIT
// expect-error: while_loop: float32 (1,
// expect-error: jig::shape_invariants
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
  auto more = [](auto v) { return jig::reduce_sum(v) < 9; };
  auto grow = [](auto v) { return jig::concat<0>(v, v); };
#ifdef JIG_CONTROL
  return jig::while_loop(more, grow, x, jig::shape_invariants<jig::spec<float, jig::dyn, 2>>());
#else
  return jig::while_loop(more, grow, x);
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 1, 2>{{1, 2}})(0, 0)); }
