// SPDX-License-Identifier: MIT
// expect-error: range_of: bounds are numbers; those from the end are negative, x(range_of(0, -1)), and slice<N>(x, begin) begins at a
// traced position
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return x(jig::range_of(0, -1));
#else
  return x(jig::range_of(0, jig::extent<0>(x) - 1));
#endif
});

int main() { return static_cast<int>(f(jig::tensor<float, jig::dyn>{1, 2}).size()); }
