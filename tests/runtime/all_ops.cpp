// SPDX-License-Identifier: MIT
#include <jig/runtime/all_ops.hpp>

#include <doctest/doctest.h>

namespace {

using namespace jig;

inline constexpr op own{.name = "Neg", .label = "Neg", .facts = fact::elementwise, .rule = elementwise_rule<numbers>};

}  // namespace

TEST_CASE("ops are of the library by what they are, not by name") {
  static_assert(detail::is_of_library(ops::neg));
  static_assert(detail::is_of_library(ops::cast));
  static_assert(!detail::is_of_library(own));
  CHECK(!detail::is_of_library(own));
}

TEST_CASE("no op stands twice") {
  for (const op* one : detail::all_ops) {
    int times = 0;
    for (const op* other : detail::all_ops) times += one->identity == other->identity;
    CHECK_MESSAGE(times == 1, one->name);
  }
}
