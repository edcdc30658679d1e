// SPDX-License-Identifier: MIT
// expect-error: f
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  std::array<float, 3> out;
#else
  std::array<float, 2> out;
#endif
  f.into(out, jig::tensor<float, 3>{1, 2, 3});
}
