// SPDX-License-Identifier: MIT
#pragma once
// Positions of largest and smallest elements that are only wanted as int32 are found as such: they are int64, which take twice the memory,
// and a loop of their own to be cast.

#include <jig/ops/arg_extreme.hpp>
#include <jig/ops/select.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

constexpr void short_find_rule(rule_context& c) {
  find_rule(c);
  c.result.dtype = dtype::int32;
}
/// ArgMax and ArgMin cast to int32. Plans have them, traces do not.
inline constexpr op short_argmax = axis_op("ShortArgMax", short_find_rule, fact::checked | fact::reads_dense);
inline constexpr op short_argmin = axis_op("ShortArgMin", short_find_rule, fact::checked | fact::reads_dense);

/// What finds the same positions as int32; none if an op finds no positions.
constexpr const op* short_positions_of(const op& kind) {
  return is_op(kind, ops::argmax) ? &short_argmax : is_op(kind, ops::argmin) ? &short_argmin : nullptr;
}
/// Whether a node makes int32 of positions that are int64.
constexpr bool shortens_positions(const graph_view& g, int v) {
  return is_op(*g.data(v).kind, ops::cast) && g.data(v).spec.dtype == dtype::int32 &&
         short_positions_of(*g.data(g.inputs_of(v)[0].node).kind) != nullptr;
}
constexpr bool may_have_positions_to_shorten(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (shortens_positions(g, v)) return true;
  return false;
}

/// The graph anew, in which positions that are only wanted as int32 are found as such.
template <class Graph>
constexpr graph with_short_positions(const Graph& g) {
  graph out;
  const list<int> uses = use_counts(g);
  list<int> renamed;
  for (int v = 0; v < g.size(); ++v) {
    const int from = g.inputs_of(v).size() > 0 ? g.inputs_of(v)[0].node : -1;
    const auto same = [&](const edge& e) { return edge{renamed[at(e.node)], e.port}; };
    renamed.push_back(copy_node(out, g, v, same));
    if (from < 0 || !shortens_positions(g, v) || uses[from] != 1) continue;
    list<edge> inputs;
    for (const auto& e : g.inputs_of(from)) inputs.push_back(same(e));
    renamed.back() = out.add(*short_positions_of(*g.data(from).kind), g.data(v).spec, inputs, g.node(from).attributes()).node;
  }
  for (int v : g.inputs()) out.input_nodes.push_back(renamed[at(v)]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[at(e.node)], e.port});
  return out;
}

}  // namespace jig::detail
