// SPDX-License-Identifier: MIT
#include <jig/data/repeat.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

namespace data = jig::data;

TEST_CASE("Elements again and again") {
  std::vector<std::int64_t> seen;
  for (const auto i : data::range(3).repeat(2)) seen.push_back(i);
  CHECK(seen == std::vector<std::int64_t>{0, 1, 2, 0, 1, 2});
  CHECK(data::range(3).repeat(2).cardinality() == 6);
  CHECK(data::range(3).repeat().cardinality() == data::infinite_cardinality);
  CHECK(data::range(3).repeat(0).cardinality() == 0);
  for (const auto i : data::range(3).repeat(0)) FAIL(i);
}

TEST_CASE("What has no elements ends, however often it is repeated") {
  const auto nothing = data::range(5).filter([](auto) { return false; });
  for (const auto i : nothing.repeat()) FAIL(i);
  CHECK(data::range(0).repeat().cardinality() == 0);
}

TEST_CASE("Every time has its own order") {
  std::vector<std::vector<std::int64_t>> times;
  for (const auto& batch : data::range(20).shuffle(20, 1).batch(20).repeat(3)) times.emplace_back(batch.begin(), batch.end());
  REQUIRE(times.size() == 3);
  CHECK(times[0] != times[1]);
  CHECK(times[1] != times[2]);
  CHECK_THROWS_WITH_AS(data::range(3).repeat(-2), "repeat: its count must be at least -1, given -2", jig::invalid_argument);
}

}  // namespace
