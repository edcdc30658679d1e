// SPDX-License-Identifier: MIT
#include <jig/data/parallel_map.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <stdexcept>

namespace {

namespace data = jig::data;

TEST_CASE("The same elements in the same order, however many at a time") {
  const auto square = [](auto i) { return i * i; };
  for (const jig::index calls : {1, 2, 7, 100, 1000}) {
    std::int64_t next = 0;
    for (const auto x : data::parallel_map(data::range(100), square, calls)) {
      CHECK(x == next * next);
      ++next;
    }
    CHECK(next == 100);
  }
  for (const auto x : data::parallel_map(data::range(0), square, 4)) FAIL(x);
  CHECK(data::parallel_map(data::range(9), square, 4).cardinality() == 9);
  CHECK_THROWS_WITH_AS(data::parallel_map(data::range(9), square, 0), "parallel_map: num_parallel_calls must be at least 1, given 0",
                       jig::invalid_argument);
}

TEST_CASE("Views and tuples as arguments, behind a prefetch") {
  const jig::tensor<float, 4, 2> x{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  const std::vector<int> y{1, 2, 3, 4};
  const auto products =
      data::parallel_map(data::from_tensor_slices(x, y), [](const auto& row, int n) { return row(1) * static_cast<float>(n); }, 3);
  float sum = 0;
  for (const float p : products.prefetch(2)) sum += p;
  CHECK(sum == 2 + 8 + 18 + 32);
}

TEST_CASE("What is thrown arrives in order") {
  const auto throws = [](auto i) {
    if (i == 5 || i == 6) throw std::domain_error("no");
    return i;
  };
  for (const jig::index calls : {1, 4, 50}) {
    std::int64_t last = -1;
    CHECK_THROWS_WITH_AS(
        [&] {
          for (const auto i : data::parallel_map(data::range(9), throws, calls)) last = i;
        }(),
        "parallel_map: element 5: no", jig::error);
    CHECK(last == 4);
  }
  // What the source throws arrives behind the elements that it gave.
  std::int64_t last = -1;
  CHECK_THROWS_AS(
      [&] {
        for (const auto i : data::parallel_map(data::range(9).map(throws), [](auto i) { return i; }, 50)) last = i;
      }(),
      std::domain_error);
  CHECK(last == 4);
}

}  // namespace
