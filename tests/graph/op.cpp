// SPDX-License-Identifier: MIT
#include <jig/graph/op.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::dyn, jig::fact, jig::index;
using relation = jig::extent_algebra::relation;

constexpr index n = jig::dim<"n">, m = jig::dim<"m">;

// Remembers the last question and answers with a number that nobody else uses.
struct asked : jig::extent_algebra {
  int times = 0;
  relation what{};
  index a = 0, b = 0;
  static constexpr index answer = 4711;
  constexpr index combine(relation r, index x, index y) override {
    ++times;
    what = r;
    a = x;
    b = y;
    return answer;
  }
};

struct outcome {
  index result;
  int questions;
  std::string_view failure;
  constexpr bool operator==(const outcome&) const = default;
};

// One step of a rule with an algebra that knows nothing.
template <class F>
constexpr outcome after(F step) {
  asked algebra;
  jig::rule_context c;
  c.algebra = &algebra;
  index result = step(c);
  return {result, algebra.times, c.failed ? c.failure : ""};
}

constexpr outcome broadcast(index a, index b) {
  return after([=](jig::rule_context& c) { return c.broadcast(a, b); });
}
constexpr outcome equal(index a, index b) {
  return after([=](jig::rule_context& c) { return c.equal(a, b, "they differ"); });
}
constexpr outcome sum(index a, index b) {
  return after([=](jig::rule_context& c) { return c.sum(a, b); });
}
constexpr outcome difference(index a, index b) {
  return after([=](jig::rule_context& c) { return c.difference(a, b); });
}
constexpr outcome product(index a, index b) {
  return after([=](jig::rule_context& c) { return c.product(a, b); });
}
constexpr outcome quotient(index a, index b) {
  return after([=](jig::rule_context& c) { return c.quotient(a, b, "a rest"); });
}
constexpr outcome axis(index a, int rank) {
  return after([=](jig::rule_context& c) { return static_cast<index>(c.axis(a, rank)); });
}

constexpr index answer = asked::answer;

}  // namespace

TEST_CASE("facts are a set") {
  constexpr jig::op o{.name = "Op", .label = "op", .facts = fact::elementwise | fact::commutative};
  static_assert(o.is(fact::elementwise) && o.is(fact::commutative) && !o.is(fact::view));
  constexpr jig::op none{.name = "Op", .label = "op"};
  static_assert(!none.is(fact::elementwise) && !none.is(fact::none));
  // No two facts share a bit.
  const std::vector<fact> all{fact::elementwise, fact::commutative, fact::reduction,   fact::view,    fact::stateful, fact::input,
                              fact::constant,    fact::scalar_only, fact::float_lanes, fact::wraps,   fact::checked,  fact::keeps_order,
                              fact::lanes_only,  fact::control,     fact::output,      fact::updates, fact::host,     fact::dynamic_update};
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t k = 0; k < all.size(); ++k) CHECK((all[i] & all[k]) == (i == k));
}

TEST_CASE("extents broadcast") {
  static_assert(broadcast(3, 3) == outcome{3, 0, ""});
  static_assert(broadcast(1, 3) == outcome{3, 0, ""});
  static_assert(broadcast(3, 1) == outcome{3, 0, ""});
  static_assert(broadcast(1, 1) == outcome{1, 0, ""});
  static_assert(broadcast(0, 1) == outcome{0, 0, ""});
  static_assert(broadcast(0, 0) == outcome{0, 0, ""});
  static_assert(broadcast(0, 3).failure == "shapes do not broadcast");
  static_assert(broadcast(2, 3).failure == "shapes do not broadcast");
  static_assert(broadcast(n, n) == outcome{n, 0, ""});
  static_assert(broadcast(n, 1) == outcome{n, 0, ""});
  static_assert(broadcast(1, dyn) == outcome{dyn, 0, ""});
  // What the call has to find out.
  static_assert(broadcast(dyn, dyn) == outcome{answer, 1, ""});
  static_assert(broadcast(n, m) == outcome{answer, 1, ""});
  static_assert(broadcast(n, dyn) == outcome{answer, 1, ""});
  static_assert(broadcast(dyn, 3) == outcome{3, 1, ""});
  CHECK(broadcast(3, n) == outcome{3, 1, ""});
}

TEST_CASE("extents that must be equal") {
  static_assert(equal(3, 3) == outcome{3, 0, ""});
  static_assert(equal(n, n) == outcome{n, 0, ""});
  static_assert(equal(1, 3).failure == "they differ");
  static_assert(equal(dyn, 3) == outcome{3, 1, ""});
  static_assert(equal(3, n) == outcome{3, 1, ""});
  static_assert(equal(dyn, n) == outcome{n, 1, ""});
  static_assert(equal(n, dyn) == outcome{n, 1, ""});
  static_assert(equal(n, m) == outcome{n, 1, ""});
  CHECK(equal(dyn, dyn) == outcome{dyn, 1, ""});
}

TEST_CASE("arithmetic on extents") {
  static_assert(sum(2, 3) == outcome{5, 0, ""});
  static_assert(sum(0, n) == outcome{n, 0, ""});
  static_assert(sum(dyn, 0) == outcome{dyn, 0, ""});
  static_assert(sum(dyn, 1) == outcome{answer, 1, ""});
  static_assert(difference(5, 3) == outcome{2, 0, ""});
  static_assert(difference(n, 0) == outcome{n, 0, ""});
  static_assert(difference(5, n) == outcome{answer, 1, ""});
  static_assert(difference(0, n) == outcome{answer, 1, ""});
  static_assert(product(2, 3) == outcome{6, 0, ""});
  static_assert(product(1, n) == outcome{n, 0, ""});
  static_assert(product(n, 1) == outcome{n, 0, ""});
  static_assert(product(0, dyn) == outcome{0, 0, ""});
  static_assert(product(dyn, 0) == outcome{0, 0, ""});
  static_assert(product(n, n) == outcome{answer, 1, ""});
  static_assert(quotient(6, 3) == outcome{2, 0, ""});
  static_assert(quotient(n, 1) == outcome{n, 0, ""});
  static_assert(quotient(0, 0) == outcome{0, 0, ""});
  static_assert(quotient(0, 3) == outcome{0, 0, ""});
  static_assert(quotient(7, 3).failure == "a rest");
  static_assert(quotient(7, 0).failure == "a rest");
  CHECK(quotient(n, 3) == outcome{answer, 1, ""});
  // What an index cannot hold is refused, and does not look like a name or a wildcard.
  constexpr jig::index most = std::numeric_limits<jig::index>::max();
  static_assert(sum(most - 1, 1) == outcome{most, 0, ""});
  static_assert(sum(most, 1) == outcome{0, 0, jig::rule_context::too_large});
  static_assert(product(most / 2, 2) == outcome{most - 1, 0, ""});
  static_assert(product(most / 2 + 1, 2) == outcome{0, 0, jig::rule_context::too_large});
  static_assert(product(most, most).failure == jig::rule_context::too_large);
}

TEST_CASE("the algebra is told both extents and what is asked") {
  asked algebra;
  jig::rule_context c;
  c.algebra = &algebra;
  auto question = [&] { return std::tuple(algebra.what, algebra.a, algebra.b); };
  c.broadcast(n, m);
  CHECK(question() == std::tuple(relation::broadcast, n, m));
  c.equal(4, m, "");
  CHECK(question() == std::tuple(relation::equal, jig::index{4}, m));
  c.sum(n, 2);
  CHECK(question() == std::tuple(relation::sum, n, jig::index{2}));
  c.difference(2, n);
  CHECK(question() == std::tuple(relation::difference, jig::index{2}, n));
  c.product(n, 2);
  CHECK(question() == std::tuple(relation::product, n, jig::index{2}));
  c.quotient(12, n, "");
  CHECK(question() == std::tuple(relation::quotient, jig::index{12}, n));
  CHECK(algebra.times == 6);
  CHECK(jig::extent_algebra().combine(relation::sum, n, 2) == dyn);
}

TEST_CASE("axes count from either end") {
  static_assert(axis(0, 3).result == 0);
  static_assert(axis(2, 3).result == 2);
  static_assert(axis(-1, 3).result == 2);
  static_assert(axis(-3, 3).result == 0);
  for (auto [a, rank] : {std::pair(3, 3), std::pair(-4, 3), std::pair(0, 0), std::pair(-1, 0), std::pair(9, 8), std::pair(-9, 8)})
    CHECK(axis(a, rank).failure == "there is no axis " + std::to_string(a));
  for (auto a : {10, -10}) CHECK(axis(a, 3).failure == "there is no such axis");
}

TEST_CASE("the first failure counts") {
  jig::rule_context c;
  CHECK(!c.failed);
  c.fail("first");
  c.fail("second");
  CHECK(c.failed);
  CHECK(std::string_view(c.failure) == "first");
}

TEST_CASE("rules read attributes") {
  using some = jig::attributes<jig::integers<"axes", 1, 0>, jig::integers<"none">, jig::boolean<"keep_dims", true>>;
  jig::rule_context c;
  c.attributes = some::view();
  CHECK(c.integers("axes").size() == 2);
  CHECK(c.integers("axes")[1] == 0);
  CHECK(c.integers("missing").empty());
  CHECK(c.integer("axes") == 1);
  CHECK(c.integer("keep_dims") == 1);
  CHECK(c.integer("missing") == 0);
  CHECK(c.integer("missing", -1) == -1);
  CHECK(c.integer("none", 7) == 7);
  CHECK(c.has("none"));
  CHECK(!c.has("missing"));
}

TEST_CASE("what an op is unless it says otherwise") {
  constexpr jig::op o{.name = "Op", .label = "op"};
  jig::rule_context c;
  o.rule(c);
  CHECK(c.failed);
  c.result.shape = {2, {3, 4}};
  CHECK(o.flops(c) == 12);
  CHECK(o.free_inputs == 0);
}

TEST_CASE("refusals name the op and all specs") {
  constexpr jig::op o{.name = "MatMul", .label = "MatMul"};
  static constexpr jig::tensor_spec specs[] = {
      {jig::dtype::float32, {2, {2, 3}}}, {jig::dtype::float32, {2, {dyn, n}}}, {jig::dtype::boolean, {}}};
  static_assert(jig::refusal(o, "no", {specs, 2}).view() == "MatMul: no: float32 (2, 3) and float32 (None, n)");
  CHECK(jig::refusal(o, "no", {}).view() == "MatMul: no");
  CHECK(jig::refusal(o, "no", {specs, 1}).view() == "MatMul: no: float32 (2, 3)");
  CHECK(jig::refusal(o, "no", specs).view() == "MatMul: no: float32 (2, 3), float32 (None, n) and bool ()");
}

namespace {

constexpr jig::op first{.name = "Same", .label = "same"};
constexpr jig::op second{.name = "Same", .label = "same"};
constexpr jig::op copied = first.with(fact::elementwise);

}  // namespace

TEST_CASE("ops are told apart by where they are declared, not by name") {
  static_assert(!jig::detail::is_op(first, second));
  static_assert(jig::detail::is_op(first, first));
  static_assert(jig::detail::is_op(copied, first));
}
