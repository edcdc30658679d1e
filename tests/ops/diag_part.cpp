// SPDX-License-Identifier: MIT
#include <jig/ops/diag_part.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

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

TEST_CASE("extents that are checked to be equal") {
  using pairs = jig::attributes<jig::integers<"axes", 1, 0>>;
  auto checked = [](const auto& v, const auto& like) { return jig::call<jig::ops::ensure_shape, pairs>(v, like); };
  CHECK(elements(checked(counted<int, dyn, dyn>(2, 3), counted<int, dyn>(3))) == ints{0, 1, 2, 3, 4, 5});
  CHECK_THROWS_AS(checked(counted<int, dyn, dyn>(2, 3), counted<int, dyn>(2)), jig::invalid_argument);
  auto f = jig::function<"f(x, y)">(checked);
  static_assert(std::is_same_v<decltype(f(counted<int, dyn, dyn>(2, 3), counted<int, 3>())), jig::tensor<int, dyn, 3>>);
  CHECK_THROWS_AS(f(counted<int, dyn, dyn>(2, 4), counted<int, 3>()), jig::invalid_argument);
}
