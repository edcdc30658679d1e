// SPDX-License-Identifier: MIT
#include <jig/data/zip.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

namespace data = jig::data;

TEST_CASE("Side by side, up to the end of the shortest") {
  const std::vector<double> x{0.5, 1.5, 2.5};
  const auto both = data::zip(data::range(10), data::from_tensor_slices(x).batch(1).map([](auto b) { return b(0); }));
  CHECK(both.cardinality() == 3);
  double sum = 0;
  for (const auto& [i, y] : both) sum += static_cast<double>(i) * y;
  CHECK(sum == 6.5);
  CHECK(data::zip(data::range(2).repeat(), data::range(2).repeat()).cardinality() == data::infinite_cardinality);
  CHECK(data::zip(data::range(2), data::range(2).filter([](auto) { return true; })).cardinality() == data::unknown_cardinality);
}

TEST_CASE("Tuples of tuples") {
  const auto pairs = data::zip(data::range(3), data::range(3, 6));
  const auto nested = data::zip(pairs, data::range(6, 9)).batch(2);
  std::vector<std::int64_t> seen;
  for (const auto& [front, last] : nested) {
    const auto& [first, second] = front;
    for (jig::index i = 0; i < last.extent(0); ++i) seen.push_back(100 * first(i) + 10 * second(i) + last(i));
  }
  CHECK(seen == std::vector<std::int64_t>{36, 147, 258});
}

TEST_CASE("Numbered") {
  std::vector<std::int64_t> seen;
  for (const auto& [i, x] : data::range(5, 8).enumerate(1)) seen.push_back(10 * i + x);
  CHECK(seen == std::vector<std::int64_t>{15, 26, 37});
  CHECK(data::range(5, 8).enumerate().cardinality() == 3);
}

TEST_CASE("One behind the other") {
  std::vector<std::int64_t> seen;
  const auto joined = data::range(2).concatenate(data::range(0)).concatenate(data::range(7, 9));
  for (const auto x : joined) seen.push_back(x);
  CHECK(seen == std::vector<std::int64_t>{0, 1, 7, 8});
  CHECK(joined.cardinality() == 4);
  CHECK(joined.concatenate(joined.repeat()).cardinality() == data::infinite_cardinality);
  CHECK(joined.concatenate(joined.filter([](auto) { return true; })).cardinality() == data::unknown_cardinality);
}

}  // namespace
