// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

constexpr double quiet = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();

// Numbers with many equal ones.
std::vector<double> shuffled(int n) {
  std::vector<double> out;
  for (int i = 0; i < n; ++i) out.push_back(static_cast<double>(i * 7919 % 23) - 11);
  return out;
}

constexpr auto both_ways = jig::function<"f(x)">(
    [](auto x) { return std::make_tuple(jig::sort(x), jig::argsort(x), jig::sort(x, jig::descending), jig::argsort(x, jig::descending)); });

}  // namespace

TEST_CASE("sort and argsort") {
  for (int n : {0, 1, 2, 17, 300}) {
    auto x = shuffled(n), expected = x;
    std::sort(expected.begin(), expected.end());
    auto [values, positions, values_down, positions_down] = both_ways(x);
    static_assert(std::is_same_v<decltype(positions), jig::tensor<std::int32_t, dyn>>);
    CHECK(elements(values) == expected);
    ints order(static_cast<std::size_t>(n));
    std::iota(order.begin(), order.end(), 0);
    auto at = [&](int i) { return x[static_cast<std::size_t>(i)]; };
    std::sort(order.begin(), order.end(), [&](int i, int k) { return std::pair(at(i), i) < std::pair(at(k), k); });
    CHECK(elements(positions) == order);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int i, int k) { return std::pair(-at(i), i) < std::pair(-at(k), k); });
    std::reverse(expected.begin(), expected.end());
    CHECK(elements(values_down) == expected);
    CHECK(elements(positions_down) == order);
  }
}

TEST_CASE("along any axis, of any layout") {
  jig::tensor<int, 3, 2> x{{3, 1}, {2, 5}, {9, 0}};
  auto f = [](const auto& v) {
    return std::make_tuple(jig::sort<0>(v), jig::argsort<-2>(v), jig::sort(jig::transpose(v), jig::descending));
  };
  auto [columns, positions, rows] = jig::function<"f(x)">(f)(x);
  CHECK(elements(columns) == ints{2, 0, 3, 1, 9, 5});
  CHECK(elements(positions) == ints{1, 2, 0, 0, 2, 1});
  CHECK(elements(rows) == ints{9, 3, 2, 5, 1, 0});
  CHECK(elements(jig::sort<1>(jig::tensor<std::string, 2, 2, 1>{{{"b"}, {"a"}}, {{""}, {"c"}}})) ==
        std::vector<std::string>{"a", "b", "", "c"});
  CHECK(jig::sort<0>(jig::zeros<int, 0, 3>()).shape() == jig::shape{2, {0, 3}});
}

TEST_CASE("NaN counts as largest") {
  std::vector<double> x{quiet, 1, -infinite, infinite, quiet, 0};
  auto [sorted, positions, sorted_down, positions_down] = both_ways(x);
  CHECK(elements(positions) == ints{2, 5, 1, 3, 0, 4});
  CHECK(elements(positions_down) == ints{0, 4, 3, 1, 5, 2});
  CHECK((std::isnan(sorted_down(1)) && sorted_down(2) == infinite));
  CHECK((sorted(0) == -infinite && sorted(3) == infinite && std::isnan(sorted(4)) && std::isnan(sorted(5))));
  CHECK(elements(std::get<1>(jig::top_k<3>(x))) == ints{0, 4, 3});
}

TEST_CASE("top_k") {
  auto [values, positions] = jig::function<"f(x)">([](auto x) { return jig::top_k<2>(jig::transpose(x)); })(
      jig::tensor<float, 4, 2>{{1, 0}, {7, -1}, {3, -2}, {7, -3}});
  static_assert(std::is_same_v<decltype(values), jig::tensor<float, 2, 2>>);
  CHECK(elements(values) == std::vector<float>{7, 7, 0, -1});
  CHECK(elements(positions) == ints{1, 3, 0, 1});
  CHECK(elements(std::get<0>(jig::top_k<2>(std::vector<int>{1, 3, 2}))) == ints{3, 2});
  CHECK_THROWS_WITH_AS(jig::top_k<2>(std::vector<int>{1}), "TopKV2: the last axis has fewer than k elements: int32 (1,)",
                       jig::invalid_argument);
  // One node with two results, of which one is used.
  constexpr auto g = jig::function<"g(x)">([](auto x) { return std::get<1>(jig::top_k<1>(x)); });
  using traced = decltype(g.get_concrete_function(jig::spec<float, dyn, 5>()));
  static_assert(traced::graph().size() == 2 && std::is_same_v<traced::output_spec, jig::spec<std::int32_t, dyn, 1>>);
  CHECK(g(jig::tensor<float, 1, 5>{{1, 2, 5, 4, 3}})(0, 0) == 2);
}

TEST_CASE("unique") {
  auto f = jig::function<"f(x)">([](auto x) {
    auto [values, which] = jig::unique(x);
    return std::make_tuple(values + 1, which, jig::gather(values, which) - x);
  });
  for (int n : {0, 1, 5, 200}) {
    auto x = shuffled(n);
    std::vector<double> expected;
    ints positions;
    for (double v : x) {
      auto found = std::find(expected.begin(), expected.end(), v);
      positions.push_back(static_cast<int>(found - expected.begin()));
      if (found == expected.end()) expected.push_back(v);
    }
    for (double& v : expected) v += 1;
    auto [values, which, zeros] = f(x);
    static_assert(std::is_same_v<decltype(values), jig::tensor<double, dyn>>);
    CHECK(elements(values) == expected);
    CHECK(elements(which) == positions);
    CHECK(elements(zeros) == std::vector<double>(x.size()));
  }
  CHECK(std::get<0>(f(std::vector<double>{quiet, 0.0, quiet, -0.0})).size() == 3);
}

TEST_CASE("results of ops with several, in branches and of variables") {
  constexpr auto f = jig::function<"f(x, v)">([](auto x, auto& v) {
    auto [values, positions] = jig::top_k<2>(v);
    if (jig::reduce_sum(x) > 0) {
      auto [a, b] = jig::top_k<2>(x);
      values = a;
      positions = b;
    }
    return std::make_tuple(values, positions);
  });
  jig::variable<float, 3> v{4, 6, 5};
  auto r = f(jig::tensor<float, 3>{1, 2, 3}, v), s = f(jig::tensor<float, 3>{-1, -2, -3}, v);
  CHECK(elements(std::get<0>(r)) == std::vector<float>{3, 2});
  CHECK(elements(std::get<1>(r)) == ints{2, 1});
  CHECK(elements(std::get<0>(s)) == std::vector<float>{6, 5});
  CHECK(elements(std::get<1>(s)) == ints{1, 2});
}
