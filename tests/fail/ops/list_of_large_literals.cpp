// SPDX-License-Identifier: MIT
// expect-error: a literal of a list does not
// expect-error: fit the dtype
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x + jig::lits<1, 255>;
#else
  return x + jig::lits<1, 256>;
#endif
});

int main() { return f(jig::tensor<unsigned char, 2>{1, 2})(1) == 1 ? 0 : 1; }
