// SPDX-License-Identifier: MIT
// expect-error: f: the lambda returns a reference, to what may be gone by then
#include <jig.hpp>

#ifdef JIG_CONTROL
constexpr auto f = jig::function<"f(x)">([](auto x) {
  auto y = x * 2;
  return y;
});
#else
constexpr auto f = jig::function<"f(x)">([](auto x) -> const auto& {
  auto y = x * 2;
  return y;
});
#endif
int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
