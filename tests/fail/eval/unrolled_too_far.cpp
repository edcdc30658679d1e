// SPDX-License-Identifier: MIT
// expect-error: f: unrolled: the loops make
// expect-error: unrolled<N>()
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
  for (auto i : jig::range(jig::extent<0>(x))) x = x + i;
  return x;
});

int main() {
  constexpr auto g = f.get_concrete_function(jig::spec<int, 9>());
#ifdef JIG_CONTROL
  return g.unrolled<9>()(jig::tensor<int, 9>())(0);
#else
  return g.unrolled<8>()(jig::tensor<int, 9>())(0);
#endif
}
