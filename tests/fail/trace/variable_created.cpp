// SPDX-License-Identifier: MIT
// expect-error: variables_are_not_created_in_a_traced_function
// at most with clang: 53
#include <jig.hpp>

constexpr auto f = jig::function<"f(v, x)">([](auto& v, auto x) {
#ifdef JIG_CONTROL
  v.assign_add(x);
  return v.read();
#else
  (void)v;
  jig::variable<float> sum{0};
  sum.assign_add(x);
  return sum.read();
#endif
});

int main() {
  jig::variable<float> v;
  return static_cast<int>(f(v, 1.0f)());
}
