// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <type_traits>

using jig::dyn;

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
