// SPDX-License-Identifier: MIT
// expect-error: no member named 'size'
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::reduce_sum(x) / jig::cast<float>(jig::size(x));
#else
  return jig::reduce_sum(x) / x.size();
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
