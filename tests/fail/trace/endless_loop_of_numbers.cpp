// SPDX-License-Identifier: MIT
// expect-error: a_trace_has_too_many_nodes__loops_of_numbers_are_one_node_with_jig_range_and_jig_beside__JIG_CONSTEXPR_LIMITS_allows_more
// at most with clang: 56
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  JIG_WHILE(x < 100) x = x * 2;
#else
  JIG_WHILE(true) x = x * 2;
#endif
  return x;
});

int main() { return f(2)() - 128; }
