// SPDX-License-Identifier: MIT
// A program that names no cast, and has not JIG_PREBUILT_KERNELS, has those that traces and passes make: for numbers of a storage dtype,
// which are computed in float32, and for the trips of a loop that gets a gradient. So it has the kernel of an assignment to a part.
#ifdef JIG_PREBUILT_KERNELS
#error "this is about programs without it"
#endif
#include <jig.hpp>

#include <cmath>
#include <iostream>
#include <vector>

namespace {

constexpr auto f = jig::function([](auto x, auto y) { return jig::tanh(x * y) + 1; });
constexpr auto loop = jig::function([](auto x, auto n) {
  auto y = x;
  auto k = jig::constant_like(n, 0);
  for (auto i : jig::range(n)) {
    y = jig::where(k == i * 2, y * x, y);
    k = k + 2;
  }
  return jig::gradient(jig::reduce_sum(y), x);
});

constexpr auto shifted = jig::function([](auto x) {
  x[jig::range_of<1, 3>()] = x[jig::range_of<0, 2>()];
  return x;
});

template <class T>
int wrong_results(double tolerance) {
  jig::tensor<T, 3> x;
  for (int i = 0; i < 3; ++i) x(i) = T(.5f * static_cast<float>(i));
  const auto y = f(jig::any_tensor(x), jig::any_tensor(x)).template as<T, jig::dyn>();
  int wrong = 0;
  for (int i = 0; i < 3; ++i)
    wrong += !(std::abs(static_cast<double>(static_cast<float>(y(i))) - (std::tanh(.25 * i * i) + 1)) <= tolerance);
  return wrong;
}

template <class T>
int wrong_gradients(T trips) {
  const auto g = loop(jig::any_tensor(std::vector<float>{1, 2, 3}), jig::any_tensor(trips)).template as<float, jig::dyn>();
  int wrong = 0;
  for (int i = 0; i < 3; ++i) wrong += !(std::abs(g(i) - 4 * std::pow(static_cast<float>(i + 1), 3.f)) <= 1e-4f);
  return wrong;
}

int wrong_parts() {
  const auto y = shifted(jig::any_tensor(std::vector<float>{1, 2, 3})).as<float, jig::dyn>();
  return (y(0) != 1) + (y(1) != 1) + (y(2) != 2);
}

}  // namespace

int main() {
  const int wrong[] = {
      wrong_results<float>(1e-6),       wrong_results<jig::half>(2e-3),   wrong_results<jig::bfloat16>(2e-2), wrong_gradients(3),
      wrong_gradients(std::int64_t{3}), wrong_gradients(std::int16_t{3}), wrong_gradients(std::uint8_t{3}),   wrong_parts()};
  int all = 0;
  for (int w : wrong) {
    std::cout << w << ' ';
    all += w;
  }
  return all;
}
