// SPDX-License-Identifier: MIT
// expect-error: Max: an axis is named twice
// expect-error: float32 (2, 3)
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::reduce_max<1, 0>(x) * 2;
#else
  return jig::reduce_max<1, -1>(x) * 2;
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 2, 3>())()); }
