// SPDX-License-Identifier: MIT
// expect-error: Eigen::Matrix<float, 2, 2.*>: include <jig/adapt/eigen.hpp>
#include <jig.hpp>

namespace Eigen {
template <class T, int R, int C, int O = 0, int M = R, int N = C>
struct Matrix {
  T a[4];
};
using Bad = Matrix<float, 2, 2>;
}  // namespace Eigen
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  std::vector<float> x;
#else
  Eigen::Bad x{};
#endif
  (void)f(x);
}
