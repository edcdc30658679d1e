// SPDX-License-Identifier: MIT
#pragma once
// Graphs that were traced at run time, planned as compilers plan them.

#include <jig/eval/region_order.hpp>

#include <jig.hpp>

struct planned {
  jig::graph graph;
  jig::plan plan;
  jig::plan_view view() const { return view_of(graph.view(), plan); }
};
inline planned planned_graph(const jig::graph& traced, bool concurrent) {
  const jig::graph optimized = jig::optimize(traced.view());
  const auto dense = jig::detail::all_dense(optimized.view());
  planned out{jig::detail::lowered<jig::graph_view>(optimized.view(), dense), {}};
  out.plan = jig::make_plan(out.graph.view(), dense, {}, jig::planned_for::compiler, concurrent);
  return out;
}

// Pairs of regions that need not wait for each other.
inline int pairs_beside(const jig::detail::region_order& order) {
  int n = 0;
  for (int b = 0; b < order.count(); ++b)
    for (int a = 0; a < b; ++a) n += order.precedes(a, b) ? 0 : 1;
  return n;
}
