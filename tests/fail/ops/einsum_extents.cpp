// SPDX-License-Identifier: MIT
// expect-error: letter j is 3 and 4
#include <jig.hpp>

constexpr auto f = jig::function<"f(x, w)">([](auto x, auto w) { return jig::einsum<"ij,jk->ik">(x, w) + 1; });

int main() {
  jig::tensor<float, 2, 3> x;
#ifdef JIG_CONTROL
  jig::tensor<float, 3, 5> w;
#else
  jig::tensor<float, 4, 5> w;
#endif
  return static_cast<int>(f(x, w)(0, 0));
}
