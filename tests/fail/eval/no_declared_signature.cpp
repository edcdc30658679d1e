// SPDX-License-Identifier: MIT
// expect-error: next: inputs incompatible
// expect-error: float32 shape=(2,)
// expect-error: shape=(None,)
#include <jig.hpp>

constexpr auto next = jig::function<"next(x)">([](auto x) { return x + 1; }).with_signature<jig::spec<int, jig::dyn>>();

int main() {
#ifdef JIG_CONTROL
  return next(jig::tensor<int, 2>{1, 2})(0);
#else
  return static_cast<int>(next(jig::tensor<float, 2>{1, 2})(0));
#endif
}
