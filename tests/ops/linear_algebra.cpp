// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

TEST_CASE("dot and outer") {
  auto dot = [](const auto& x, const auto& y) { return jig::dot(x, y); };
  jig::tensor<int, 3> x{1, 2, 3}, y{4, 5, 6};
  CHECK(both(dot, x, y)() == 32);
  CHECK(jig::dot(std::vector<double>{1, 2}, std::vector<double>{3, 4})() == 11);
  CHECK(jig::dot(std::vector<double>(), std::vector<double>())() == 0);
  CHECK_THROWS_AS(jig::dot(std::vector<double>(1), std::vector<double>(2)), jig::invalid_argument);
  CHECK(jig::dot(counted<float, dyn>(100), jig::ones<float, 100>())() == 4950);
  auto outer = traced([](const auto& a, const auto& b) { return jig::outer(a, b); }, x, jig::tensor<int, 2>{1, 10});
  static_assert(std::is_same_v<decltype(outer), jig::tensor<int, 3, 2>>);
  CHECK(elements(outer) == ints{1, 10, 2, 20, 3, 30});
}

TEST_CASE("tensordot") {
  auto a = counted<double, 2, 3>();
  auto b = counted<double, 3, 4>();
  auto [y, product_of_matrices, everything, product] = traced(
      [](const auto& v, const auto& w) {
        return std::tuple(jig::tensordot<1>(v, w), jig::matmul(v, w), jig::tensordot<2>(v, v),
                          jig::tensordot<0>(v, jig::tensor<double, 2>{1, 2}));
      },
      a, b);
  static_assert(std::is_same_v<decltype(y), jig::tensor<double, 2, 4>>);
  CHECK(elements(y) == elements(product_of_matrices));
  static_assert(std::is_same_v<decltype(everything), jig::tensor<double>>);
  CHECK(everything() == 55);
  static_assert(std::is_same_v<decltype(product), jig::tensor<double, 2, 3, 2>>);
  CHECK(product(1, 2, 1) == 10);
  auto c = counted<double, 2, 3, 4>();
  auto d = counted<double, 3, 4, 5>();
  auto z = jig::tensordot<2>(c, d);
  static_assert(std::is_same_v<decltype(z), jig::tensor<double, 2, 5>>);
  for (int i = 0; i < 2; ++i)
    for (int n = 0; n < 5; ++n) {
      double sum = 0;
      for (int j = 0; j < 3; ++j)
        for (int k = 0; k < 4; ++k) sum += c(i, j, k) * d(j, k, n);
      CHECK(z(i, n) == sum);
    }
  using f = decltype(jig::function<"f(x, y)">([](auto v, auto w) {
                       return jig::tensordot<1>(v, w);
                     }).get_concrete_function(jig::spec<float, dyn, dyn, 3>(), jig::spec<float, 3, dyn>()));
  static_assert(std::is_same_v<f::output_spec, jig::spec<float, dyn, dyn, dyn>>);
  static_assert(f::graph().count("MatMul") == 1);
  auto wild = jig::tensordot<1>(counted<float, dyn, dyn, 3>(2, 2), counted<float, 3, dyn>(2));
  CHECK(wild(1, 1, 1) == 9 * 1 + 10 * 3 + 11 * 5);
}

TEST_CASE("cross products") {
  constexpr auto f = [](const auto& x, const auto& y) { return jig::cross(x, y); };
  const auto x = counted<int, 2, 3>();
  const auto y = both(f, x, jig::tensor<int, 3>{1, 0, 2});
  static_assert(std::is_same_v<decltype(y), const jig::tensor<int, 2, 3>>);
  CHECK(elements(y) == ints{2, 2, -1, 8, -1, -4});
  const auto z = both(f, counted<double, dyn, 3>(67), jig::transpose(jig::ones<double, 3, 67>() * 2));
  jig::index wrong = 0;
  for (jig::index i = 0; i < 67; ++i) wrong += !(z(i, 0) == -2 && z(i, 1) == 4 && z(i, 2) == -2);
  CHECK(wrong == 0);
  CHECK(f(jig::zeros<float, dyn, 3>(0), jig::zeros<float, dyn, 3>(0)).size() == 0);
  static_assert(gives<jig::spec<float, dyn, 2, 3>>(f, jig::spec<float, dyn, 1, 3>(), jig::spec<float, 2, 3>()));
  // Of (x × y)·e the gradient by x is y × e.
  constexpr auto g = jig::function<"g(x, y)">(
      [](auto v, auto w) { return jig::gradient(jig::reduce_sum(jig::cross(v, w) * jig::tensor<double, 3>{1, 2, 3}), std::tuple(v, w)); });
  const auto [by_x, by_y] = g(jig::tensor<double, 3>{4, 5, 6}, jig::tensor<double, 3>{7, 8, 10});
  CHECK(elements(by_x) == std::vector<double>{4, -11, 6});
  CHECK(elements(by_y) == std::vector<double>{-3, 6, -3});
  const auto at_run_time = jig::dynamic_function(f);
  CHECK(message_of([&] {
          (void)at_run_time(jig::any_tensor(counted<int, 4>()), jig::any_tensor(counted<int, 4>()));
        }).starts_with("cross: the last axis must have 3 elements"));
}

namespace own {

constexpr auto cross(auto a, auto b) { return a - b; }
template <int Axis, int By>
constexpr auto roll(auto x) {
  return x + By;
}
template <int N>
constexpr auto repeat(const auto& x) {
  return x * N;
}
constexpr auto polyval(auto c, auto x) { return c - x; }
constexpr auto crossed = [](auto x, auto y) { return polyval(roll<0, 1>(cross(x, y)), repeat<1>(x)) + x - 1; };

}  // namespace own

TEST_CASE("functions of the user's own that have such names are the ones that are called") {
  const jig::tensor<float, 3> x{1, 2, 3}, y{3, 2, 5};
  const auto z = jig::function(own::crossed)(x, y);
  CHECK(z(0) == -2);
  CHECK(z(1) == 0);
  CHECK(z(2) == -2);
}
