// SPDX-License-Identifier: MIT
// expect-error: is_no_number
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  std::array<float, 3> table{1, 2, 3};
  return jig::gather<0>(jig::constant(table), jig::cast<int>(jig::reduce_sum(x)));
#else
  std::array<float, 3> table{1, 2, 3};
  return x * table[jig::reduce_sum(x)];
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
