// SPDX-License-Identifier: MIT
// A program as users write them, with neither JIG_PREBUILT_KERNELS nor JIG_NO_EAGER, has all kernels that gradients of any op need.
#ifdef JIG_PREBUILT_KERNELS
#error "this is about programs without it"
#endif
#include <differentiable_ops.hpp>

#include <cmath>
#include <iostream>

int main() {
  int wrong = 0;
  const auto check = [&](const jig::op& kind, const char* how, const std::string& what) {
    if (what.empty()) return;
    std::cout << kind.name << ", " << how << ": " << what << '\n';
    ++wrong;
  };
  for (const auto& c : differentiable::cases) {
    check(*c.kind, "traced", differentiable::wrong_gradients(c));
    check(*c.kind, "eager", differentiable::wrong_gradients<true>(c));
  }
  // An eager run computes all that the lambda calls, also what nobody needs.
  static constexpr auto f = jig::function<"f(x)">([](auto x) {
                              (void)(jig::atan(x) + jig::reduce_max(x));
                              return jig::gradient(jig::reduce_sum(jig::tanh(x * x)), x);
                            }).run_eagerly();
  const double given = f(jig::tensor<float, 2>{0.5f, 1})(0), tanh = std::tanh(0.25);
  if (std::fabs(given - (1 - tanh * tanh)) > 1e-6) {
    std::cout << "an eager run takes the gradient " << given << '\n';
    ++wrong;
  }
  return wrong;
}
