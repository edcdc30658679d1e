// SPDX-License-Identifier: MIT
// expect-error: jig: If: a value whose extent only the run of a branch tells cannot leave it
// at most with clang: 46

#include <jig.hpp>

int main() {
  auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
    auto y = jig::reduce_sum(x);
    if (y > 3) y = jig::reduce_sum(jig::boolean_mask(x, x > 1));
#else
    auto y = jig::boolean_mask(x, x > 0);
    if (jig::reduce_sum(x) > 3) y = jig::boolean_mask(x, x > 1);
#endif
    return y;
  });
  return static_cast<int>(f(jig::ones<float, jig::dyn>(3)).size());
}
