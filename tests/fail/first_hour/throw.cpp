// SPDX-License-Identifier: MIT
// expect-error: what_a_traced_lambda_does_must_be_constexpr
#include <jig.hpp>
#include <stdexcept>

constexpr auto f = jig::function<"f(x)">([](auto x) {
#ifdef JIG_CONTROL
  jig::assert_that(x >= 0, "negative");
  return x;
#else
  if (x < 0) throw std::runtime_error("negative");
  return x;
#endif
});

int main() { (void)f(3); }
