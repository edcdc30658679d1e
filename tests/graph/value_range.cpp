// SPDX-License-Identifier: MIT
#include <jig/graph/value_range.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

namespace {

using jig::index, jig::value_range;

static_assert(!value_range{}.exists() && !value_range{}.is_within({-100, 100}));
static_assert(value_range{3, 3}.exists() && !value_range{3, 2}.exists());

std::vector<index> numbers(const value_range& r) {
  std::vector<index> all;
  for (index i = r.low; i <= r.high; ++i) all.push_back(i);
  return all;
}
value_range hull(const std::vector<index>& all) {
  return {*std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end())};
}
bool same(const value_range& a, const value_range& b) { return a.low == b.low && a.high == b.high; }

// Beside every number that there is.
TEST_CASE("ranges of both, of products, and within another") {
  int wrong = 0;
  for (index low = -4; low <= 4; ++low)
    for (index high = low; high <= 4; ++high)
      for (index other_low = -4; other_low <= 4; ++other_low)
        for (index other_high = other_low; other_high <= 4; ++other_high) {
          const value_range a{low, high}, b{other_low, other_high};
          auto both = numbers(a);
          for (index i : numbers(b)) both.push_back(i);
          std::vector<index> products;
          bool within = true;
          for (index i : numbers(a)) {
            within = within && i >= b.low && i <= b.high;
            for (index k : numbers(b)) products.push_back(i * k);
          }
          wrong += !same(a.with(b), hull(both)) + !same(a.times(b), hull(products)) + (a.is_within(b) != within);
        }
  CHECK(wrong == 0);
}

}  // namespace
