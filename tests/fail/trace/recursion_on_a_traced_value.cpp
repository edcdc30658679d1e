// SPDX-License-Identifier: MIT
// expect-error: f: more than 64 ways
// expect-error: recursions on jig::lit
#include <jig.hpp>

constexpr auto factorial = [](auto self, auto n) {
#ifdef JIG_CONTROL
  if constexpr (n == 0) return 1;
  else return n * self(self, jig::lit<n - 1>);
#else
  if (n < 1) return n * 0 + 1;
  auto smaller = self.template operator()<decltype(self), decltype(n)>(self, n - 1);
  return n * smaller;
#endif
};

#ifdef JIG_CONTROL
constexpr auto f = jig::function<"f(x, n)">([](auto x, auto n) { return x * factorial(factorial, n); });
int main() { return f(3, jig::lit<4>)(); }
#else
constexpr auto f = jig::function<"f(x)">([](auto x) { return factorial(factorial, x); });
int main() { return f(3)(); }
#endif
