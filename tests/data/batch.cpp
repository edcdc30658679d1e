// SPDX-License-Identifier: MIT
#include <jig/data/batch.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

namespace {

namespace data = jig::data;

// 0, 1 … as rows of three.
std::vector<std::array<int, 3>> rows_of(int count) {
  std::vector<std::array<int, 3>> rows;
  for (int i = 0; i < count; ++i) rows.push_back({3 * i, 3 * i + 1, 3 * i + 2});
  return rows;
}

template <class Dataset>
void check_batches(const Dataset& batches, int rows, int size, bool drop) {
  int next = 0, count = 0;
  for (const auto& batch : batches) {
    ++count;
    const int left = rows - next, expected = left < size ? left : size;
    REQUIRE(batch.shape() == jig::shape{2, {expected, 3}});
    for (int i = 0; i < expected; ++i)
      for (int j = 0; j < 3; ++j) CHECK(batch(i, j) == 3 * (next + i) + j);
    next += expected;
  }
  CHECK(count == rows / size + (!drop && rows % size > 0));
  CHECK(batches.cardinality() == count);
}

TEST_CASE("Batches of slices are views, of others copies, with the same elements") {
  for (const int rows : {0, 1, 3, 4, 5, 8, 9}) {
    const auto memory = rows_of(rows);
    const auto slices = data::from_tensor_slices(memory);
    const auto copies = slices.map([](const auto& row) { return jig::tensor<int, 3>(jig::view<const int, 3>(row)); });
    for (const bool drop : {false, true}) {
      check_batches(slices.batch(4, drop), rows, 4, drop);
      check_batches(copies.batch(4, drop), rows, 4, drop);
    }
    check_batches(slices.template batch<4>(), rows, 4, true);
    check_batches(copies.template batch<4>(), rows, 4, true);
  }
  const auto memory = rows_of(5);
  for (const auto& batch : data::from_tensor_slices(memory).batch<5>()) {
    CHECK(batch.data() == memory[0].data());
    static_assert(std::is_same_v<decltype(batch), const jig::view<jig::row_major<const int>, 5, 3>&>);
  }
}

TEST_CASE("Batches of columns are views at strides") {
  std::vector<float> numbers(12);
  for (std::size_t i = 0; i < 12; ++i) numbers[i] = static_cast<float>(i);
  const jig::view<jig::column_major<const float>, jig::dyn, 3> columns(numbers.data(), 4);
  float first = 0;
  for (const auto& batch : data::from_tensor_slices(columns).batch(3)) {
    for (int i = 0; i < batch.extent(0); ++i)
      for (int j = 0; j < 3; ++j) CHECK(batch(i, j) == first + static_cast<float>(i + 4 * j));
    first += 3;
  }
}

TEST_CASE("Numbers, texts and tuples of them") {
  const std::vector<std::string> names{"a", "b", "c"};
  const auto batches = data::zip(data::range(3), data::from_tensor_slices(names)).batch(2);
  std::string all;
  std::int64_t sum = 0;
  for (const auto& [numbers, texts] : batches) {
    static_assert(std::is_same_v<std::remove_cvref_t<decltype(numbers)>, jig::tensor<std::int64_t, jig::dyn>>);
    for (jig::index i = 0; i < numbers.extent(0); ++i) {
      sum = 10 * sum + numbers(i);
      all += texts(i);
    }
    all += '|';
  }
  CHECK(sum == 12);
  CHECK(all == "ab|c|");
}

TEST_CASE("Elements of one batch have one shape") {
  const auto uneven = data::range(1, 5).map([](auto n) {
    jig::tensor<float, jig::dyn, 2> x(n < 3 ? 1 : 2);
    return x;
  });
  int batches = 0;
  for (const auto& batch : uneven.batch(2)) CHECK(batch.shape() == jig::shape{3, {2, ++batches, 2}});
  CHECK(batches == 2);
  CHECK_THROWS_WITH_AS((uneven.batch(3).reduce(0, [](int n, const auto&) { return n + 1; })),
                       "batch: element 2 has shape (2, 2), others in its batch have shape (1, 2)", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(data::range(3).batch(0), "batch: its size must be at least 1, given 0", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(data::from_tensor_slices(std::vector<int>{1}).batch(-3), "batch: its size must be at least 1, given -3",
                       jig::invalid_argument);
}

TEST_CASE("Batches of batches, some of which were taken away") {
  int next = 0;
  // A cache takes what a batch gives.
  for (const auto& pairs : data::range(12).batch(2).cache().batch(3)) {
    REQUIRE(pairs.shape() == jig::shape{2, {3, 2}});
    for (int i = 0; i < 6; ++i) CHECK(pairs.data()[i] == next++);
  }
  CHECK(next == 12);
}

}  // namespace
