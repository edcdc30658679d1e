// SPDX-License-Identifier: MIT
// expect-error: a traced value has no iterators: write for (auto row : jig::rows(x))
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto s = jig::constant_like(jig::reduce_sum(x), 0);
  for (auto v : jig::rows(x)) s += v;
  return s;
#else
  auto s = jig::constant_like(jig::reduce_sum(x), 0);
  for (auto v : x) s += v;
  return s;
#endif
});

int main() { (void)f(jig::tensor<float, 3>{1, 2, 3}); }
