// SPDX-License-Identifier: MIT
#include <jig/ops/meshgrid.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

TEST_CASE("coordinates of a grid") {
  const jig::tensor<int, 3> x{1, 2, 3};
  const std::vector<float> y{7, 8};
  const auto [xs, ys] = jig::meshgrid(x, y);
  static_assert(std::is_same_v<decltype(xs), const jig::tensor<int, dyn, 3>>);
  CHECK(elements(xs) == ints{1, 2, 3, 1, 2, 3});
  CHECK(elements(ys) == std::vector<float>{7, 7, 7, 8, 8, 8});
  const auto [rows, columns] = jig::meshgrid<"ij">(x, y);
  CHECK(rows.shape() == jig::shape{2, {3, 2}});
  CHECK(elements(rows) == ints{1, 1, 2, 2, 3, 3});
  CHECK(elements(columns) == std::vector<float>{7, 8, 7, 8, 7, 8});
  constexpr auto squares = [](const auto& a, const auto& b, const auto& c) {
    const auto [p, q, r] = jig::meshgrid(a, b, c);
    return p * 100 + q * 10 + r;
  };
  CHECK(elements(both(squares, x, jig::tensor<int, 2>{4, 5}, jig::tensor<int, dyn>{6, 7})) ==
        ints{146, 147, 246, 247, 346, 347, 156, 157, 256, 257, 356, 357});
  static_assert(gives<spec<int, 2, dyn, 4>>(squares, spec<int, dyn>(), spec<int, 2>(), spec<int, 4>()));
  CHECK(elements(std::get<0>(jig::meshgrid(x))) == ints{1, 2, 3});
  CHECK(std::get<1>(jig::meshgrid(x, jig::zeros<int, dyn>(0))).shape() == jig::shape{2, {0, 3}});
  // The slope of a sum along the other axis.
  constexpr auto g = jig::function<"g(x, y)">([](auto a, auto b) {
    const auto [p, q] = jig::meshgrid(a, b);
    return jig::gradient(jig::reduce_sum(p * q), std::tuple(a, b));
  });
  const auto [by_x, by_y] = g(jig::tensor<float, 3>{1, 2, 3}, y);
  CHECK(elements(by_x) == std::vector<float>{15, 15, 15});
  CHECK(elements(by_y) == std::vector<float>{6, 6});
  const auto at_run_time = jig::dynamic_function([](auto a, auto b) { return std::get<1>(jig::meshgrid(a, b)); });
  CHECK(message_of([&] {
          (void)at_run_time(jig::any_tensor(x), jig::any_tensor(1));
        }).starts_with("meshgrid: the operands must have one axis"));
}
