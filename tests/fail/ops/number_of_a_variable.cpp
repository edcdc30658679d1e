// SPDX-License-Identifier: MIT
// expect-error: a_cpp_number_cannot_become_a_traced_value__begin_with_jig_constant_like
// at most with clang: 50
#include <jig.hpp>

constexpr auto f = jig::function<"f(w, x)">([](auto& w, auto x) {
#ifdef JIG_CONTROL
  auto s = jig::constant_like(x, 0.f);
  s += w;
  return s * x;
#else
  float s = 0;
  s += w;
  return s * x;
#endif
});

int main() {
  jig::variable<float> w(2.f);
  (void)f(w, jig::tensor<float>(3.f));
}
