// SPDX-License-Identifier: MIT
#include <jig/ops/rules.hpp>

#include <doctest/doctest.h>

#include <initializer_list>
#include <string_view>
#include <vector>

namespace {

using jig::dtype;
using jig::dyn;
using jig::shape;
using jig::tensor_spec;

constexpr jig::index n = jig::dim<"n">, m = jig::dim<"m">;

struct outcome {
  tensor_spec result;
  bool failed;
  std::string_view failure;
};

outcome apply(void (*rule)(jig::rule_context&), std::vector<tensor_spec> inputs) {
  jig::extent_algebra unknown;
  jig::rule_context c;
  c.inputs = inputs;
  c.algebra = &unknown;
  rule(c);
  return {c.result, c.failed, c.failure};
}

tensor_spec of(dtype d, std::initializer_list<jig::index> extents) {
  shape s;
  for (auto e : extents) s.push_back(e);
  return {d, s};
}

shape broadcast(std::initializer_list<jig::index> a, std::initializer_list<jig::index> b) {
  auto o = apply(jig::elementwise_rule<jig::numbers>, {of(dtype::int8, a), of(dtype::int8, b)});
  CHECK(!o.failed);
  return o.result.shape;
}

}  // namespace

TEST_CASE("shapes broadcast as NumPy's do") {
  CHECK(broadcast({2, 3}, {2, 3}) == shape{2, {2, 3}});
  CHECK(broadcast({2, 3}, {3}) == shape{2, {2, 3}});
  CHECK(broadcast({3}, {2, 1}) == shape{2, {2, 3}});
  CHECK(broadcast({}, {2, 3}) == shape{2, {2, 3}});
  CHECK(broadcast({}, {}) == shape{});
  CHECK(broadcast({8, 1, 6, 1}, {7, 1, 5}) == shape{4, {8, 7, 6, 5}});
  CHECK(broadcast({0}, {1}) == shape{1, {0}});
  CHECK(broadcast({1, 1, 1, 1, 1, 1, 1, 2}, {}) == shape{8, {1, 1, 1, 1, 1, 1, 1, 2}});
  for (auto wrong : {of(dtype::int8, {2}), of(dtype::int8, {0}), of(dtype::int8, {3, 1, 2})}) {
    auto o = apply(jig::elementwise_rule<jig::numbers>, {of(dtype::int8, {2, 3}), wrong});
    CHECK(o.failed);
    CHECK(o.failure == "shapes do not broadcast");
  }
}

TEST_CASE("wildcard and named extents broadcast") {
  CHECK(broadcast({dyn}, {1}) == shape{1, {dyn}});
  CHECK(broadcast({dyn}, {3}) == shape{1, {3}});
  CHECK(broadcast({dyn}, {dyn}) == shape{1, {dyn}});
  CHECK(broadcast({n}, {n}) == shape{1, {n}});
  CHECK(broadcast({n, 2}, {2}) == shape{2, {n, 2}});
  CHECK(broadcast({n}, {m}) == shape{1, {dyn}});
  CHECK(broadcast({n}, {dyn}) == shape{1, {dyn}});
}

TEST_CASE("dtypes must agree and be of a kind that the op takes") {
  auto reason = [](auto rule, std::vector<tensor_spec> inputs) { return std::string(apply(rule, inputs).failure); };
  using namespace jig::detail;
  auto f = of(dtype::float32, {}), d = of(dtype::float64, {}), i = of(dtype::int32, {}), b = of(dtype::boolean, {}),
       s = of(dtype::string, {});
  CHECK(reason(jig::elementwise_rule<jig::numbers>, {f, d}) == "dtypes differ, convert one with jig::cast");
  CHECK(reason(jig::elementwise_rule<jig::floats>, {i}) == "the dtype must be floating, use jig::cast");
  CHECK(reason(jig::elementwise_rule<jig::integers_only>, {f, f}) == "the dtype must be an integer");
  CHECK(reason(jig::elementwise_rule<jig::booleans>, {i}) == "the dtype must be bool");
  CHECK(reason(jig::elementwise_rule<jig::numbers>, {b}) == "the dtype must be a number, use jig::cast");
  CHECK(reason(jig::elementwise_rule < jig::numbers | jig::strings >, {b}) == "there is no such operation on this dtype");
  CHECK(reason(jig::elementwise_rule<jig::anything>, {s, s}) == "");
  CHECK(apply(jig::predicate_rule<jig::numbers>, {f, f}).result == of(dtype::boolean, {}));
}

TEST_CASE("every dtype is of one kind") {
  using jig::detail::is_of;
  for (int k = 0; k < jig::dtype_count; ++k) {
    auto d = static_cast<dtype>(k);
    CHECK(is_of(d, jig::floats) + is_of(d, jig::integers_only) + is_of(d, jig::booleans) + is_of(d, jig::strings) == 1);
    CHECK(is_of(d, jig::anything));
    CHECK(is_of(d, jig::numbers) == (d < dtype::boolean));
  }
}

TEST_CASE("sentences name op, reason and specs") {
  constexpr jig::op o{.name = "Twist", .label = "twist"};
  tensor_spec inputs[] = {of(dtype::float32, {2, dyn}), of(dtype::int8, {}), of(dtype::boolean, {n})};
  CHECK(jig::refusal(o, "no", inputs).view() == "Twist: no: float32 (2, None), int8 () and bool (n,)");
  CHECK(jig::refusal(o, "no", {inputs, 1}).view() == "Twist: no: float32 (2, None)");
  CHECK(jig::detail::select(true, 1, 2) == 1);
  CHECK(jig::detail::select(false, 1, 2) == 2);
}
