// SPDX-License-Identifier: MIT
#include <jig/core/extent.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string>

namespace {

constexpr jig::message printed(jig::index e) {
  jig::message m;
  jig::append_extent(m, e);
  return m;
}

template <jig::text Name>
concept names_an_extent = requires { jig::dim<Name>; };

}  // namespace

TEST_CASE("an extent is a number, a wildcard or a name") {
  static_assert(jig::is_static_extent(0));
  static_assert(jig::is_static_extent(7));
  static_assert(!jig::is_static_extent(jig::dyn));
  static_assert(!jig::is_named_extent(jig::dyn));
  static_assert(!jig::is_named_extent(0));
  static_assert(jig::is_named_extent(jig::dim<"n">));
  static_assert(!jig::is_static_extent(jig::dim<"n">));
}

TEST_CASE("extents are printed") {
  static_assert(printed(0).view() == "0");
  static_assert(printed(123).view() == "123");
  static_assert(printed(jig::dyn).view() == "None");
  static_assert(printed(jig::dim<"n">).view() == "n");
  CHECK(printed(jig::dim<"batch">).view() == "batch");
  CHECK(printed(1'000'000'000'000).view() == "1000000000000");
}

TEST_CASE("names of 1 to 31 letters, digits and underscores") {
  static_assert(names_an_extent<"a">);
  static_assert(names_an_extent<"1">);
  static_assert(names_an_extent<"_">);
  static_assert(names_an_extent<"abcdefghij">);
  static_assert(!names_an_extent<"">);
  static_assert(names_an_extent<"abcdefghijk">);
  static_assert(names_an_extent<"abcdefghijklmnopqrstuvwxyz_1234">);
  static_assert(!names_an_extent<"abcdefghijklmnopqrstuvwxyz_12345">);
  static_assert(!names_an_extent<"abcdefghijk lmn">);
  static_assert(!names_an_extent<"a b">);
  static_assert(!names_an_extent<"a-b">);
  static_assert(!names_an_extent<"a\0b">);
}

TEST_CASE("every name survives") {
  static_assert(printed(jig::dim<"abcdefghij">).view() == "abcdefghij");
  static_assert(printed(jig::dim<"ABCDEFGHIJ">).view() == "ABCDEFGHIJ");
  // The first and the last name.
  static_assert(printed(jig::dim<"a">).view() == "a");
  static_assert(printed(jig::dim<"__________">).view() == "__________");
  static_assert(jig::is_named_extent(jig::dim<"__________">));
  for (char c : jig::detail::name_alphabet)
    for (std::size_t length = 1; length <= 10; ++length) {
      std::string name(length, 'a');
      for (std::size_t at = 0; at < length; ++at) {
        name.assign(length, 'a');
        name[at] = c;
        jig::index code = jig::detail::encode_name(name);
        CHECK(jig::is_named_extent(code));
        CHECK(printed(code).view() == name);
      }
    }
}

TEST_CASE("long names") {
  static_assert(jig::is_named_extent(jig::dim<"sequence_length">) && jig::is_extent(jig::dim<"___________">));
  static_assert(jig::dim<"sequence_length"> == jig::dim<"sequence_length">);
  static_assert(printed(jig::dim<"sequence_length">).view() == "seque...");
  CHECK(printed(jig::dim<"sequence_length">).view() == "sequence_length");
  CHECK(printed(jig::dim<"abcdefghijklmnopqrstuvwxyz_1234">).view() == "abcdefghijklmnopqrstuvwxyz_1234");
  // Names alike, and none that is short.
  std::set<jig::index> codes;
  std::string name;
  for (int k = 0; k < 2000; ++k) {
    name = "sequence_" + std::to_string(k);
    const jig::index code = jig::detail::encode_name(name);
    CHECK(jig::is_extent(code));
    CHECK(jig::detail::is_shortened(-2 - code) == (name.size() > 10));
    codes.insert(code);
  }
  CHECK(codes.size() == 2000);
  CHECK(printed(jig::detail::encode_name("a_name_of_no_program")).view() == "a_nam...");
}

TEST_CASE("equal names are equal numbers, others differ") {
  static_assert(jig::dim<"n"> == jig::dim<"n">);
  std::set<jig::index> codes{jig::dim<"n">,  jig::dim<"N">,  jig::dim<"nn">,         jig::dim<"an">,        jig::dim<"na">,
                             jig::dim<"n1">, jig::dim<"_n">, jig::dim<"aaaaaaaaaa">, jig::dim<"aaaaaaaaa">, jig::dyn};
  CHECK(codes.size() == 10);
}
