// SPDX-License-Identifier: MIT
#include <jig/data/numbers.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <vector>

namespace {

using jig::data::detail::numbers;
using limits = std::numeric_limits<jig::index>;

std::vector<std::int64_t> all(const numbers& n) {
  std::vector<std::int64_t> out;
  for (auto cursor = n.open(); cursor.next();) out.push_back(cursor.element());
  return out;
}

TEST_CASE("Numbers go up and down, and end before stop") {
  CHECK(all(numbers(0, 5, 2)) == std::vector<std::int64_t>{0, 2, 4});
  CHECK(all(numbers(0, 6, 2)) == std::vector<std::int64_t>{0, 2, 4});
  CHECK(all(numbers(3, -4, -3)) == std::vector<std::int64_t>{3, 0, -3});
  CHECK(all(numbers(3, 3, 1)).empty());
  CHECK(all(numbers(3, 4, -1)).empty());
  CHECK_THROWS_WITH_AS(numbers(0, 1, 0), "range: step must not be 0", jig::invalid_argument);
}

TEST_CASE("Numbers at the ends of what there is") {
  CHECK(all(numbers(limits::max() - 3, limits::max(), 2)) == std::vector<std::int64_t>{limits::max() - 3, limits::max() - 1});
  CHECK(all(numbers(limits::min(), limits::max(), limits::max())) == std::vector<std::int64_t>{limits::min(), -1, limits::max() - 1});
  CHECK(all(numbers(limits::max(), limits::min(), limits::min())) == std::vector<std::int64_t>{limits::max(), -1});
}

TEST_CASE("One element") {
  const jig::data::detail::single one(std::tuple(1, 2.5));
  CHECK(one.cardinality() == 1);
  auto cursor = one.open();
  REQUIRE(cursor.next());
  CHECK(cursor.element() == std::tuple(1, 2.5));
  CHECK_FALSE(cursor.next());
}

}  // namespace
