// SPDX-License-Identifier: MIT
// expect-error: cv::Mat: include <jig/adapt/opencv.hpp>
#include <jig.hpp>

namespace cv {
struct Mat {
  void* a = nullptr;
};
using Bad = Mat;
}  // namespace cv
constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });
int main() {
#ifdef JIG_CONTROL
  std::vector<float> x;
#else
  cv::Bad x{};
#endif
  (void)f(x);
}
