// SPDX-License-Identifier: MIT
// expect-error: an_assignment_to_a_copy_of_a_variable_is_lost
// at most: 27
// at most with clang: 70
#include <jig.hpp>

#ifdef JIG_CONTROL
constexpr auto f = jig::function<"f(v, x)">([](auto& v, auto x) {
#else
constexpr auto f = jig::function<"f(v, x)">([](auto v, auto x) {
#endif
  v[0] = x;
  return v.read();
});

int main() {
  jig::variable<float, 2> v;
  return static_cast<int>(f(v, 1.0f)(0));
}
