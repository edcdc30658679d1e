// SPDX-License-Identifier: MIT
#include <jig/trace/traced_structure.hpp>

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <tuple>

namespace detail = jig::detail;
using jig::spec;
using number = jig::symbol<int>;
using vector = jig::symbol<float, 3>;

TEST_CASE("the leaves of a structure") {
  using nested = std::tuple<int, std::tuple<float, std::array<std::tuple<bool, double>, 2>>, std::tuple<>>;
  static_assert(std::is_same_v<detail::leaves_of<nested>, detail::leaf_list<int, float, bool, double, bool, double>>);
  static_assert(std::is_same_v<detail::leaves_of<int>, detail::leaf_list<int>>);
  static_assert(detail::leaf_count<nested> == 6 && detail::leaf_count<std::tuple<>> == 0);
}

TEST_CASE("what a structure holds") {
  static_assert(detail::holds_dynamic<std::tuple<int, std::tuple<jig::dynamic_symbol>>>);
  static_assert(!detail::holds_dynamic<std::tuple<int, number>>);
  static_assert(detail::holds_recorded<std::tuple<int, number>> && detail::holds_recorded<jig::dynamic_symbol>);
  static_assert(!detail::holds_recorded<std::tuple<int, jig::tensor<float, 2>>>);
}

TEST_CASE("structures of which one can become the other") {
  static_assert(detail::same_structure<std::tuple<number, vector>, std::tuple<int, vector>, false>());
  static_assert(!detail::same_structure<std::tuple<number, vector>, std::tuple<vector, number>, false>());
  static_assert(detail::same_structure<std::tuple<number, vector>, std::tuple<vector, number>, true>());
  static_assert(!detail::same_structure<std::tuple<number, vector>, std::tuple<number>, true>());
  static_assert(!detail::same_structure<std::tuple<number>, number, true>());
}

TEST_CASE("what is said of structures that differ") {
  constexpr jig::message said = detail::structure_reason<"cond", std::tuple<number, std::tuple<vector>>, number>::sentence;
  CHECK(said.view() == "cond: (int32 (); (float32 (3,))) and int32 () differ: both branches must return values of equal specs");
}

TEST_CASE("values change places") {
  constexpr auto f = jig::function<"f(x, y)">([](auto x, auto y) {
    auto [a, b] =
        jig::while_loop([](auto u, auto) { return u < 10; }, [](auto u, auto v) { return std::tuple(v, u + 1); }, std::tuple(x, y));
    return a - b;
  });
  // 0 9, 9 1, 1 10, 10 2.
  CHECK(f(0, 9)() == 8);
}
