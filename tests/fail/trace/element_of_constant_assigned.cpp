// SPDX-License-Identifier: MIT
// expect-error: an_assignment_to_a_temporary_value_is_lost
// at most with clang: 50
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto y = x;
#else
  const auto y = x;
#endif
  y(0, 1) = 2;
  return y;
});

int main() { return f(jig::tensor<int, 1, 2>{{1, 2}})(0, 0); }
