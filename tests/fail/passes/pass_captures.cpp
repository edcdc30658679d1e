// SPDX-License-Identifier: MIT
// expect-error: with_pass: a pass must not
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x + 1; });

int main() {
  [[maybe_unused]] int most = 3;
#ifdef JIG_CONTROL
  return f.with_pass([](const jig::graph_view& g) { return jig::unroll(g, 3); })(1)();
#else
  return f.with_pass([most](const jig::graph_view& g) { return jig::unroll(g, most); })(1)();
#endif
}
