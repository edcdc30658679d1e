// SPDX-License-Identifier: MIT
// expect-error: jig::components: the class is not made of so many numbers of one type and nothing else
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
