// SPDX-License-Identifier: MIT
// expect-error: a traced lambda must not
// expect-error: what varies has to
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  auto inner = jig::function<"inner(y, x)">([](auto y, auto outer) { return y + outer; });
  return inner(x * 2, x);
#else
  auto inner = jig::function<"inner(y)">([x](auto y) { return y + x; });
  return inner(x * 2);
#endif
});

int main() { return f(3)(); }
