// SPDX-License-Identifier: MIT
// expect-error: batch_jacobian: the first axes of the
// expect-error: target and of its sources must be one batch
#include <jig.hpp>

constexpr auto f = jig::function([](auto x, auto y) { return jig::batch_jacobian(x * jig::reduce_sum(y), y); });

int main() {
#ifdef JIG_CONTROL
  return static_cast<int>(f(jig::ones<float, 3>(), jig::ones<float, 3>())(0));
#else
  return static_cast<int>(f(jig::ones<float, 3>(), jig::ones<float, 4>())(0));
#endif
}
