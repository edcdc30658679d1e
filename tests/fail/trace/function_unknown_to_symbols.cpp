// SPDX-License-Identifier: MIT
// expect-error: symbol<float, 3>
#include <jig.hpp>

#include <cmath>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::exp(x);
#else
  return std::exp(x);
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, 3>{1, 2, 3})(0)); }
