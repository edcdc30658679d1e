// SPDX-License-Identifier: MIT
// expect-error: an_assignment_to_a_temporary_value_is_lost
// at most with clang: 50
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  x[0] = 2;
#else
  (x + 1)[0] = 2;
#endif
  return x;
});

int main() { return f(jig::tensor<int, 2>{1, 2})(0); }
