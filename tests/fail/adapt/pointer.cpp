// SPDX-License-Identifier: MIT
// expect-error: this argument is neither a
// expect-error: a pointer tells no extents
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2 + 1; });

int main() {
  float memory[3] = {};
#ifdef JIG_CONTROL
  jig::view<float, jig::dyn> x(memory, 3);
#else
  float* x = memory;
#endif
  return static_cast<int>(f(x)(0));
}
