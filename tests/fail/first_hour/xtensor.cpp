// SPDX-License-Identifier: MIT
// expect-error: xt::xtensor<float>: include <jig/adapt/xtensor.hpp>
#include <jig.hpp>

namespace xt {
template <class T>
struct xtensor {
  T* a = nullptr;
  using value_type = T;
};
using Bad = xtensor<float>;
}  // namespace xt
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  std::vector<float> x;
#else
  xt::Bad x{};
#endif
  (void)f(x);
}
