// SPDX-License-Identifier: MIT
#include <jig/trace/same_recording.hpp>

#include <jig/ops/arithmetic.hpp>

#include <doctest/doctest.h>

namespace {

using namespace jig;

constexpr edge two_ops(builder& b, int literal, const op& second = ops::multiply) {
  edge x = b.input({dtype::int32, {}}, "x");
  edge inputs[] = {x, b.literal<int>(literal)};
  edge sum[] = {b.graph.add(ops::add, {dtype::int32, {}}, inputs), x};
  return b.graph.add(second, {dtype::int32, {}}, sum);
}

}  // namespace

TEST_CASE("recordings are the same where nodes, attributes, edges, events and results are") {
  builder a, b, other_literal, other_op, other_result;
  a.graph.output_edges.push_back(two_ops(a, 3));
  b.graph.output_edges.push_back(two_ops(b, 3));
  other_literal.graph.output_edges.push_back(two_ops(other_literal, 4));
  other_op.graph.output_edges.push_back(two_ops(other_op, 3, ops::subtract));
  other_result.graph.output_edges.push_back(edge{two_ops(other_result, 3).node - 1, 0});
  CHECK(detail::same_recording(a, b));
  CHECK_FALSE(detail::same_recording(a, other_literal));
  CHECK_FALSE(detail::same_recording(a, other_op));
  CHECK_FALSE(detail::same_recording(a, other_result));

  trace_event e = a.begin_event(event_kind::decision);
  a.events.push_back(e);
  CHECK_FALSE(detail::same_recording(a, b));
  e.outcome = true;
  b.events.push_back(e);
  CHECK_FALSE(detail::same_recording(a, b));
}

TEST_CASE("a part of a recording is compared by itself") {
  builder a, b;
  two_ops(a, 3);
  two_ops(b, 4);
  CHECK(detail::same_recording(a, b, 0, 1, 0, 0));
  CHECK_FALSE(detail::same_recording(a, b, 0, 2, 0, 0));
  CHECK(detail::same_recording(a, b, 2, 4, 0, 0));
  CHECK_FALSE(detail::same_recording(a, b, 2, 5, 0, 0));
}
