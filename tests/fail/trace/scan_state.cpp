// SPDX-License-Identifier: MIT
// expect-error: scan: the function must return as many values as its state has
#include <jig.hpp>

#include <tuple>

constexpr auto f = jig::function<"f(x)">([](auto x) {
  const auto zero = jig::zeros_like(x[0]);
  return jig::scan(
      [](auto state, auto part) {
        const auto sum = std::get<0>(state) + part;
#ifdef JIG_CONTROL
        return std::tuple(sum, sum * 2);
#else
        return sum;
#endif
      },
      x, std::tuple(zero, zero));
});

int main() { (void)f(jig::tensor<float, 4>()); }
