// SPDX-License-Identifier: MIT
// expect-error: f: the lambda returns what is
// expect-error: of these
#include <jig.hpp>

struct pair_of_pointers {
  const char *first, *second;
};

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return std::tuple(x, x + 1);
#else
  (void)x;
  return pair_of_pointers{};
#endif
});

int main() { (void)f(std::vector<float>{1, 2}); }
