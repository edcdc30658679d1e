// SPDX-License-Identifier: MIT
// expect-error: a class with jig::components is made of just so many numbers of one type: this one is not
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });

struct particle {
  float x, y;
#ifndef JIG_CONTROL
  int charge;
#endif
};
template <>
inline constexpr int jig::components<particle> = sizeof(particle) / sizeof(float);

int main() {
  const std::vector<particle> x(3);
  return static_cast<int>(f(x)(0, 1));
}
