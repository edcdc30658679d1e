// SPDX-License-Identifier: MIT
// expect-error: arma::Mat<float>: include <jig/adapt/armadillo.hpp>
#include <jig.hpp>

namespace arma {
template <class T>
struct Mat {
  T* a = nullptr;
};
using Bad = Mat<float>;
}  // namespace arma
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  std::vector<float> x;
#else
  arma::Bad x{};
#endif
  (void)f(x);
}
