// SPDX-License-Identifier: MIT
// expect-error: take_the_variable_by_reference
// at most: 30
// at most with clang: 50
#include <jig.hpp>

#ifdef JIG_CONTROL
constexpr auto f = jig::function<"f(x, w)">([](auto x, auto& v) {
  v.assign_add(1.0f);
  return x * v;
});
#else
constexpr auto f = jig::function<"f(x, w)">([](auto x, auto v) {
  v.assign_add(1.0f);
  return x * v;
});
#endif
int main() {
  jig::variable<float> w{1.0f};
  (void)f(jig::tensor<float, 3>{1, 2, 3}, w);
}
