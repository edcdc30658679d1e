// SPDX-License-Identifier: MIT
// expect-error: power: argument n: expected
// expect-error: int32 literal 2
// expect-error: literal 3
#include <jig.hpp>

constexpr auto power = jig::function<"power(x, n)">([](auto x, auto n) {
  auto result = x;
  for (int i = 1; i < n; ++i) result = result * x;
  return result;
});
constexpr auto square = power.get_concrete_function(jig::spec<float>{}, jig::lit<2>);

int main() {
#ifdef JIG_CONTROL
  return static_cast<int>(square(3.0f, jig::lit<2>)() + square(3.0f)());
#else
  return static_cast<int>(square(3.0f, jig::lit<3>)());
#endif
}
