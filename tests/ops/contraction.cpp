// SPDX-License-Identifier: MIT
#include <jig/ops/contraction.hpp>

#include <doctest/doctest.h>

#include <string>

using jig::detail::labels;

namespace {

constexpr labels letters(std::string_view text) {
  labels l;
  for (char c : text) l.push_back(c);
  return l;
}
std::string text_of(const labels& l) { return std::string(l.at, l.at + l.count); }

constexpr auto next_of(std::initializer_list<std::string_view> operands, std::initializer_list<jig::shape> shapes, std::string_view out) {
  jig::detail::contraction_order order;
  auto s = shapes.begin();
  for (auto o : operands) order.add(letters(o), *s++);
  order.out = jig::detail::contraction_order::set_of(letters(out));
  return order.best(order.sets);
}

}  // namespace

TEST_CASE("the cheapest two are next") {
  constexpr auto last = next_of({"ij", "jk", "kl"}, {{2, {100, 2}}, {2, {2, 100}}, {2, {100, 2}}}, "il");
  static_assert(last.first == 1 && last.second == 2);
  constexpr auto front = next_of({"ij", "jk", "kl"}, {{2, {2, 100}}, {2, {100, 2}}, {2, {2, 100}}}, "il");
  static_assert(front.first == 0 && front.second == 1);
  // Of six operands only the next step is looked at.
  constexpr auto vector =
      next_of({"ab", "bc", "cd", "de", "ef", "f"}, {{2, {9, 9}}, {2, {9, 9}}, {2, {9, 9}}, {2, {9, 9}}, {2, {9, 9}}, {1, {9}}}, "a");
  static_assert(vector.first == 4 && vector.second == 5);
}

TEST_CASE("an extent that only a call knows counts as long") {
  constexpr auto next = next_of({"ij", "jk", "kl"}, {{2, {2, jig::dyn}}, {2, {jig::dyn, 2}}, {2, {2, 3}}}, "il");
  static_assert(next.first == 0 && next.second == 1);
}

TEST_CASE("letters by their part") {
  const auto c =
      jig::detail::plan_contraction(letters("bij"), letters("bkj"), letters("bik"), letters("bik"), {3, {2, 3, 4}}, {3, {2, 5, 4}});
  CHECK(text_of(c.batch) == "b");
  CHECK(text_of(c.sum) == "j");
  CHECK(text_of(c.first) == "i");
  CHECK(text_of(c.second) == "k");
  CHECK(c.is_matmul());
  // Neither has letters of its own.
  CHECK_FALSE(
      jig::detail::plan_contraction(letters("ij"), letters("ij"), letters("i"), letters("i"), {2, {3, 4}}, {2, {3, 4}}).is_matmul());
}

TEST_CASE("sums along a batch that is the last axis, unless matrices are large") {
  auto along = [](jig::index n) {
    return jig::detail::plan_contraction(letters("ijb"), letters("jkb"), letters("ikb"), letters("ikb"), {3, {n, n, 50}}, {3, {n, n, 50}})
               .along_batch == 'b';
  };
  CHECK(along(4));
  CHECK(along(24));
  CHECK_FALSE(along(25));
}

TEST_CASE("sums along a batch that is the last axis of many matrices, whose result is turned then") {
  const auto along = [](jig::index n, jig::index k, jig::index batches) {
    const auto c =
        jig::detail::plan_contraction(letters("abc"), letters("ca"), letters("cb"), letters("cb"), {3, {k, n, batches}}, {2, {batches, k}});
    CHECK(text_of(c.order_of(letters("cb"))) == (c.along_batch == 0 ? "cb" : "bc"));
    return c.along_batch == 'c';
  };
  CHECK(along(8, 8, 16));
  CHECK_FALSE(along(8, 8, 15));
  CHECK(along(8, 8, jig::dyn));
  CHECK(along(8, 64, 100));
  CHECK_FALSE(along(7, 8, 100));  // the vectors are not much smaller than the matrices
}

TEST_CASE("the axes of products that are summed") {
  jig::detail::contraction c{.batch = letters("b"), .sum = letters("j"), .first = {}, .second = {}};
  // Few are unrolled, many lie before the last axis that stays.
  CHECK(text_of(jig::detail::summing_order(c, letters("b"), letters("jb"), letters("jb"), {2, {16, 9}})) == "bj");
  CHECK(text_of(jig::detail::summing_order(c, letters("b"), letters("jb"), letters("jb"), {2, {17, 9}})) == "jb");
  CHECK(text_of(jig::detail::summing_order(c, letters("b"), letters("bj"), letters("bj"), {2, {9, 17}})) == "bj");
}
