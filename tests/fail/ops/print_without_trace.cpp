// SPDX-License-Identifier: MIT
// expect-error: in_a_trace_add_jig_beside
// at most: 31
// at most with clang: 55
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  jig::print("here", jig::beside(x));
#else
  jig::print("here");
#endif
  return x;
});

int main() { f(jig::tensor<float, 3>{1, 2, 3}); }
