// SPDX-License-Identifier: MIT
// expect-error: a variable cannot be passed
// expect-error: traced at compile time
#include <jig.hpp>

constexpr auto scaled = jig::function<"scaled(x, w)">([](auto x, const auto& w) { return x * w; });

int main() {
  jig::variable<float> w = 3.0f;
  const jig::any_tensor x = 2.0f;
#ifdef JIG_CONTROL
  return scaled(x, w.value()).as<float>()() == 6 ? 0 : 1;
#else
  return scaled(x, w).as<float>()() == 6 ? 0 : 1;
#endif
}
