// SPDX-License-Identifier: MIT
// expect-error: custom_gradient: the second
// expect-error: function must return a
// expect-error: gradient for each argument of
#include <jig.hpp>

constexpr auto total = jig::custom_gradient([](auto x) { return jig::reduce_sum(x); },
#ifdef JIG_CONTROL
                                            [](auto adjoint, auto x) { return jig::full_like(x, adjoint); });
#else
                                            [](auto adjoint, auto) { return adjoint; });
#endif

int main() {
  auto g = jig::grad([](auto x) { return total(x); })(jig::tensor<float, 3>{1, 2, 3});
  return static_cast<int>(g(0));
}
