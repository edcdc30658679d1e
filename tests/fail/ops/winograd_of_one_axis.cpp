// SPDX-License-Identifier: MIT
// expect-error: conv1d: jig::winograd is an option of con
// expect-error: conv2d alone
#include <jig.hpp>

constexpr auto f = jig::function<"f(x, w)">([](auto x, auto w) {
#ifdef JIG_CONTROL
  return jig::conv1d(x, w, jig::same_padding);
#else
  return jig::conv1d(x, w, jig::same_padding, jig::winograd);
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 1, 9, 2>(), jig::tensor<float, 3, 2, 2>())(0, 0, 0)); }
