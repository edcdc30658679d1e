// SPDX-License-Identifier: MIT
// expect-error: jig: into cannot write const elements
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });

int main() {
  std::vector<float> x(3);
#ifdef JIG_CONTROL
  std::vector<float> out(3);
#else
  const std::vector<float> out(3);
#endif
  f.into(out, x);
}
