// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

using jig::dyn;

namespace {

using longs = std::vector<std::int64_t>;

template <class Expected, class F, class... S>
constexpr bool gives(F, S...) {
  return std::is_same_v<typename decltype(jig::function<"f(x)">(F()).get_concrete_function(S()...))::output_spec, Expected>;
}

std::string message_of(auto&& f) {
  try {
    f();
  } catch (const jig::invalid_argument& e) {
    return e.what();
  }
  return "no exception";
}

// Shared by the tests of what is in range and of what is not, so that each is compiled once.
constexpr auto rows_set = jig::function<"f(x, i, r)">([](auto v, auto i, auto r) {
  return std::tuple(jig::set_row(v, i, r * 2), jig::set_row(v, 1, jig::tensor<int, 2>{7, 7}),
                    jig::set_row(v, 0, jig::reverse(jig::element(v, 1))));
});
constexpr auto window = jig::function<"f(x, begin)">([](auto v, auto begin) { return jig::slice<2, 2>(v, begin); });

constexpr float quiet = std::numeric_limits<float>::quiet_NaN();

}  // namespace

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
  CHECK(message_of([&] { (void)jig::scatter_nd<1>(jig::tensor<int, 2, 1>{{0}, {2}}, std::array<std::int8_t, 2>{1, 1}); }) ==
        "ScatterNd: index 2 is out of range for axis 0 with 1 elements");
  CHECK(message_of([&] { (void)rows_set(x, 3, std::array<int, 2>{1, 1}); }) ==
        "TensorScatterUpdate: index 3 is out of range for axis 0 with 3 elements");
  CHECK(message_of([&] { (void)window(counted<int, 3, 4>(), std::array<int, 2>{2, 0}); }) ==
        "Slice: begin 2 with size 2 is out of range for axis 0 with 3 elements");
  CHECK_THROWS_AS(window(counted<int, 3, 4>(), std::array<int, 2>{-1, 0}), jig::invalid_argument);
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

TEST_CASE("scatter_nd adds") {
  auto y = traced([](const auto& i, const auto& u) { return jig::scatter_nd<4, 2>(i, u); }, jig::tensor<int, 3, 1>{{1}, {3}, {1}},
                  counted<float, 3, 2>());
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, 4, 2>>);
  CHECK(elements(y) == std::vector<float>{0, 0, 4, 6, 0, 0, 2, 3});
  auto wrapped = jig::scatter_nd<1>(jig::tensor<int, 2, 1>{{0}, {0}}, std::array<std::int8_t, 2>{100, 100});
  CHECK(wrapped(0) == -56);
  CHECK(elements(jig::scatter_nd<3>(jig::zeros<int, dyn, 1>(0), jig::zeros<int, dyn>(0))) == ints{0, 0, 0});
  CHECK(message_of([] {
          (void)jig::scatter_nd<3>(jig::zeros<int, dyn, 1>(2), jig::zeros<int, dyn>(1));
        }).starts_with("ScatterNd: the updates do not have the shape that the indices pick"));
  // the gradient of a gather
  auto x = counted<double, 3, 2>();
  auto f = jig::function<"f(x, i, g)">(
      [](auto v, auto i, auto g) { return jig::tensor_scatter_add(jig::zeros_like(v), jig::expand_dims<-1>(i), g); });
  CHECK(elements(f(x, std::array<int, 3>{2, 2, 0}, counted<double, 3, 2>())) == std::vector<double>{4, 5, 0, 0, 2, 4});
}

TEST_CASE("updates in place of elements") {
  auto x = counted<int, 3, 2>();
  auto y = traced(
      [](const auto& v) { return jig::tensor_scatter_update(v, jig::tensor<int, 2, 2>{{0, 1}, {2, 0}}, std::array<int, 2>{8, 9}); }, x);
  CHECK(elements(y) == ints{0, 8, 2, 3, 9, 5});
  // the last one: a strided row
  auto [first, second, turned] = rows_set(x, 0, std::array<int, 2>{1, 2});
  CHECK(elements(first) == ints{2, 4, 2, 3, 4, 5});
  CHECK(elements(second) == ints{0, 1, 7, 7, 4, 5});
  CHECK(elements(turned) == ints{3, 2, 2, 3, 4, 5});
  CHECK(elements(traced([](const auto& v) { return jig::set_row(v, 2, 5); }, counted<float, dyn>(4))) == std::vector<float>{0, 1, 5, 3});
  CHECK(jig::set_row(jig::tensor<std::string, 2>{"a", "b"}, 0, std::string("c"))(0) == "c");
  CHECK(jig::set_row(jig::zeros<bool, 2>(), 1, true)(1));
}

TEST_CASE("slices whose begin is a value") {
  auto x = counted<int, 3, 4>();
  auto y = window(x, std::array<int, 2>{1, 2});
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 2>>);
  CHECK(elements(y) == ints{6, 7, 10, 11});
  auto whole = jig::slice<dyn, 1>(counted<int, dyn, 4>(2), std::array<int, 2>{0, 3});
  static_assert(std::is_same_v<decltype(whole), jig::tensor<int, dyn, 1>>);
  CHECK(elements(whole) == ints{3, 7});
  CHECK(elements(jig::function<"f(x)">([](auto v) { return jig::slice<2, 1>(jig::transpose(v), jig::tensor<int, 2>{2, 1}); })(x)) ==
        ints{6, 7});
  CHECK(message_of([] { (void)jig::slice<3>(jig::zeros<int, dyn>(2), 0); }).starts_with("Slice: the slice is longer than its axis"));
  CHECK(jig::slice<0>(jig::zeros<int, 3>(), 3).size() == 0);
}

TEST_CASE("one_hot") {
  auto y = traced([](const auto& i) { return jig::one_hot<3>(i); }, std::array<int, 4>{0, 2, 3, -1});
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, 4, 3>>);
  CHECK(elements(y) == std::vector<float>{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0});
  auto flags = jig::one_hot<2, bool>(std::uint64_t{1});
  static_assert(std::is_same_v<decltype(flags), jig::tensor<bool, 2>>);
  CHECK(flags(1));
  static_assert(gives<jig::spec<int, dyn, 2, 5>>([](auto i) { return jig::one_hot<5, int>(i); }, jig::spec<std::int64_t, dyn, 2>()));
}

TEST_CASE("argmax and argmin") {
  jig::tensor<float, 2, 4> x{{1, 3, 3, 2}, {0, -5, -5, 7}};
  auto y = traced([](const auto& v) { return jig::argmax<1>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<std::int64_t, 2>>);
  CHECK(elements(y) == longs{1, 3});
  auto f = jig::function<"f(x)">([](auto v) { return std::tuple(jig::argmin<-1>(v), jig::argmax(v), jig::argmax(jig::transpose(v))); });
  auto [lowest, along_columns, turned] = f(x);
  CHECK(elements(lowest) == longs{0, 1});
  CHECK(elements(along_columns) == longs{0, 0, 0, 1});
  CHECK(elements(turned) == longs{1, 3});
  auto g = jig::function<"g(x)">([](auto v) { return std::tuple(jig::argmax(v), jig::argmin(v)); });
  auto [most, least] = g(std::vector<float>{2, quiet, 9, quiet});
  CHECK(most() == 1);
  CHECK(least() == 1);
  CHECK(std::get<0>(g(std::vector<float>{quiet, 9}))() == 0);
  CHECK(jig::argmax(jig::tensor<bool, 3>{false, true, true})() == 1);
  CHECK(jig::argmin(std::vector<std::uint8_t>{3, 2, 2})() == 1);
  CHECK(jig::argmax<1>(jig::zeros<int, 0, 3>()).size() == 0);
  CHECK(message_of([] { (void)jig::argmin(std::vector<std::uint8_t>()); }) == "ArgMin: axis 0 has no elements");
}

TEST_CASE("running sums and products") {
  auto x = counted<int, 2, 3>();
  CHECK(elements(traced([](const auto& v) { return jig::cumsum<1>(v); }, x)) == ints{0, 1, 3, 3, 7, 12});
  auto [down, products] = jig::function<"f(x)">([](auto v) { return std::tuple(jig::cumsum(v), jig::cumprod<-1>(v + 1)); })(x);
  CHECK(elements(down) == ints{0, 1, 2, 3, 5, 7});
  CHECK(elements(products) == ints{1, 2, 6, 4, 20, 120});
  auto backwards = jig::function<"f(x)">([](auto v) { return jig::reverse(jig::cumsum(jig::reverse(v))); });
  CHECK(elements(backwards(std::vector<double>{1, 2, 3})) == std::vector<double>{6, 5, 3});
  CHECK(backwards(std::vector<double>()).size() == 0);
  CHECK(elements(jig::cumsum(std::array<std::int8_t, 3>{100, 100, 1})) == std::vector<std::int8_t>{100, -56, -55});
  CHECK(jig::cumprod(std::array<std::int32_t, 2>{1 << 30, 4})(1) == 0);
  auto cube = counted<double, 2, 3, 2>();
  auto sums = jig::cumsum<1>(cube);
  for (int a = 0; a < 2; ++a)
    for (int c = 0; c < 2; ++c) {
      double total = 0;
      for (int b = 0; b < 3; ++b) CHECK(sums(a, b, c) == (total += cube(a, b, c)));
    }
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

TEST_CASE("a slice is replaced by an update of its shape") {
  constexpr auto put =
      jig::function<"f(x, begin, update)">([](auto x, auto begin, auto update) { return jig::slice_update<2, dyn>(x, begin, update); });
  const auto x = counted<int, 3, 2>();
  const jig::tensor<int, 2, 2> update{{10, 11}, {12, 13}};
  const std::array<int, 2> last{1, 0};
  CHECK(elements(put(x, last, update)) == ints{0, 1, 10, 11, 12, 13});
  CHECK(elements(jig::slice_update<2, dyn>(x, last, update)) == ints{0, 1, 10, 11, 12, 13});
  const jig::tensor<int, dyn, dyn> any_extent(x.view());
  CHECK(elements(put(any_extent, last, jig::transpose(update))) == ints{0, 1, 10, 12, 11, 13});
  CHECK(elements(any_extent) == ints{0, 1, 2, 3, 4, 5});
  const std::array<int, 2> outside{2, 0}, before{-1, 0};
  CHECK(message_of([&] { (void)put(any_extent, outside, update); }) ==
        "Slice: begin 2 with size 2 is out of range for axis 0 with 3 elements");
  CHECK_THROWS_AS(put(any_extent, before, update), jig::invalid_argument);
  CHECK_THROWS_AS(put(any_extent, last, counted<int, dyn, dyn>(2, 3)), jig::invalid_argument);
  // One element.
  CHECK(elements(jig::slice_update<1, 1>(x, std::array<int, 2>{2, 1}, jig::tensor<int, 1, 1>{{9}})) == ints{0, 1, 2, 3, 4, 9});
  CHECK(message_of([&] { (void)jig::slice_update<1, 1>(x, std::array<int, 2>{0, 2}, jig::tensor<int, 1, 1>{{9}}); }) ==
        "Slice: begin 2 with size 1 is out of range for axis 1 with 2 elements");
}
