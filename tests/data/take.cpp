// SPDX-License-Identifier: MIT
#include <jig/data/take.hpp>

#include <jig/data/dataset.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

namespace data = jig::data;

// The same numbers as a sequence, and as what is read in order only.
const auto sequence = data::range(7);
const auto stream = data::range(7).map([](auto i) { return i; });

template <class Dataset>
std::vector<std::int64_t> all(const Dataset& d) {
  std::vector<std::int64_t> out;
  for (const auto x : d) out.push_back(x);
  CHECK(d.cardinality() == static_cast<jig::index>(out.size()));
  return out;
}
using numbers = std::vector<std::int64_t>;

TEST_CASE("take and skip") {
  CHECK(all(sequence.take(3)) == numbers{0, 1, 2});
  CHECK(all(stream.take(3)) == numbers{0, 1, 2});
  CHECK(all(sequence.skip(5)) == numbers{5, 6});
  CHECK(all(stream.skip(5)) == numbers{5, 6});
  CHECK(all(sequence.skip(2).take(2).skip(1)) == numbers{3});
  CHECK(all(stream.skip(2).take(2).skip(1)) == numbers{3});
  for (const jig::index n : {7, 8, 100}) {
    CHECK(all(sequence.take(n)).size() == 7);
    CHECK(all(stream.take(n)).size() == 7);
    CHECK(all(sequence.skip(n)).empty());
    CHECK(all(stream.skip(n)).empty());
  }
  CHECK(all(sequence.take(-1)).size() == 7);
  CHECK(all(stream.take(-1)).size() == 7);
  CHECK(all(sequence.take(0)).empty());
  CHECK(all(stream.take(0)).empty());
  CHECK(all(stream.repeat().take(9)) == numbers{0, 1, 2, 3, 4, 5, 6, 0, 1});
  CHECK(stream.repeat().skip(3).cardinality() == data::infinite_cardinality);
}

TEST_CASE("take asks for no more than it gives") {
  int made = 0;
  const auto counted = data::range(9).map([&](auto i) { return ++made, i; });
  for (const auto i : counted.take(2)) CHECK(i < 2);
  CHECK(made == 2);
}

TEST_CASE("shards have every element once") {
  CHECK(all(sequence.shard(3, 0)) == numbers{0, 3, 6});
  CHECK(all(stream.shard(3, 1)) == numbers{1, 4});
  CHECK(all(stream.shard(3, 2)) == numbers{2, 5});
  CHECK(all(stream.shard(1, 0)).size() == 7);
  CHECK(all(stream.shard(9, 8)).empty());
}

TEST_CASE("Counts that are none") {
  CHECK_THROWS_WITH_AS(sequence.take(-2), "take: its count must be at least -1, given -2", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(stream.skip(-1), "skip: its count must be at least 0, given -1", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(stream.shard(0, 0), "shard: the number of shards must be at least 1, given 0", jig::invalid_argument);
  CHECK_THROWS_WITH_AS(stream.shard(3, 3), "shard: 3 is no number of 3 shards", jig::invalid_argument);
}

}  // namespace
