// SPDX-License-Identifier: MIT
// expect-error: scan: the second argument is a number, not a tensor with a first axis; the third one is the first state
#include <jig.hpp>

constexpr auto smoothed = jig::function([](auto x) {
  const auto next = [](auto state, auto part) { return 0.9f * state + 0.1f * part; };
#ifdef JIG_CONTROL
  return jig::scan(next, x, jig::element(x, 0));
#else
  return jig::scan(next, jig::element(x, 0), x);
#endif
});

int main() { return static_cast<int>(smoothed(jig::tensor<float, 3>{1, 2, 3})(2)); }
