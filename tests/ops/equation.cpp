// SPDX-License-Identifier: MIT
#include <jig/ops/equation.hpp>

#include <doctest/doctest.h>

#include <string>

using jig::detail::labels;

namespace {

std::string text_of(const labels& l) { return std::string(l.at, l.at + l.count); }

jig::detail::equation read(std::string_view text, std::initializer_list<jig::shape> shapes) {
  return jig::detail::read_equation(text, jig::list<jig::shape>(shapes));
}

}  // namespace

TEST_CASE("letters of operands and result") {
  const auto e = read(" ij , jk -> i k ", {{2, {2, 3}}, {2, {3, 4}}});
  CHECK_FALSE(e.failed);
  CHECK(text_of(e.in[0]) == "ij");
  CHECK(text_of(e.in[1]) == "jk");
  CHECK(text_of(e.out) == "ik");
  CHECK(read(",->", {{}, {}}).out.count == 0);
}

TEST_CASE("without an arrow the result has the letters that occur once") {
  CHECK(text_of(read("kj,ji", {{2, {2, 3}}, {2, {3, 4}}}).out) == "ik");
  CHECK(text_of(read("ii", {{2, {2, 2}}}).out).empty());
  CHECK(text_of(read("aB", {{2, {2, 2}}}).out) == "Ba");
}

TEST_CASE("an ellipsis becomes the axes that its operand has besides") {
  const auto e = read("...i,i...->...", {{3, {5, 4, 3}}, {2, {3, 4}}});
  CHECK_FALSE(e.failed);
  CHECK(text_of(e.in[0]) == "67i");
  CHECK(text_of(e.in[1]) == "i7");
  CHECK(text_of(e.out) == "67");
  CHECK_FALSE(read("...i->i", {{1, {3}}}).failed);
  CHECK(read("...i->i", {{2, {3, 3}}}).failed);
}

TEST_CASE("extents") {
  CHECK_FALSE(read("ij,jk", {{2, {2, jig::dyn}}, {2, {3, 4}}}).failed);
  CHECK(read("ij,jk", {{2, {2, 1}}, {2, {3, 4}}}).failed);
  CHECK_FALSE(read("...,...->...", {{1, {1}}, {1, {3}}}).failed);
  CHECK(read("...,...->...", {{1, {2}}, {1, {3}}}).failed);
}

TEST_CASE("sets of letters") {
  const auto e = read("abca,cb", {{4, {1, 1, 1, 1}}, {2, {1, 1}}});
  const labels &x = e.in[0], &y = e.in[1];
  CHECK(x.repeated() == 3);
  CHECK(text_of(x.without_axis(3)) == "abc");
  CHECK(text_of(x.without(y)) == "aa");
  CHECK(text_of(x.within(y)) == "bc");
  CHECK(text_of(jig::detail::joined(y, x)) == "cba");
  CHECK(y.position('b') == 1);
  CHECK(y.position('z') == -1);
}
