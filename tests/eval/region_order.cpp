// SPDX-License-Identifier: MIT
#include <jig/eval/region_order.hpp>

#include <doctest/doctest.h>

#include <planned_graph.hpp>

#include <vector>

namespace {

using jig::detail::region_order, jig::detail::shared_memory;

const jig::tensor_spec matrix{jig::dtype::float32, {2, {64, 64}}};

TEST_CASE("the order says who waits for whom, directly and through others") {
  const jig::graph traced = jig::detail::dynamic_trace(
                                "",
                                [](auto x, auto y) {
                                  auto a = jig::matmul(x, x), b = jig::matmul(y, y);
                                  return jig::matmul(jig::matmul(a, x), b);
                                },
                                matrix, matrix)
                                .graph;
  const planned p = planned_graph(traced, true);
  const region_order order(p.view(), shared_memory::workspace);
  REQUIRE(order.count() == 4);
  // Two products of x come one after the other, that of y beside them.
  int waits_for_nothing = 0;
  for (int r = 0; r < 4; ++r) waits_for_nothing += order.awaited(r).size() == 0 ? 1 : 0;
  CHECK(waits_for_nothing == 2);
  CHECK(order.awaited(3).size() == 2);
  for (int r = 0; r < 3; ++r) CHECK(order.precedes(r, 3));
  CHECK(pairs_beside(order) == 2);
}

TEST_CASE("a result that may lie over an argument waits for those who read it") {
  const jig::graph traced = jig::detail::dynamic_trace(
                                "",
                                [](auto x, auto y) {
                                  // Traced first, so that what reads x comes first in the plan: arguments of a call have no order.
                                  auto b = jig::matmul(y, y);
                                  auto a = jig::reduce_sum<0>(jig::matmul(x, x));
                                  return std::tuple(a, b);
                                },
                                matrix, matrix)
                                .graph;
  const planned p = planned_graph(traced, true);
  const region_order apart(p.view(), shared_memory::workspace), over(p.view(), shared_memory::arguments);
  REQUIRE(apart.count() == over.count());
  CHECK(pairs_beside(apart) > pairs_beside(over));
}

TEST_CASE("effects keep their order") {
  const jig::graph traced = jig::detail::dynamic_trace(
                                "",
                                [](auto x, auto y) {
                                  jig::print("x", jig::reduce_sum(jig::matmul(x, x)));
                                  jig::print("y", jig::reduce_sum(jig::matmul(y, y)));
                                  return x + y;
                                },
                                matrix, matrix)
                                .graph;
  const planned p = planned_graph(traced, true);
  const region_order order(p.view(), shared_memory::workspace);
  std::vector<int> effects;
  for (int r = 0; r < order.count(); ++r) {
    const auto& step = p.plan.steps[p.plan.regions[r].first];
    if (jig::is_stateful(p.graph.view(), p.graph.view().data(step.space))) effects.push_back(r);
  }
  REQUIRE(effects.size() >= 2);
  for (std::size_t k = 1; k < effects.size(); ++k) CHECK(order.precedes(effects[k - 1], effects[k]));
  CHECK(pairs_beside(order) > 0);
}

}  // namespace
