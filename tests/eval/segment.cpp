// SPDX-License-Identifier: MIT
#include <jig/eval/segment.hpp>

#include <jig.hpp>

#include "../traced_and_eager.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using jig::dyn;

namespace {

constexpr jig::index segments = 5;

template <class T>
T sum_of(T a, T b) {
  if constexpr (std::is_integral_v<T>) return static_cast<T>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
  else return static_cast<T>(a + b);
}

template <class T, class I>
std::vector<T> plain_sums(const std::vector<T>& data, const std::vector<I>& ids, jig::index size) {
  std::vector<T> out(static_cast<std::size_t>(segments * size), T(0));
  for (std::size_t r = 0; r < ids.size(); ++r) {
    if (std::cmp_less(ids[r], 0)) continue;
    for (jig::index k = 0; k < size; ++k) {
      T& to = out[static_cast<std::size_t>(static_cast<jig::index>(ids[r]) * size + k)];
      to = sum_of(to, data[r * static_cast<std::size_t>(size) + static_cast<std::size_t>(k)]);
    }
  }
  return out;
}

// Numbers that wrap or are rounded when they are added up; ids in no order, of which some are negative where they can be, or all the same.
template <class T>
std::vector<T> some_data(jig::index n) {
  std::vector<T> out(static_cast<std::size_t>(n));
  for (jig::index i = 0; i < n; ++i) {
    const jig::index x = i * 7919 % 1009 - 400;
    if constexpr (std::is_integral_v<T>) out[static_cast<std::size_t>(i)] = static_cast<T>(x * 4000000007);
    else out[static_cast<std::size_t>(i)] = static_cast<T>(static_cast<double>(x) / 7);
  }
  return out;
}
template <class I>
std::vector<I> some_ids(jig::index n, int kind) {
  std::vector<I> out(static_cast<std::size_t>(n));
  for (jig::index i = 0; i < n; ++i) {
    const jig::index id = i * i % 11 % segments;
    out[static_cast<std::size_t>(i)] = static_cast<I>(kind == 0                           ? id
                                                      : kind == 1                         ? 2
                                                      : std::is_signed_v<I> && i % 7 == 3 ? -1 - id
                                                                                          : i / 9 % segments);
  }
  return out;
}

constexpr auto sums = jig::function<"f(data, ids)">([](auto data, auto ids) { return jig::unsorted_segment_sum<segments>(data, ids); });

// Size is that of a row, or dyn for those that are given.
template <class T, class I, jig::index Size = dyn>
void check(std::initializer_list<jig::index> sizes) {
  jig::index wrong = 0;
  for (const jig::index size : sizes)
    for (const jig::index rows : {0, 1, 2, 63, 64, 65, 130, 200})
      for (int kind : {0, 1, 2}) {
        const auto data = some_data<T>(rows * size);
        const auto ids = some_ids<I>(rows, kind);
        const auto y = sums(jig::view<const T, dyn, Size>(data.data(), jig::shape{2, {rows, size}}),
                            jig::view<const I, dyn>(ids.data(), jig::shape{1, {rows}}));
        const auto expected = plain_sums(data, ids, size);
        wrong += y.shape() != jig::shape{2, {segments, size}};
        for (jig::index k = 0; k < segments * size; ++k) wrong += !(y.data()[k] == expected[static_cast<std::size_t>(k)]);
      }
  CHECK(wrong == 0);
}

template <class I>
std::string message_of_id(I id, std::size_t place) {
  std::vector<I> ids(130, I(1));
  ids[place] = id;
  return message_of([&] {
    sums(jig::view<const float, dyn, 1>(some_data<float>(130).data(), jig::shape{2, {130, 1}}),
         jig::view<const I, dyn>(ids.data(), jig::shape{1, {130}}));
  });
}

}  // namespace

TEST_CASE("rows of any length") {
  check<float, int>({0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 40, 100});
  check<double, std::int64_t>({1, 3, 4, 7, 16, 33});
  check<std::int8_t, std::uint8_t>({1, 7, 8, 31, 33, 150});
  check<jig::half, std::int16_t>({1, 3, 16});
  check<std::int64_t, std::uint64_t>({1, 5, 16});
}
TEST_CASE("rows of a constant length") {
  check<float, int, 1>({1});
  check<float, std::int8_t, 3>({3});
  check<float, std::uint16_t, 7>({7});
  check<double, std::uint32_t, 4>({4});
  check<std::int32_t, int, 16>({16});
  check<std::uint16_t, int, 2>({2});
  check<float, int, 33>({33});
  check<jig::bfloat16, int, 4>({4});
}

TEST_CASE("elements without rows, of several axes, and one of its own") {
  const jig::tensor<int, 2, 3> x{{1, 2, 3}, {4, 5, 6}};
  CHECK(elements(sums(x, jig::tensor<int, 2, 3>{{4, 0, 0}, {-2, 4, 0}})) == ints{11, 0, 0, 0, 6});
  CHECK(elements(sums(x, jig::tensor<std::uint8_t, 2>{3, 1})) == ints{0, 0, 0, 4, 5, 6, 0, 0, 0, 1, 2, 3, 0, 0, 0});
  CHECK(elements(sums(jig::tensor<int, 2>{7, 8}, jig::tensor<int>(1))) == ints{0, 0, 7, 8, 0, 0, 0, 0, 0, 0});
  CHECK(elements(sums(jig::zeros<float, 0>(), jig::zeros<int, 0>())) == std::vector<float>(5, 0));
}

TEST_CASE("NaN stays in its segment, and what belongs to none is not read into any") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto y = sums(jig::tensor<float, 5>{1, nan, 2, nan, 4}, jig::tensor<int, 5>{0, 3, 0, -1, 1});
  CHECK(y(0) == 3);
  CHECK(y(1) == 4);
  CHECK(y(2) == 0);
  CHECK(std::isnan(y(3)));
}

TEST_CASE("ids at the ends of integers") {
  for (const std::size_t place : {0u, 70u, 129u}) {
    CHECK(message_of_id(5, place) == "UnsortedSegmentSum: index 5 is out of range for axis 0 with 5 elements");
    CHECK(message_of_id(std::numeric_limits<int>::max(), place).starts_with("UnsortedSegmentSum: index 2147483647 is"));
    CHECK(message_of_id(std::numeric_limits<int>::lowest(), place) == "no exception");
    CHECK(message_of_id(std::uint8_t{255}, place).starts_with("UnsortedSegmentSum: index 255 is"));
    CHECK(message_of_id(std::numeric_limits<std::int64_t>::lowest(), place) == "no exception");
    CHECK(message_of_id(std::numeric_limits<std::int64_t>::max(), place).starts_with("UnsortedSegmentSum: index 9223372036854775807 is"));
    CHECK(message_of_id(~std::uint64_t{0}, place).starts_with("UnsortedSegmentSum: index 9223372036854775807 is"));
    CHECK(message_of_id(std::uint64_t{1} << 63, place).starts_with("UnsortedSegmentSum: index 9223372036854775807 is"));
  }
  // Of more segments than the dtype has numbers.
  const std::vector<std::uint8_t> ids(64, 255);
  const auto y = jig::unsorted_segment_sum<256>(jig::ones<int, 64>(), jig::view<const std::uint8_t, 64>(ids.data()));
  CHECK(y(255) == 64);
  const auto z = jig::unsorted_segment_sum<200>(jig::ones<int, 64>(), jig::cast<std::int8_t>(jig::iota<int, 64>() * 2));
  CHECK(z(126) == 1);
  CHECK(jig::reduce_sum(z)() == 64);
}

TEST_CASE("data and ids at any strides") {
  const std::vector<float> memory = some_data<float>(400);
  std::vector<int> numbers(100);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<int>(k * 5 % 6) - 1;
  for (const jig::index n : {0, 1, 5, 9})
    for (const jig::shape& strides : {jig::shape{2, {3, 1}}, {2, {1, 20}}, {2, {-7, 2}}, {2, {0, 3}}})
      for (const jig::index step : {1, 3, -2, 0}) {
        const jig::view<const float, dyn, 3> data(memory.data() + 100, {2, {n, 3}}, strides);
        const jig::view<const int, dyn> ids(numbers.data() + 40, {1, {n}}, {1, {step}});
        std::vector<float> rows;
        std::vector<int> at;
        for (jig::index r = 0; r < n; ++r) {
          at.push_back(numbers[static_cast<std::size_t>(40 + r * step)]);
          for (jig::index k = 0; k < 3; ++k) rows.push_back(memory[static_cast<std::size_t>(100 + r * strides[0] + k * strides[1])]);
        }
        const auto expected = plain_sums(rows, at, 3);
        CHECK(elements(sums(data, ids)) == expected);
        // Not copied before.
        jig::tensor<float, segments, 3> own;
        jig::kernel<jig::ops::unsorted_segment_sum>::run(jig::attributes<>(), jig::view<float, segments, 3>(own.data()), data, ids);
        CHECK(elements(own) == expected);
      }
}

TEST_CASE("the largest and the smallest elements of segments") {
  constexpr auto both_ends = jig::function<"f(data, ids)">([](auto data, auto ids) {
    return std::tuple(jig::unsorted_segment_max<segments>(data, ids), jig::unsorted_segment_min<segments>(data, ids));
  });
  const auto check_ends = [&]<class T, class I>(std::type_identity<T>, std::type_identity<I>, std::initializer_list<jig::index> sizes) {
    jig::index wrong = 0;
    for (const jig::index size : sizes)
      for (const jig::index rows : {0, 1, 3, 64, 130})
        for (int kind : {0, 1, 2}) {
          const auto data = some_data<T>(rows * size);
          const auto ids = some_ids<I>(rows, kind);
          const auto [largest, smallest] = both_ends(jig::view<const T, dyn, dyn>(data.data(), jig::shape{2, {rows, size}}),
                                                     jig::view<const I, dyn>(ids.data(), jig::shape{1, {rows}}));
          for (jig::index k = 0; k < segments * size; ++k) {
            T high = jig::detail::lowest_or_highest<T>(false), low = jig::detail::lowest_or_highest<T>(true);
            for (jig::index r = 0; r < rows; ++r)
              if (std::cmp_equal(ids[static_cast<std::size_t>(r)], k / size)) {
                const T x = data[static_cast<std::size_t>(r * size + k % size)];
                high = x > high ? x : high;
                low = x < low ? x : low;
              }
            wrong += !(largest.data()[k] == high) + !(smallest.data()[k] == low);
          }
        }
    CHECK(wrong == 0);
  };
  check_ends(std::type_identity<float>(), std::type_identity<int>(), {1, 2, 3, 7, 16, 33});
  check_ends(std::type_identity<std::uint64_t>(), std::type_identity<std::int8_t>(), {1, 4, 9});
  check_ends(std::type_identity<std::int8_t>(), std::type_identity<std::uint16_t>(), {3, 40});
  check_ends(std::type_identity<jig::half>(), std::type_identity<int>(), {1, 5});

  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto [high, low] =
      both_ends(jig::tensor<float, 6, 2>{{1, 2}, {nan, 1}, {3, 4}, {2, nan}, {5, 5}, {nan, nan}}, jig::tensor<int, 6>{0, 0, 0, 3, 3, -1});
  CHECK((std::isnan(high(0, 0)) && std::isnan(low(0, 0)) && std::isnan(high(3, 1)) && std::isnan(low(3, 1))));
  CHECK((high(0, 1) == 4 && low(0, 1) == 1 && high(3, 0) == 5 && low(3, 0) == 2));
  CHECK(high(1, 0) == std::numeric_limits<float>::lowest());
  CHECK(low(1, 0) == std::numeric_limits<float>::max());
  CHECK(message_of([] { (void)jig::unsorted_segment_max<segments>(jig::zeros<int, 2>(), jig::tensor<int, 2>{0, 5}); }) ==
        "UnsortedSegmentMax: index 5 is out of range for axis 0 with 5 elements");
}

namespace {

template <jig::index N>
void check_elements(jig::index rows) {
  CAPTURE(N);
  CAPTURE(rows);
  constexpr auto all = jig::function<"f(data, ids)">(
      [](auto data, auto ids) { return std::tuple(jig::unsorted_segment_sum<N>(data, ids), jig::unsorted_segment_max<N>(data, ids)); });
  const auto data = some_data<int>(rows);
  // Mostly of one segment, some of none.
  std::vector<int> ids;
  for (jig::index k = 0; k < rows; ++k) ids.push_back(static_cast<int>(k % 3 == 0 ? k % N : k % 50 == 7 ? -3 : N - 1));
  const auto [sum, most] = all(data, ids);
  std::vector<int> totals(N, 0), largest(N, std::numeric_limits<int>::lowest());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    if (ids[k] < 0) continue;
    const auto i = static_cast<std::size_t>(ids[k]);
    totals[i] = sum_of(totals[i], data[k]);
    largest[i] = std::max(largest[i], data[k]);
  }
  CHECK(elements(sum) == totals);
  CHECK(elements(most) == largest);
  if (ids.empty()) return;
  ids.back() = N;
  CHECK_THROWS_AS((void)all(data, ids), jig::invalid_argument);
}

}  // namespace

TEST_CASE("many elements of a few segments, and of more") {
  check_elements<256>(16 * 256);
  check_elements<256>(16 * 256 - 1);
  check_elements<257>(5000);
  check_elements<1>(0);
  check_elements<1>(16);
  check_elements<1>(1000);
}
