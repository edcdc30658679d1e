// SPDX-License-Identifier: MIT
// expect-error: swap: argument pair: expected
// expect-error: (float32 shape=();
#include <jig.hpp>

constexpr auto swap = jig::function<"swap(pair)">([](auto pair) {
  auto [first, second] = pair;
  return std::tuple(second, first);
});
constexpr auto concrete = swap.get_concrete_function(std::tuple(jig::spec<float>{}, jig::spec<float, 2>{}));

int main() {
  jig::tensor<float, 2> x;
#ifdef JIG_CONTROL
  (void)concrete(std::tuple(1.0f, x));
#else
  (void)concrete(std::tuple(x));
#endif
}
