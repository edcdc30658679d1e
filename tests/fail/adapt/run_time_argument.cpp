// SPDX-License-Identifier: MIT
// expect-error: known at run time only: pass jig::any_tensor::viewing
#include <jig.hpp>

constexpr auto f = jig::function<"f(x)">([](auto x) { return x * 2; });

struct picture {
  float pixels[4];
};
template <>
struct jig::run_time_argument<picture> {
  static any_view bind(const picture& x) { return {dtype::float32, x.pixels, {1, {4}}, {1, {1}}}; }
};

int main() {
  const picture x{};
#ifdef JIG_CONTROL
  return f(jig::any_tensor::viewing(x)).rank();
#else
  return f(x).rank();
#endif
}
