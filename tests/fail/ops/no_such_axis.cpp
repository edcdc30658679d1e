// SPDX-License-Identifier: MIT
// expect-error: Sum: there is no axis 2
// expect-error: float32 (2, 3)
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::reduce_sum<1>(x) * 2;
#else
  return jig::reduce_sum<2>(x) * 2;
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 2, 3>())(0)); }
