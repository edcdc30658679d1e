// SPDX-License-Identifier: MIT
// expect-error: while_loop: the shape
// expect-error: do not fit the
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
  auto more = [](auto v) { return jig::reduce_sum(v) < 9; };
  auto grow = [](auto v) { return jig::concat<0>(v, v); };
#ifdef JIG_CONTROL
  return jig::while_loop(more, grow, x, jig::shape_invariants<jig::spec<float, jig::dyn, 2>>());
#else
  return jig::while_loop(more, grow, x, jig::shape_invariants<jig::spec<float, jig::dyn, 3>>());
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 1, 2>{{1, 2}})(0, 0)); }
