// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

TEST_CASE("gather") {
  auto x = counted<int, 3, 2>();
  auto rows = both([](const auto& v, const auto& i) { return jig::gather(v, i); }, x, std::array<int, 4>{2, 0, 0, 1});
  static_assert(std::is_same_v<decltype(rows), jig::tensor<int, 4, 2>>);
  CHECK(elements(rows) == ints{4, 5, 0, 1, 0, 1, 2, 3});
  // the last one: strided inputs, strided indices
  auto f = jig::function<"f(x, i, k)">([](auto v, auto i, auto k) {
    return std::tuple(jig::gather(v, 2), jig::gather<-1>(v, i), jig::gather(jig::transpose(v), jig::reverse(k)));
  });
  auto [row, columns, turned] = f(x, jig::tensor<std::int64_t, 2, 2>{{1, 0}, {1, 1}}, std::array<int, 2>{0, 1});
  static_assert(std::is_same_v<decltype(row), jig::tensor<int, 2>>);
  CHECK(elements(row) == ints{4, 5});
  CHECK(elements(turned) == ints{1, 3, 5, 0, 2, 4});
  static_assert(std::is_same_v<decltype(columns), jig::tensor<int, 3, 2, 2>>);
  CHECK(elements(columns) == ints{1, 0, 1, 1, 3, 2, 3, 3, 5, 4, 5, 5});
  auto middle = jig::gather<1>(counted<double, 2, 3, 2>(), std::vector<std::uint8_t>{2, 1});
  static_assert(std::is_same_v<decltype(middle), jig::tensor<double, 2, dyn, 2>>);
  CHECK(elements(middle) == std::vector<double>{4, 5, 2, 3, 10, 11, 8, 9});
  CHECK(jig::gather(jig::tensor<std::string, 2>{"a", "b"}, 1)() == "b");
  CHECK(jig::gather(counted<int, dyn, dyn>(3, 2), jig::tensor<int, dyn>{}).size() == 0);
  CHECK(jig::gather<1>(jig::zeros<int, 0, 3>(), 7).size() == 0);
}

TEST_CASE("an index out of range throws") {
  auto x = counted<int, 3, 2>();
  CHECK(message_of([&] { (void)jig::gather(counted<int, dyn, dyn>(3, 2), jig::tensor<int, dyn>{0, 7}); }) ==
        "GatherV2: index 7 is out of range for axis 0 with 3 elements");
  CHECK(message_of([&] { (void)jig::gather<1>(x, std::array<int, 2>{0, -1}); }) ==
        "GatherV2: index -1 is out of range for axis 1 with 2 elements");
  CHECK(message_of([&] { (void)jig::gather(jig::zeros<int, dyn, dyn>(0, 2), jig::tensor<int, dyn>{0}); }) ==
        "GatherV2: index 0 is out of range for axis 0 with 0 elements");
  CHECK_THROWS_AS(jig::gather(x, ~std::uint64_t{0}), jig::invalid_argument);
  CHECK(message_of([&] { (void)jig::gather_nd(jig::zeros<int, 2, 3, 2>(), jig::tensor<int, dyn, 3>{{1, 3, 0}}); }) ==
        "GatherNd: index 3 is out of range for axis 1 with 3 elements");
}

TEST_CASE("parts along the first axis") {
  auto x = counted<int, 3, 2>();
  CHECK(elements(jig::element(x, 1)) == ints{2, 3});
  auto f = jig::function<"f(x, i)">([](auto v, auto i) {
    return std::tuple(jig::element(v, i) + jig::element(v, jig::lit<0>), jig::element(v, jig::lit<-1>),
                      jig::element(jig::element(v, i), 1));
  });
  auto [sum, last, number] = f(x, 2);
  CHECK(elements(sum) == ints{4, 6});
  CHECK(elements(last) == ints{4, 5});
  CHECK(number() == 5);
  CHECK_THROWS_AS(jig::element(x, -1), jig::invalid_argument);
  static_assert(
      gives<jig::spec<float, 4>>([](auto v, auto i) { return jig::element(v, i); }, jig::spec<float, dyn, 4>(), jig::spec<int>()));
}

TEST_CASE("gather of the same positions of many rows") {
  // As many positions as registers hold, and one more; parts of one element and of several; one row and none.
  constexpr auto f = jig::function([](auto v, auto i) { return jig::gather<1>(v, i); });
  const auto check = [&](const auto& x, const auto& at) {
    const auto y = f(x, at);
    const jig::index parts = static_cast<jig::index>(at.size()), size = x.extent(2);
    REQUIRE(y.size() == x.extent(0) * parts * size);
    bool same = true;
    for (jig::index i = 0; i < x.extent(0); ++i)
      for (jig::index k = 0; k < parts; ++k)
        for (jig::index j = 0; j < size; ++j)
          same = same && y.data()[(i * parts + k) * size + j] == x(i, static_cast<jig::index>(at.data()[k]), j);
    CHECK(same);
  };
  jig::tensor<int, 16> few;
  jig::tensor<std::uint8_t, 17> many;
  for (jig::index k = 0; k < 17; ++k) {
    if (k < 16) few(k) = static_cast<int>(k * 5 % 7);
    many(k) = static_cast<std::uint8_t>(k * 3 % 7);
  }
  for (jig::index rows : {0, 1, 2, 9}) {
    check(counted<int, dyn, 7, 1>(rows), few);
    check(counted<double, dyn, dyn, 3>(rows, 7), many);
    check(counted<std::uint8_t, dyn, 7, dyn>(rows, 2), std::vector<int>{6, 0, 3});
  }
  check(counted<int, 5, 7, 1>(), few);
  auto y = jig::zeros<int, 3, 2>();
  const auto x = counted<int, 3, 4>();
  CHECK_THROWS_AS(f.into(y, x, std::array<int, 2>{1, 4}), jig::invalid_argument);
  CHECK(elements(y) == ints{0, 0, 0, 0, 0, 0});
}

TEST_CASE("gather_nd") {
  auto x = counted<int, 2, 3, 2>();
  auto y = traced([](const auto& v, const auto& i) { return jig::gather_nd(v, i); }, x, jig::tensor<int, 2, 2>{{1, 2}, {0, 1}});
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 2>>);
  CHECK(elements(y) == ints{10, 11, 2, 3});
  auto singles = jig::gather_nd(x, jig::tensor<int, dyn, 3>{{1, 2, 0}, {0, 0, 1}});
  static_assert(std::is_same_v<decltype(singles), jig::tensor<int, dyn>>);
  CHECK(elements(singles) == ints{10, 1});
  auto f = jig::function<"f(x)">([](auto v) {
    return std::tuple(jig::gather_nd(v, jig::tensor<int, 3>{1, 1, 1}), jig::gather_nd(v, jig::zeros<int, 2, 0>()),
                      jig::gather_nd(jig::transpose(v), jig::tensor<int, 1, 2>{{1, 2}}));
  });
  auto [one, whole, turned] = f(x);
  CHECK(one() == 9);
  CHECK(whole.size() == 24);
  CHECK(elements(turned) == ints{5, 11});
}

TEST_CASE("what nobody uses is not looked up") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    (void)jig::gather(x, 1);
    return x;
  });
  constexpr auto traced = f.get_concrete_function(jig::spec<float, 1>());
  static_assert(traced.graph().count("GatherV2") == 1 && traced.optimized_graph().count("GatherV2") == 0);
  CHECK(f(jig::tensor<float, 1>{3})(0) == 3);
}
