// SPDX-License-Identifier: MIT
#include <jig/data/sequence.hpp>

#include <jig/data/numbers.hpp>

#include <doctest/doctest.h>

namespace {

namespace detail = jig::data::detail;

TEST_CASE("A part of a sequence is one") {
  static_assert(detail::Sequence<detail::numbers> && detail::Source<detail::numbers>);
  const detail::subsequence<detail::numbers> part(detail::numbers(10, 20, 1), 3, 4);
  static_assert(detail::Sequence<decltype(part)>);
  CHECK(part.cardinality() == 4);
  CHECK(part.at(0) == 13);
  auto cursor = part.open();
  for (int i = 13; i < 17; ++i) {
    REQUIRE(cursor.next());
    CHECK(cursor.element() == i);
  }
  CHECK_FALSE(cursor.next());
  CHECK_FALSE(cursor.next());
}

}  // namespace
