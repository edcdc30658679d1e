// SPDX-License-Identifier: MIT
#include <jig/core/list.hpp>
#include <jig/core/stretch.hpp>

#include <doctest/doctest.h>

#include <array>
#include <span>
#include <type_traits>
#include <vector>

namespace {

std::vector<int> items(jig::stretch<int> s) { return {s.begin(), s.end()}; }

}  // namespace

TEST_CASE("whatever has its values in a row is a stretch") {
  const int array[] = {1, 2};
  CHECK(items(array) == std::vector{1, 2});
  CHECK(items(std::vector{1, 2, 3}) == std::vector{1, 2, 3});
  CHECK(items(std::array{4}) == std::vector{4});
  CHECK(items(jig::list<int>{5, 6}) == std::vector{5, 6});
  CHECK(items(std::span(array)) == std::vector{1, 2});
  CHECK(items({array + 1, 1}) == std::vector{2});
  CHECK(items({}).empty());
  static_assert(!std::is_convertible_v<std::vector<long>, jig::stretch<int>>);
  static_assert(!std::is_convertible_v<int, jig::stretch<int>>);
}

TEST_CASE("a stretch is a span") {
  const int array[] = {1, 2, 3};
  std::span<const int> s = jig::stretch<int>(array);
  CHECK(s.data() == array);
  CHECK(s.size() == 3);
}

TEST_CASE("parts of a stretch") {
  constexpr static int array[] = {1, 2, 3, 4};
  constexpr jig::stretch<int> s = array;
  static_assert(s.size() == 4 && !s.empty() && s[1] == 2 && s.back() == 4 && s.data() == array);
  static_assert(jig::stretch<int>().empty());
  CHECK(items(s.first(2)) == std::vector{1, 2});
  CHECK(items(s.subspan(1)) == std::vector{2, 3, 4});
  CHECK(items(s.subspan(1, 2)) == std::vector{2, 3});
  CHECK(items(s.subspan(4)).empty());
}
