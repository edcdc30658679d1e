// SPDX-License-Identifier: MIT
// expect-error: f: a traced value that is
#include <jig.hpp>

#include <optional>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  std::optional<decltype(x)> last(x);
  for (auto i : jig::range(0, x)) last = i;
#else
  std::optional<decltype(x)> last;
  for (auto i : jig::range(0, x)) last.emplace(i);
#endif
  return x + *last;
});

int main() { return f(5)() - 9; }
