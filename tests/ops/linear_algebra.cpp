// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

template <class F, class... X>
auto traced(F f, const X&... x) {
  return jig::function<"f(x)">(f)(x...);
}

}  // namespace

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

TEST_CASE("diagonals") {
  auto m = counted<int, 3, 3>();
  auto [d, turned, back] = traced(
      [](const auto& v) {
        auto part = jig::diag_part(v);
        return std::tuple(part, jig::diag_part(jig::reverse<1>(v)) * 2, jig::diag(part));
      },
      m);
  static_assert(std::is_same_v<decltype(d), jig::tensor<int, 3>>);
  CHECK(elements(d) == ints{0, 4, 8});
  CHECK(elements(turned) == ints{4, 8, 12});
  static_assert(std::is_same_v<decltype(back), jig::tensor<int, 3, 3>>);
  CHECK(elements(back) == ints{0, 0, 0, 0, 4, 0, 0, 0, 8});
  auto [wide, high, batch] = traced(
      [](const auto& v) { return std::tuple(jig::diag_part(v), jig::diag_part(jig::transpose(v)), jig::diag_part(jig::stack(v, v))); },
      counted<int, 2, 3>());
  CHECK(elements(wide) == ints{0, 4});
  CHECK(elements(high) == ints{0, 4});
  CHECK(elements(batch) == ints{0, 4, 0, 4});
  CHECK(elements(jig::diag_part(counted<int, dyn, dyn>(2, 2))) == ints{0, 3});
  CHECK_THROWS_AS(jig::diag_part(counted<int, dyn, dyn>(2, 3)), jig::invalid_argument);

  CHECK(elements(jig::diag(jig::tensor<int, 2, 2>{{1, 2}, {3, 4}})) == ints{1, 0, 0, 2, 3, 0, 0, 4});
  auto reversed = jig::function<"f(x)">([](auto v) { return jig::diag(jig::reverse(v)); });
  CHECK(elements(reversed(std::vector<int>{1, 2})) == ints{2, 0, 0, 1});
  CHECK(reversed(std::vector<int>()).size() == 0);
}

TEST_CASE("the trace of a matrix") {
  auto trace = [](const auto& v) { return jig::matrix_trace(v); };
  CHECK(both(trace, counted<int, 3, 3>())() == 12);
  CHECK(elements(traced(trace, counted<double, 2, 2, 2>())) == std::vector<double>{3, 11});
  CHECK(traced(trace, counted<int, 2, 3>())() == 4);
}
