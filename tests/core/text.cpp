// SPDX-License-Identifier: MIT
#include <jig/core/text.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <type_traits>

namespace {

template <jig::text T>
struct named {};

constexpr jig::message written(auto... pieces) {
  jig::message m;
  ((m << pieces), ...);
  return m;
}

}  // namespace

TEST_CASE("a text is a template argument: equal characters, equal types") {
  static_assert(jig::text("").size() == 0);
  static_assert(jig::text("").view().empty());
  static_assert(jig::text("f(x)").size() == 4);
  static_assert(jig::text("f(x)").view() == "f(x)");
  static_assert(std::is_same_v<named<"a">, named<"a">>);
  static_assert(!std::is_same_v<named<"a">, named<"b">>);
  static_assert(!std::is_same_v<named<"a">, named<"ab">>);
  // A zero in the middle is a character like others.
  static_assert(jig::text("a\0b").size() == 3);
  static_assert(jig::text("a\0b").view()[2] == 'b');
  jig::text later("later");
  CHECK(later.view() == "later");
}

TEST_CASE("a message grows in constant evaluation and at run time") {
  static_assert(written().view().empty());
  static_assert(written("axis ", 3, ',', std::string_view(" of "), std::ptrdiff_t{-12}).view() == "axis 3, of -12");
  CHECK(written("axis ", 3, ',', std::string_view(" of "), std::ptrdiff_t{-12}).view() == "axis 3, of -12");
  jig::message m;
  CHECK(&(m << "a" << 'b') == &m);
  CHECK(m.length == 2);
}

TEST_CASE("numbers of any size") {
  using limits = std::numeric_limits<std::ptrdiff_t>;
  static_assert(written(0).view() == "0");
  static_assert(written(-1).view() == "-1");
  static_assert(written(10).view() == "10");
  static_assert(written(1009).view() == "1009");
  static_assert(written(limits::max()).view() == "9223372036854775807");
  static_assert(written(limits::min()).view() == "-9223372036854775808");
  for (std::ptrdiff_t x : {std::ptrdiff_t{7}, std::ptrdiff_t{-100}, limits::max(), limits::min(), limits::min() + 1})
    CHECK(written(x).view() == std::to_string(x));
}

TEST_CASE("what does not fit is left out") {
  constexpr auto capacity = jig::message::capacity;
  const std::string all(capacity, 'x');
  jig::message m;
  m << all;
  CHECK(m.view() == all);
  m << 'y' << "z" << 123;
  CHECK(m.view() == all);
  CHECK(m.chars[capacity] == '\0');

  jig::message almost;
  almost << std::string_view(all).substr(2) << -123;
  CHECK(almost.length == capacity);
  CHECK(almost.view().substr(capacity - 3) == "x-1");
}
