// SPDX-License-Identifier: MIT
// A program as users write them, with neither JIG_PREBUILT_KERNELS nor JIG_NO_EAGER, has all kernels that gradients of any op need.
#ifdef JIG_PREBUILT_KERNELS
#error "this is about programs without it"
#endif
#include <differentiable_ops.hpp>

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
  return wrong;
}
