// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

TEST_CASE("concat") {
  auto a = counted<int, 2, 2>();
  auto b = counted<int, 2, 3>();
  auto y = both([](const auto& v, const auto& w) { return jig::concat<1>(v, w); }, a, b);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 5>>);
  CHECK(elements(y) == ints{0, 1, 0, 1, 2, 2, 3, 3, 4, 5});
  CHECK(elements(jig::concat<0>(a, a)) == ints{0, 1, 2, 3, 0, 1, 2, 3});
  CHECK(elements(jig::concat<-1>(a)) == ints{0, 1, 2, 3});
  auto words = jig::concat<0>(jig::tensor<std::string, 1>{"a"}, jig::tensor<std::string, 2>{"b", "a longer word than others"});
  CHECK(words(2) == "a longer word than others");
  auto w = jig::concat<0>(jig::tensor<float, dyn>{1, 2}, std::vector<float>{3}, std::array<float, 2>{4, 5});
  static_assert(std::is_same_v<decltype(w), jig::tensor<float, dyn>>);
  CHECK(elements(w) == std::vector<float>{1, 2, 3, 4, 5});
  CHECK(jig::concat<0>(jig::tensor<float, dyn>{}, jig::tensor<float, dyn>{}).size() == 0);
  CHECK(jig::concat<0>(jig::tensor<float, 0>{}, jig::tensor<float, 1>{4})(0) == 4);

  constexpr auto f = [](auto v, auto u) { return jig::concat<0>(v, u); };
  static_assert(gives<jig::spec<float, dyn, 3>>(f, jig::spec<float, dyn, 3>(), jig::spec<float, 2, dyn>()));
  static_assert(gives<jig::spec<bool, 5, jig::dim<"n">>>(f, jig::spec<bool, 3, dyn>(), jig::spec<bool, 2, jig::dim<"n">>()));
  CHECK(message_of([&] { (void)jig::concat<0>(jig::zeros<int, dyn, dyn>(1, 2), jig::zeros<int, dyn, dyn>(1, 3)); }) ==
        "ConcatV2: extents differ beside the joined axis: int32 (1, 2) and int32 (1, 3)");
  // of computed and transposed values
  auto g = jig::function<"f(x)">([](auto v) { return jig::concat<1>(v * 2, jig::transpose(v), v + 1); });
  CHECK(elements(g(a)) == ints{0, 2, 0, 2, 1, 2, 4, 6, 1, 3, 3, 4});
}

TEST_CASE("stack and unstack") {
  auto a = counted<int, 2, 3>();
  auto y = both([](const auto& v) { return jig::stack(v, v + 10); }, a);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 2, 3>>);
  CHECK(elements(y) == ints{0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15});
  CHECK(elements(jig::stack<1>(a, a)) == ints{0, 1, 2, 0, 1, 2, 3, 4, 5, 3, 4, 5});
  CHECK(elements(jig::stack<-1>(a, a)) == ints{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5});
  CHECK(elements(jig::stack(jig::tensor<int>{1}, 2, 3)) == ints{1, 2, 3});
  auto wild = jig::stack(jig::tensor<int, dyn>{1, 2}, jig::tensor<int, 2>{3, 4});
  static_assert(std::is_same_v<decltype(wild), jig::tensor<int, 2, 2>>);
  CHECK(message_of([] { (void)jig::stack(jig::zeros<int, dyn>(1), jig::zeros<int, dyn>(2)); }) ==
        "Pack: shapes differ: int32 (1,) and int32 (2,)");

  auto [first, second] = jig::unstack(a);
  static_assert(std::is_same_v<decltype(first), jig::tensor<int, 3>>);
  CHECK(elements(first) == ints{0, 1, 2});
  CHECK(elements(second) == ints{3, 4, 5});
  auto columns = jig::unstack<-1>(a);
  static_assert(std::tuple_size_v<decltype(columns)> == 3);
  CHECK(elements(std::get<2>(columns)) == ints{2, 5});
  CHECK(elements(both(
            [](const auto& v) {
              auto parts = jig::unstack<1>(v);
              return std::get<0>(parts) * std::get<1>(parts) - std::get<2>(parts);
            },
            a)) == ints{-2, 7});
}

TEST_CASE("split") {
  auto x = counted<int, 4, 3>();
  auto [top, bottom] = jig::split<2>(x);
  static_assert(std::is_same_v<decltype(top), jig::tensor<int, 2, 3>>);
  CHECK(elements(bottom) == ints{6, 7, 8, 9, 10, 11});
  auto columns = jig::split<3, 1>(x);
  CHECK(elements(std::get<1>(columns)) == ints{1, 4, 7, 10});
  auto wild = jig::split<2>(counted<int, dyn>(6));
  CHECK(elements(std::get<1>(wild)) == ints{3, 4, 5});
  CHECK(message_of([] { (void)jig::split<2>(jig::zeros<int, dyn>(5)); }) == "Split: the axis does not divide into equal parts: int32 (5,)");
  auto f = jig::function<"f(x)">([](auto v) {
    auto [a, b] = jig::split<2, -1>(v);
    return a * b;
  });
  CHECK(elements(f(counted<int, 2, 4>())) == ints{0, 3, 24, 35});
  CHECK(f(jig::zeros<int, 2, 0>()).size() == 0);
}

TEST_CASE("stack and concat of arrays, tuples and lists of values") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    std::array rows{x, x, x};
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = x * static_cast<int>(i);
    return std::tuple(jig::stack<1>(rows), jig::concat<0>(rows));
  });
  const auto [columns, joined] = f(counted<int, 2>());
  CHECK(elements(columns) == ints{0, 0, 0, 0, 1, 2});
  CHECK(elements(joined) == ints{0, 0, 0, 1, 0, 2});
  // What unstack returns: a tuple, or a std::vector at run time.
  constexpr auto turned =
      jig::function<"turned(x)">([](auto x) { return std::tuple(jig::stack<1>(jig::unstack<0>(x)), jig::concat<-1>(jig::unstack<0>(x))); });
  const auto a = counted<int, 2, 3>();
  const auto [transposed, flat] = turned(a);
  static_assert(std::is_same_v<decltype(transposed), const jig::tensor<int, 3, 2>>);
  CHECK(elements(transposed) == ints{0, 3, 1, 4, 2, 5});
  CHECK(elements(flat) == ints{0, 1, 2, 3, 4, 5});
  const auto [also, too] = turned(jig::any_tensor(a));
  CHECK(also.as<int>()(1, 0) == 1);
  CHECK(also.as<int>()(0, 1) == 3);
  CHECK(too.shape() == jig::shape{1, {6}});
  CHECK(elements(jig::stack<0>(std::array{a, a})) == ints{0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5});
  // A std::array of numbers is one tensor.
  CHECK(jig::stack<0>(std::array{1, 2, 3}).shape() == jig::shape{2, {1, 3}});
  constexpr auto of_none = jig::function<"of_none(x)">([](auto x) {
    std::vector<decltype(x)> none;
    return jig::stack<0>(none);
  });
  CHECK(message_of([&] { (void)of_none(jig::any_tensor(a)); }).find("Pack: expected one tensor at least") != std::string::npos);
}
