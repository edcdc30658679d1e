// SPDX-License-Identifier: MIT
// A program that names no cast, and has not JIG_PREBUILT_KERNELS, has those that traces and passes make: for numbers of a storage dtype,
// which are computed in float32, and for the trips of a loop that gets a gradient or goes in steps. So it has the kernels of an assignment
// to a part, of loops whose bounds are variables of a struct, and of products whose results are transposed.
#ifdef JIG_PREBUILT_KERNELS
#error "this is about programs without it"
#endif
#include <jig.hpp>

#include <boost/hana.hpp>

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

constexpr auto in_steps = jig::function([](auto x, auto n) {
  for ([[maybe_unused]] auto i : jig::range(0, n, 2)) x = x * 2;
  return x;
});
struct counts {
  BOOST_HANA_DEFINE_STRUCT(counts, (jig::variable<int>, trips), (jig::variable<int>, step));
};
constexpr auto of_struct = jig::function([](auto& c, auto x) {
  for ([[maybe_unused]] auto i : jig::range(0, c.trips, 2)) x = x * 2;
  for ([[maybe_unused]] auto i : jig::range(c.trips, 0, c.step)) x = x * 3;
  return x;
});
constexpr auto turned = jig::function([](auto a, auto b) { return jig::transpose<1, 0, 2>(jig::matmul(a, b)); });

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

template <class T>
int wrong_steps(T trips) {
  return in_steps(jig::any_tensor(1.0f), jig::any_tensor(trips)).template as<float>()() != 8;
}
int wrong_struct() {
  counts c;
  c.trips.assign(5);
  c.step.assign(-3);
  return of_struct(c, jig::any_tensor(1.0f)).as<float>()() != 8 * 9;
}
int wrong_product() {
  jig::tensor<float, 3, 8, 5> a = jig::ones<float, 3, 8, 5>();
  a(2, 7, 4) = 3;
  const auto y = turned(jig::any_tensor(a), jig::any_tensor(jig::ones<float, 3, 5, 7>())).as<float, 8, 3, 7>();
  return (y(7, 2, 6) != 7) + (y(0, 2, 6) != 5);
}

}  // namespace

int main() {
  const int wrong[] = {wrong_results<float>(1e-6),
                       wrong_results<jig::half>(2e-3),
                       wrong_results<jig::bfloat16>(2e-2),
                       wrong_gradients(3),
                       wrong_gradients(std::int64_t{3}),
                       wrong_gradients(std::int16_t{3}),
                       wrong_gradients(std::uint8_t{3}),
                       wrong_parts(),
                       wrong_steps(5),
                       wrong_steps(std::uint8_t{5}),
                       wrong_steps(std::int64_t{6}),
                       wrong_steps(std::uint64_t{5}),
                       wrong_struct(),
                       wrong_product()};
  int all = 0;
  for (int w : wrong) {
    std::cout << w << ' ';
    all += w;
  }
  return all;
}
