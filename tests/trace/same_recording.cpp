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

constexpr bool same(const builder& a, const builder& b) {
  return detail::same_recording(a, b, 0, a.graph.size(), 0, static_cast<int>(a.events.size()));
}

}  // namespace

TEST_CASE("recordings are the same where nodes, attributes, edges and events are") {
  builder a, b, other_literal, other_op, longer;
  two_ops(a, 3);
  two_ops(b, 3);
  two_ops(other_literal, 4);
  two_ops(other_op, 3, ops::subtract);
  two_ops(longer, 3);
  longer.literal<int>(1);
  CHECK(same(a, b));
  CHECK_FALSE(same(a, other_literal));
  CHECK_FALSE(same(a, other_op));
  CHECK_FALSE(same(longer, a));

  trace_event e = a.begin_event(event_kind::decision);
  a.events.push_back(e);
  CHECK_FALSE(same(a, b));
  e.outcome = true;
  b.events.push_back(e);
  CHECK_FALSE(same(a, b));
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
