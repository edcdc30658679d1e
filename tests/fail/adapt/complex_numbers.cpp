// SPDX-License-Identifier: MIT
// expect-error: jig has no complex numbers
#include <jig.hpp>

#include <complex>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });

#ifdef JIG_CONTROL
template <>
inline constexpr int jig::components<std::complex<float>> = 2;
#endif

int main() {
  const std::vector<std::complex<float>> x(3);
  return static_cast<int>(f(x)(0, 1));
}
