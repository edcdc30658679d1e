// SPDX-License-Identifier: MIT
#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <cstdint>
#include <type_traits>
#include <vector>

using jig::dyn, jig::spec;

namespace {

constexpr auto sums = [](const auto& x, const auto& i) { return jig::unsorted_segment_sum<3>(x, i); };
// The second one is that of the sum of the first.
constexpr auto gradients = jig::function<"g(x, i)">([](auto x, auto i) {
  const auto y = jig::unsorted_segment_sum<3>(x, i);
  const auto first = jig::gradient(jig::reduce_sum(y * y * y), x);
  return std::tuple(first, jig::gradient(jig::reduce_sum(first), x));
});

}  // namespace

TEST_CASE("sums of rows with the same number") {
  const auto y = both(sums, counted<float, 4, 2>(), jig::tensor<int, 4>{2, 0, -1, 2});
  static_assert(std::is_same_v<decltype(y), const jig::tensor<float, 3, 2>>);
  CHECK(elements(y) == std::vector<float>{2, 3, 0, 0, 6, 8});
  CHECK(elements(both(sums, jig::tensor<std::int8_t, 3>{100, 100, 7}, jig::tensor<std::uint8_t, 3>{1, 1, 0})) ==
        std::vector<std::int8_t>{7, -56, 0});
  CHECK(elements(jig::unsorted_segment_sum<0>(counted<int, 2>(), jig::tensor<int, 2>{-1, -1})).empty());
}

TEST_CASE("extents of segments") {
  static_assert(gives<spec<float, 3>>(sums, spec<float, dyn>(), spec<int, dyn>()));
  static_assert(gives<spec<float, 3, dyn>>(sums, spec<float, 5, dyn>(), spec<std::int64_t, 5>()));
  static_assert(gives<spec<double, 3, 2>>(sums, spec<double, dyn, 4, 2>(), spec<int, 5, 4>()));
  static_assert(gives<spec<jig::half, 3, 2>>(sums, spec<jig::half, 2>(), spec<std::uint8_t>()));
  CHECK(message_of([] {
          (void)sums(jig::zeros<float, dyn, 2>(4), jig::zeros<int, dyn>(3));
        }).starts_with("UnsortedSegmentSum: the segment ids do not have the first extents of the data"));
  CHECK(message_of([] { (void)sums(counted<float, 2>(), jig::tensor<int, 2>{0, 3}); }) ==
        "UnsortedSegmentSum: index 3 is out of range for axis 0 with 3 elements");
}

TEST_CASE("gradients go back to the rows, twice") {
  const jig::tensor<double, 5> x{1, 2, 3, 4, 5};
  // The sums are 2, 5 and 6; what belongs to none changes nothing.
  const auto [first, second] = gradients(x, jig::tensor<int, 5>{2, 0, -7, 1, 2} * 1);
  CHECK(elements(first) == std::vector<double>{3 * 36, 3 * 4, 0, 3 * 16, 3 * 36});
  CHECK(elements(second) == std::vector<double>{2 * 36, 12, 0, 24, 2 * 36});
  const auto [rows, again] = gradients(counted<float, dyn, 2>(3), jig::tensor<std::uint8_t, 3>{1, 0, 1});
  CHECK(elements(rows) == std::vector<float>{48, 108, 12, 27, 48, 108});
  CHECK(elements(again) == std::vector<float>{48, 72, 12, 18, 48, 72});
  const auto [matrices, last] = gradients(counted<float, 2, 1, 2>(), jig::tensor<std::int8_t, 2, 1>{{-1}, {2}});
  CHECK(elements(matrices) == std::vector<float>{0, 0, 12, 27});
  CHECK(elements(last) == std::vector<float>{0, 0, 12, 18});
  const auto none = jig::function<"g(x, i)">(
      [](auto v, auto i) { return jig::gradient(jig::reduce_sum(jig::unsorted_segment_sum<0>(v, i)), v); })(x, jig::zeros<int, 5>() - 1);
  CHECK(elements(none) == std::vector<double>(5, 0));
}

TEST_CASE("means of segments, and of none") {
  constexpr auto means = [](const auto& x, const auto& i) { return jig::unsorted_segment_mean<3>(x, i); };
  const auto y = both(means, counted<float, 4, 2>(), jig::tensor<int, 4>{2, 0, -1, 2});
  static_assert(std::is_same_v<decltype(y), const jig::tensor<float, 3, 2>>);
  CHECK(elements(y) == std::vector<float>{2, 3, 0, 0, 3, 4});
  CHECK(elements(means(counted<double, 4>(), jig::tensor<std::uint8_t, 4>{1, 1, 1, 0})) == std::vector<double>{3, 1, 0});
  static_assert(gives<spec<float, 3, 2, dyn>>(means, spec<float, dyn, 5, 2, dyn>(), spec<int, 4, dyn>()));
}

TEST_CASE("elements that are equally large share the gradient") {
  constexpr auto g = jig::function<"g(x, i)">([](auto x, auto i) {
    return std::tuple(jig::gradient(jig::reduce_sum(jig::square(jig::unsorted_segment_max<2>(x, i))), x),
                      jig::gradient(jig::reduce_sum(jig::unsorted_segment_min<2>(x, i)), x));
  });
  const auto [largest, smallest] = g(jig::tensor<float, 6>{3, 1, 3, 0, 0, -2}, jig::tensor<int, 6>{0, 0, 0, -1, 1, 1});
  CHECK(elements(largest) == std::vector<float>{3, 0, 3, 0, 0, 0});
  CHECK(elements(smallest) == std::vector<float>{0, 1, 0, 0, 0, 1});
}
