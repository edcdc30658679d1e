// SPDX-License-Identifier: MIT
#include <jig/core/error.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <type_traits>

namespace {

// The pieces that a refused type would have as template arguments.
std::string pieces(std::string_view sentence, char between) {
  std::string all;
  for (std::size_t k = 0; k < jig::detail::piece_count(sentence); ++k) {
    auto [begin, end] = jig::detail::piece_of(sentence, k);
    if (k > 0) all += between;
    all += sentence.substr(begin, end - begin);
  }
  return all;
}

std::string without(std::string s, char c) {
  std::erase(s, c);
  return s;
}

struct short_reason {
  static constexpr auto sentence = jig::text("MatMul: inner extents differ");
};

}  // namespace

TEST_CASE("exceptions of the library are runtime errors") {
  static_assert(std::is_base_of_v<std::runtime_error, jig::error>);
  static_assert(std::is_base_of_v<jig::error, jig::invalid_argument>);
  CHECK_THROWS_WITH_AS(jig::detail::throw_invalid_argument("the sentence"), "the sentence", jig::invalid_argument);
  CHECK_THROWS_AS(jig::detail::throw_invalid_argument(""), jig::error);
  // The text may be part of a longer one.
  CHECK_THROWS_WITH_AS(jig::detail::throw_invalid_argument(std::string_view("one two").substr(0, 3)), "one", jig::invalid_argument);
}

TEST_CASE("refused types are recognised without being instantiated") {
  static_assert(jig::is_refused<jig::refused<"a", "b">>);
  static_assert(jig::is_refused<jig::refused<>>);
  static_assert(!jig::is_refused<int>);
  static_assert(!jig::is_refused<jig::refused<"a">*>);
}

TEST_CASE("a sentence is cut into pieces that compilers print whole") {
  const std::string words = "a traced lambda must not capture: what varies has to be an argument (a tensor, a number)";
  const std::string one_word(200, 'x');
  for (const auto& sentence : {std::string(), std::string("x"), std::string(" "), words, one_word, words + ' ' + one_word,
                               std::string(100, ' '), words + words + words + words, std::string(1023, 'y')}) {
    CAPTURE(sentence);
    CHECK(without(pieces(sentence, '\n'), '\n') == sentence);
    const std::string cut = pieces(sentence, '\n');
    std::size_t longest = 0;
    for (std::size_t i = 0, begin = 0; i <= cut.size(); ++i)
      if (i == cut.size() || cut[i] == '\n') {
        longest = std::max(longest, i - begin);
        begin = i + 1;
      }
    CHECK(longest <= jig::detail::piece_length);
  }
#ifdef __clang__
  CHECK(pieces(words, '|') == "a traced lambda must not |capture: what varies has to |be an argument (a tensor, a |number)");
  CHECK(jig::detail::piece_count(one_word) == 7);
#else
  CHECK(jig::detail::piece_count(words) == 1);
#endif
}

TEST_CASE("a piece is a text of exactly its characters") {
  constexpr auto first = jig::detail::piece<short_reason, 0>();
  static_assert(first.view() == "MatMul: inner extents differ");
  static_assert(first.size() == 28);
  static_assert(jig::detail::fixed_reason<"no">::sentence.view() == "no");
}
