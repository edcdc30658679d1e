// SPDX-License-Identifier: MIT
// expect-error: grad: there is no such argument
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return jig::reduce_sum(x * x); });
#ifdef JIG_CONTROL
constexpr auto slope = jig::grad<0>(f);
#else
constexpr auto slope = jig::grad<1>(f);
#endif
int main() { (void)slope(jig::tensor<float, 3>{1, 2, 3}); }
