// SPDX-License-Identifier: MIT
// expect-error: f: result: expected float32
// expect-error: given float64
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });

int main() {
  std::array<float, 3> x{};
#ifdef JIG_CONTROL
  std::array<float, 3> out;
#else
  std::array<double, 3> out;
#endif
  f.into(out, x);
}
