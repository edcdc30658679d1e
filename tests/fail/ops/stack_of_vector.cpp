// SPDX-License-Identifier: MIT
// expect-error: the type of the result has the number of parts: pass them one by one, or as a std::array or std::tuple
#include <jig.hpp>

#include <array>
#include <vector>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  return jig::stack<0>(std::array{x, x});
#else
  return jig::stack<0>(std::vector{x, x});
#endif
});

int main() { return f(jig::tensor<float, 3>{}).extent(0) == 2 ? 0 : 1; }
