// SPDX-License-Identifier: MIT
// expect-error: jig has no complex numbers
#include <jig.hpp>

#include <complex>
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  float x{};
#else
  std::complex<float> x{};
#endif
  (void)f(x);
}
