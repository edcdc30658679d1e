// SPDX-License-Identifier: MIT
// expect-error: into needs one object for each result
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return std::tuple(x * 2, x + 1); });

int main() {
  std::vector<float> x(3), twice(3), next(3);
#ifdef JIG_CONTROL
  auto out = std::tie(twice, next);
#else
  auto out = std::tie(twice);
#endif
  f.into(out, x);
}
