// SPDX-License-Identifier: MIT
// expect-error: a traced lambda must not capture: what varies has to be an argument
#include <jig.hpp>

int main() {
#ifdef JIG_CONTROL
  auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
#else
  auto f = jig::function<"f(x)">([n = 0](auto x) mutable { return x * ++n; });
#endif
  (void)f(jig::tensor<float, 3>{1, 2, 3});
}
