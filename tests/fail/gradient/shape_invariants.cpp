// SPDX-License-Identifier: MIT
// expect-error: f: gradient:
#include <jig.hpp>

int main() {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto y = jig::while_loop([](auto v) { return jig::reduce_sum(v) < 100; }, [](auto v) { return jig::concat<0>(v, v); }, x,
                             jig::shape_invariants<jig::spec<float, jig::dyn>>());
#ifdef JIG_CONTROL
    return y;
#else
    return jig::gradient(jig::reduce_sum(y), x);
#endif
  });
  return static_cast<int>(f(jig::tensor<float, jig::dyn>{1, 2, 3})(0));
}
