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

namespace {

template <class F, class... S>
using result_spec = typename decltype(jig::function<"f(x)">(F()).get_concrete_function(S()...))::output_spec;

template <class... Expected, class F, class... S>
constexpr bool gives(F, S...) {
  return (std::is_same_v<result_spec<F, S...>, Expected> && ...);
}

std::string message_of(auto&& f) {
  try {
    f();
  } catch (const jig::invalid_argument& e) {
    return e.what();
  }
  return "no exception";
}

}  // namespace

TEST_CASE("reshape") {
  auto x = counted<int, 2, 3, 2>();
  auto y = both([](const auto& v) { return jig::reshape<3, 4>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 3, 4>>);
  CHECK(elements(y) == elements(x));
  static_assert(std::is_same_v<decltype(jig::reshape<jig::infer, 6>(x)), jig::tensor<int, 2, 6>>);
  static_assert(std::is_same_v<decltype(jig::flatten(x)), jig::tensor<int, 12>>);
  CHECK(jig::reshape<>(jig::tensor<int, 1, 1>{{7}})() == 7);
  static_assert(std::is_same_v<decltype(jig::flatten(2.5f)), jig::tensor<float, 1>>);
  CHECK(jig::flatten(2.5f)(0) == 2.5f);
  CHECK(elements(jig::reshape<2, 2>(std::array<int, 4>{1, 2, 3, 4})) == ints{1, 2, 3, 4});
  CHECK(jig::reshape<2>(jig::tensor<std::string, 1, 2>{{"a", "bc"}})(1) == "bc");
  CHECK(jig::reshape<0, 5>(jig::zeros<float, 3, 0>()).extent(1) == 5);
}

TEST_CASE("reshape with wildcard and named extents") {
  using jig::spec;
  constexpr auto rows = [](auto x) { return jig::reshape<jig::infer, 2>(x); };
  static_assert(gives<spec<float, dyn, 2>>(rows, spec<float, dyn, dyn>()));
  static_assert(gives<spec<float, jig::dim<"n">, 2>>(rows, spec<float, jig::dim<"n">, 2>()));
  constexpr auto fixed = [](auto x) { return jig::reshape<2, 3>(x); };
  static_assert(gives<spec<float, 2, 3>>(fixed, spec<float, dyn>()));
  constexpr auto named = [](auto x) { return jig::reshape<jig::dim<"n">, 2, 2>(x); };
  static_assert(gives<spec<float, jig::dim<"n">, 2, 2>>(named, spec<float, jig::dim<"n">, 4>()));
  constexpr auto flat = [](auto x) { return jig::flatten(x); };
  static_assert(gives<spec<float, dyn>>(flat, spec<float, dyn, dyn>()));
  static_assert(gives<spec<float, jig::dim<"n">>>(flat, spec<float, 1, jig::dim<"n">>()));

  auto x = counted<float, dyn, dyn>(4, 3);
  auto y = jig::reshape<jig::infer, 2>(x);
  CHECK(y.extent(0) == 6);
  CHECK(y(5, 1) == 11);
  CHECK(jig::flatten(x).size() == 12);
  auto batch = jig::function<"f(x)">(named).get_concrete_function(spec<float, jig::dim<"n">, 4>())(counted<float, dyn, 4>(3));
  CHECK(batch(2, 1, 0) == 10);
  CHECK(jig::reshape<2, 3>(counted<float, dyn>(6))(1, 2) == 5);

  CHECK(message_of([&] { (void)jig::reshape<2, 3>(jig::zeros<float, dyn>(5)); }) ==
        "Reshape: the numbers of elements differ: float32 (5,)");
  CHECK(message_of([&] { (void)jig::reshape<jig::infer, 5>(x); }) ==
        "Reshape: the elements do not divide by these extents: float32 (4, 3)");
  auto none = jig::reshape<jig::infer, 2>(jig::zeros<float, dyn, dyn>(0, 3));
  CHECK(none.extent(0) == 0);
}

TEST_CASE("extents of another tensor") {
  auto x = counted<float, dyn>(6);
  auto like = counted<double, dyn, dyn>(2, 3);
  auto y = both([](const auto& a, const auto& b) { return jig::reshape_like(a, b); }, x, like);
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, dyn, dyn>>);
  CHECK(y(1, 0) == 3);
  CHECK(message_of([&] { (void)jig::reshape_like(jig::zeros<float, dyn>(5), like); }).starts_with("Reshape: the numbers"));
  auto z = both([](const auto& a, const auto& b) { return jig::broadcast_like(a, b); }, jig::tensor<int, dyn>{1, 2, 3}, like);
  static_assert(std::is_same_v<decltype(z), jig::tensor<int, dyn, dyn>>);
  CHECK(elements(z) == ints{1, 2, 3, 1, 2, 3});
  auto column = jig::broadcast_like(jig::tensor<int, dyn, 1>{{5}, {6}}, like);
  CHECK(elements(column) == ints{5, 5, 5, 6, 6, 6});
  CHECK_THROWS_AS(jig::broadcast_like(jig::tensor<int, dyn>{1, 2}, like), jig::invalid_argument);
  // Broadcasting is one way: the target does not grow.
  CHECK_THROWS_AS(jig::broadcast_like(jig::tensor<int, 2>{1, 2}, jig::zeros<int, dyn>(1)), jig::invalid_argument);
  // Only the extents of the other one count, which need not be computed.
  auto f = jig::function<"f(x, y)">([](auto a, auto b) { return jig::reshape_like(a, jig::exp(b)) + 1; });
  CHECK(f(x, like)(1, 2) == 6);
}

TEST_CASE("transpose") {
  auto x = counted<int, 2, 3>();
  auto y = both([](const auto& v) { return jig::transpose(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 3, 2>>);
  CHECK(elements(y) == ints{0, 3, 1, 4, 2, 5});
  auto cube = counted<double, 2, 3, 4>();
  auto z = both([](const auto& v) { return jig::transpose<1, 0, 2>(v); }, cube);
  static_assert(std::is_same_v<decltype(z), jig::tensor<double, 3, 2, 4>>);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j)
      for (int k = 0; k < 4; ++k) CHECK(z(i, j, k) == cube(j, i, k));
  auto w = both([](const auto& v) { return jig::transpose<-1, 0, -2>(v) * 2; }, cube);
  CHECK(w(3, 1, 2) == 2 * cube(1, 2, 3));
  CHECK(jig::transpose(jig::tensor<float>{3.0f})() == 3.0f);
  // a transposed view, transposed back and reshaped
  float memory[6] = {0, 1, 2, 3, 4, 5};
  jig::view<const float, dyn, dyn> columns(memory, {3, 2}, {1, 3});
  auto rows = jig::transpose(columns);
  CHECK(rows(1, 2) == 5);
  CHECK(elements(jig::flatten(columns)) == std::vector<float>{0, 3, 1, 4, 2, 5});
  CHECK(elements(jig::function<"f(x)">([](auto v) { return jig::flatten(jig::transpose(jig::transpose(v))); })(columns)) ==
        std::vector<float>{0, 3, 1, 4, 2, 5});
  constexpr auto f = [](auto v) { return jig::transpose(v); };
  static_assert(gives<jig::spec<float, dyn, jig::dim<"n">>>(f, jig::spec<float, jig::dim<"n">, dyn>()));
}

TEST_CASE("axes of extent 1") {
  auto x = counted<int, 2, 1, 3, 1>();
  static_assert(std::is_same_v<decltype(jig::squeeze(x)), jig::tensor<int, 2, 3>>);
  static_assert(std::is_same_v<decltype(jig::squeeze<-1>(x)), jig::tensor<int, 2, 1, 3>>);
  static_assert(std::is_same_v<decltype(jig::squeeze<1, 3>(x)), jig::tensor<int, 2, 3>>);
  static_assert(std::is_same_v<decltype(jig::squeeze(jig::zeros<int, dyn, 1>(1))), jig::tensor<int, dyn>>);
  static_assert(std::is_same_v<decltype(jig::expand_dims<0>(x)), jig::tensor<int, 1, 2, 1, 3, 1>>);
  static_assert(std::is_same_v<decltype(jig::expand_dims<-1>(x)), jig::tensor<int, 2, 1, 3, 1, 1>>);
  static_assert(std::is_same_v<decltype(jig::expand_dims<2>(jig::zeros<int, dyn, 5>(4))), jig::tensor<int, dyn, 5, 1>>);
  CHECK(elements(both([](const auto& v) { return jig::squeeze<1>(jig::expand_dims<1>(v)); }, x)) == elements(x));
  CHECK(jig::squeeze<0>(jig::full<int, dyn, 2>(3, 1))(1) == 3);
  CHECK(message_of([] { (void)jig::squeeze<0>(jig::zeros<int, dyn, 2>(3)); }) ==
        "Squeeze: a squeezed axis must have extent 1: int32 (3, 2)");
}

TEST_CASE("broadcast_to") {
  auto x = jig::tensor<int, 2, 1>{{1}, {2}};
  auto y = both([](const auto& v) { return jig::broadcast_to<2, 2, 3>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 2, 3>>);
  CHECK(elements(y) == ints{1, 1, 1, 2, 2, 2, 1, 1, 1, 2, 2, 2});
  auto z = jig::broadcast_to<2, dyn>(jig::tensor<int, dyn>{4, 5});
  static_assert(std::is_same_v<decltype(z), jig::tensor<int, 2, dyn>>);
  CHECK(elements(z) == ints{4, 5, 4, 5});
  CHECK(elements(jig::broadcast_to<3>(7)) == ints{7, 7, 7});
  CHECK(elements(jig::broadcast_to<3>(jig::tensor<int, dyn>{7})) == ints{7, 7, 7});
  CHECK(message_of([] { (void)jig::broadcast_to<3>(jig::zeros<int, dyn>(2)); }) ==
        "BroadcastTo: its extents must be 1 or those of the target: int32 (2,)");
  CHECK(jig::broadcast_to<0>(jig::tensor<int, 1>{7}).size() == 0);
  // sums read it without the copy
  auto f = jig::function<"f(x)">([](auto v) { return jig::reduce_sum<0>(jig::broadcast_to<4, 2, 3>(v)); });
  CHECK(elements(f(x)) == ints{4, 4, 4, 8, 8, 8});
}

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

TEST_CASE("tile and pad") {
  auto x = counted<int, 2, 2>();
  auto y = both([](const auto& v) { return jig::tile<2, 3>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 4, 6>>);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j) CHECK(y(i, j) == x(i % 2, j % 2));
  CHECK(jig::tile<2, 0>(x).size() == 0);
  CHECK(elements(jig::tile<2>(jig::tensor<int, dyn>{1, 2})) == ints{1, 2, 1, 2});
  CHECK(jig::tile<3>(jig::tensor<int, dyn>{}).size() == 0);

  auto p = both([](const auto& v) { return jig::pad<1, 0, 0, 2>(v, 9); }, x);
  static_assert(std::is_same_v<decltype(p), jig::tensor<int, 3, 4>>);
  CHECK(elements(p) == ints{9, 9, 9, 9, 0, 1, 9, 9, 2, 3, 9, 9});
  CHECK(elements(both([](const auto& v) { return jig::pad<0, 1, 0, 0>(v); }, x)) == ints{0, 1, 2, 3, 0, 0});
  CHECK(elements(jig::pad<1, 1>(jig::tensor<int, dyn>{})) == ints{0, 0});
  CHECK(jig::pad<1, 0>(jig::tensor<bool, 1>{true})(0) == false);
  CHECK(jig::pad<0, 1>(jig::tensor<std::string, 1>{"a"}, std::string("b"))(1) == "b");
  constexpr auto f = [](auto v) { return jig::pad<1, 2, 0, 0>(v, jig::reduce_max(v)); };
  static_assert(gives<jig::spec<float, 5, dyn>>(f, jig::spec<float, 2, dyn>()));
  CHECK(elements(jig::function<"f(x)">(f)(jig::transpose(x))) == ints{3, 3, 0, 2, 1, 3, 3, 3, 3, 3});
}

TEST_CASE("reverse") {
  auto x = counted<int, 2, 3>();
  CHECK(elements(both([](const auto& v) { return jig::reverse<1>(v); }, x)) == ints{2, 1, 0, 5, 4, 3});
  CHECK(elements(both([](const auto& v) { return jig::reverse(v); }, x)) == ints{5, 4, 3, 2, 1, 0});
  CHECK(elements(both([](const auto& v) { return jig::reverse<-2>(v) + v; }, x)) == ints{3, 5, 7, 3, 5, 7});
  CHECK(jig::reverse(jig::zeros<int, dyn, 2>(0)).size() == 0);
  CHECK(jig::reverse(jig::tensor<std::string, 2>{"a", "b"})(0) == "b");
}

TEST_CASE("strided slices of known bounds") {
  using jig::all, jig::range_of, jig::unbounded;
  auto x = counted<int, 4, 5>();
  auto y = both([](const auto& v) { return jig::strided_slice<range_of(0, 4, 2), all>(v); }, x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<int, 2, 5>>);
  CHECK(elements(y) == ints{0, 1, 2, 3, 4, 10, 11, 12, 13, 14});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<-1, range_of(1, unbounded, 3)>(v); }, x)) == ints{16, 19});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<range_of(1, 3), 2>(v); }, x)) == ints{7, 12});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<all, range_of(unbounded, unbounded, -2)>(v); },
                      counted<int, 2, 5>())) == ints{4, 2, 0, 9, 7, 5});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<range_of(-1, 0, -1), 0>(v); }, x)) == ints{15, 10, 5});
  CHECK(elements(both([](const auto& v) { return jig::strided_slice<range_of(3, -4, -1), 0>(v); }, x)) == ints{15, 10, 5});
  CHECK(elements(jig::strided_slice<range_of(1, -1), range_of(-2, unbounded)>(x)) == ints{8, 9, 13, 14});
  CHECK(jig::strided_slice<range_of(2, 2)>(x).size() == 0);
  CHECK(jig::strided_slice<1, 1>(x)() == 6);
  CHECK(elements(jig::strided_slice<1>(jig::transpose(x))) == ints{1, 6, 11, 16});
  // of a view and of a slice
  CHECK(elements(both(
            [](const auto& v) {
              return jig::strided_slice<range_of(unbounded, unbounded, -1)>(jig::strided_slice<all, range_of(1, 5, 2)>(v)) + 1;
            },
            x)) == ints{17, 19, 12, 14, 7, 9, 2, 4});
}

TEST_CASE("strided slices of wildcard extents") {
  using jig::range_of, jig::unbounded;
  auto slice = []<auto S>(jig::index n) {
    auto y = jig::strided_slice<S>(counted<int, dyn>(n));
    return elements(y);
  };
  auto x = counted<int, dyn>(6);
  static_assert(std::is_same_v<decltype(jig::strided_slice<range_of(1, 3)>(x)), jig::tensor<int, 2>>);
  static_assert(std::is_same_v<decltype(jig::strided_slice<range_of(-3, unbounded, 2)>(x)), jig::tensor<int, 2>>);
  static_assert(std::is_same_v<decltype(jig::strided_slice<range_of(1, unbounded)>(x)), jig::tensor<int, dyn>>);
  static_assert(std::is_same_v<decltype(jig::strided_slice<-1>(x)), jig::tensor<int>>);
  CHECK(slice.operator()<range_of(1, 3)>(6) == ints{1, 2});
  CHECK(slice.operator()<range_of(1, unbounded)>(6) == ints{1, 2, 3, 4, 5});
  CHECK(slice.operator()<range_of(1, unbounded)>(1) == ints{});
  CHECK(slice.operator()<range_of(unbounded, -1)>(6) == ints{0, 1, 2, 3, 4});
  CHECK(slice.operator()<range_of(2, -2)>(5) == ints{2});
  CHECK(slice.operator()<range_of(-3, 5)>(6) == ints{3, 4});
  CHECK(slice.operator()<range_of(-3, -1)>(6) == ints{3, 4});
  CHECK(slice.operator()<range_of(-3, unbounded, 2)>(6) == ints{3, 5});
  CHECK(slice.operator()<range_of(unbounded, unbounded, -1)>(3) == ints{2, 1, 0});
  CHECK(slice.operator()<range_of(unbounded, unbounded, -1)>(0) == ints{});
  CHECK(slice.operator()<range_of(-2, unbounded, -1)>(4) == ints{2, 1, 0});
  CHECK(slice.operator()<range_of(3, 0, -2)>(4) == ints{3, 1});
  CHECK(slice.operator()<range_of(3, -4, -1)>(5) == ints{3, 2});
  CHECK(slice.operator()<range_of(-1, -3, -1)>(5) == ints{4, 3});
  CHECK(message_of([&] { slice.operator()<range_of(1, 3)>(2); }) == "StridedSlice: the slice reaches beyond its axis: int32 (2,)");
  CHECK(message_of([&] { slice.operator()<range_of(3, -2)>(4); }) == "StridedSlice: the slice ends before it begins: int32 (4,)");
  CHECK_THROWS_AS((slice.operator()<range_of(-3, unbounded)>(2)), jig::invalid_argument);
  CHECK_THROWS_AS((slice.operator()<range_of(-3, 5)>(4)), jig::invalid_argument);
  CHECK_THROWS_AS((slice.operator()<range_of(-3, 2)>(6)), jig::invalid_argument);
  CHECK_THROWS_AS((slice.operator()<range_of(3, 0, -1)>(3)), jig::invalid_argument);
  CHECK(message_of([&] { (void)jig::strided_slice<4>(jig::zeros<int, dyn>(4)); }) == "StridedSlice: the index is out of range: int32 (4,)");
  CHECK(jig::strided_slice<-1>(x)() == 5);
  CHECK_THROWS_AS(jig::strided_slice<-5>(jig::zeros<int, dyn>(4)), jig::invalid_argument);
}

TEST_CASE("shapes as values") {
  auto x = jig::zeros<float, 2, dyn, 4>(3);
  auto s = jig::shape_of(x);
  static_assert(std::is_same_v<decltype(s), jig::tensor<std::int32_t, 3>>);
  CHECK(elements(s) == ints{2, 3, 4});
  CHECK(jig::extent<1>(x)() == 3);
  CHECK(jig::extent<-1>(x)() == 4);
  CHECK(jig::size(x)() == 24);
  CHECK(jig::rank(x)() == 3);
  CHECK(jig::size(5)() == 1);
  CHECK(jig::shape_of(5).size() == 0);

  constexpr auto f =
      jig::function<"f(x)">([](auto v) { return std::tuple(jig::shape_of(v), jig::extent<0>(v), jig::size(v), jig::rank(v)); });
  constexpr auto fixed = f.get_concrete_function(jig::spec<float, 5, 7>());
  static_assert(fixed.graph().count("Shape") == 0);
  auto [shape, extent, size, rank] = f(jig::zeros<float, 5, 7>());
  CHECK(elements(shape) == ints{5, 7});
  CHECK(extent() == 5);
  CHECK(size() == 35);
  CHECK(rank() == 2);
  constexpr auto wild = f.get_concrete_function(jig::spec<float, dyn, 7>());
  static_assert(wild.graph().count("Shape") > 0);
  auto [wild_shape, wild_extent, wild_size, wild_rank] = wild(jig::zeros<float, dyn, 7>(0));
  CHECK(elements(wild_shape) == ints{0, 7});
  CHECK(wild_extent() == 0);
  CHECK(wild_size() == 0);
  CHECK(wild_rank() == 2);
}

TEST_CASE("views chain without copies until something needs one") {
  constexpr auto f = jig::function<"f(x)">([](auto x) {
    auto y = jig::transpose<0, 2, 1>(jig::reshape<2, jig::infer, 4>(x));
    return jig::reduce_sum<2>(jig::reverse<1>(y) * 2) + jig::strided_slice<1, jig::all, 0>(y);
  });
  auto x = counted<float, 4, 6>();
  auto y = f(x);
  static_assert(std::is_same_v<decltype(y), jig::tensor<float, 2, 4>>);
  for (int b = 0; b < 2; ++b)
    for (int i = 0; i < 4; ++i) {
      float sum = 0;
      for (int k = 0; k < 3; ++k) sum += 2 * static_cast<float>(b * 12 + k * 4 + (3 - i));
      CHECK(y(b, i) == sum + static_cast<float>(12 + i));
    }
}
