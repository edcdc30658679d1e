// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <array>
#include <type_traits>

using jig::dyn;

namespace {

// Shared by the tests of what is in range and of what is not, so that it is compiled once.
constexpr auto window = jig::function<"f(x, begin)">([](auto v, auto begin) { return jig::slice<2, 2>(v, begin); });

}  // namespace

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

TEST_CASE("a slice out of range throws") {
  CHECK(message_of([&] { (void)window(counted<int, 3, 4>(), std::array<int, 2>{2, 0}); }) ==
        "Slice: begin 2 with size 2 is out of range for axis 0 with 3 elements");
  CHECK_THROWS_AS(window(counted<int, 3, 4>(), std::array<int, 2>{-1, 0}), jig::invalid_argument);
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
