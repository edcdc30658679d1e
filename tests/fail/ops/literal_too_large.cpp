// SPDX-License-Identifier: MIT
// expect-error: the_literal_does_not_fit_the_dtype_of_the_tensor
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x + 200;
#else
  return x + 300;
#endif
});

int main() { return static_cast<int>(f(jig::tensor<std::uint8_t, 3>())(0)); }
