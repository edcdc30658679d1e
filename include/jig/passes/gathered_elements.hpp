// SPDX-License-Identifier: MIT
#pragma once
// Elements at positions that are stacked of a tensor of numbers for each axis are found by these tensors: nothing has to put them side by
// side, and a register of each makes a register of places.

#include <jig/ops/gather.hpp>
#include <jig/ops/join.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

constexpr void elements_at_numbers_rule(rule_context& c) { c.result = {c.inputs[0].dtype, c.inputs[1].shape}; }
/// GatherNd of elements of the first input; the others hold their positions, one for each of its axes. Plans have it, traces do not. Errors
/// are those of the other one, and so is the name.
inline constexpr op elements_at_numbers = indexing_op("GatherNd", elements_at_numbers_rule, 0);

/// Whether a node finds elements at positions that are stacked.
constexpr bool gathers_at_stacked(const graph_view& g, int v) {
  if (!is_op(*g.data(v).kind, ops::gather_nd) || g.data(v).spec.shape.rank == 0) return false;
  const edge from = g.inputs_of(v)[0], stacked = g.inputs_of(v)[1];
  const node_view pack = g.node(stacked.node);
  if (stacked.port != 0 || !is_op(*g.data(stacked.node).kind, ops::pack)) return false;
  const tensor_spec& spec = g.spec(stacked);
  const index axis = pack.attribute("axis").values[0], last = spec.shape.rank - 1;
  const auto numbers = static_cast<int>(g.inputs_of(stacked.node).size());
  return (axis < 0 ? axis + spec.shape.rank : axis) == last && numbers == g.spec(from).shape.rank &&
         (spec.dtype == dtype::int32 || spec.dtype == dtype::int64);
}
constexpr bool may_have_gathered_elements(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (gathers_at_stacked(g, v)) return true;
  return false;
}

/// The graph anew, in which such positions are found by the tensors that are stacked.
template <class Graph>
constexpr graph with_gathered_elements(const Graph& g) {
  graph out;
  list<int> renamed;
  const auto same = [&](const edge& e) { return edge{renamed[at(e.node)], e.port}; };
  for (int v = 0; v < g.size(); ++v) {
    if (!gathers_at_stacked(g, v)) {
      renamed.push_back(copy_node(out, g, v, same));
      continue;
    }
    list<edge> inputs;
    inputs.push_back(same(g.inputs_of(v)[0]));
    for (const auto& e : g.inputs_of(g.inputs_of(v)[1].node)) inputs.push_back(same(e));
    out.here = g.data(v).at;
    renamed.push_back(out.add(elements_at_numbers, g.data(v).spec, inputs, {}).node);
    out.here = {};
  }
  for (int v : g.inputs()) out.input_nodes.push_back(renamed[at(v)]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[at(e.node)], e.port});
  return out;
}

}  // namespace jig::detail
