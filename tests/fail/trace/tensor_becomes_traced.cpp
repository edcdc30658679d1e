// SPDX-License-Identifier: MIT
// expect-error: a tensor cannot become a traced
// expect-error: jig::zeros_like
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto sum = jig::zeros_like(x[0]);
#else
  auto sum = jig::zeros<float, 3>();
#endif
  for (auto row : jig::rows(x)) sum += row;
  sum = x[0] + sum;
  return sum;
});

int main() { return static_cast<int>(f(jig::tensor<float, 2, 3>())(0)); }
