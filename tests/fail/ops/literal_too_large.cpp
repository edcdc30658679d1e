// SPDX-License-Identifier: MIT
// expect-error: the literal [0-9]* does not fit
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x + 200;
#else
  return x + 300;
#endif
});

int main() { return static_cast<int>(f(jig::tensor<std::uint8_t, 3>())(0)); }
