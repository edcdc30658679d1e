// SPDX-License-Identifier: MIT
#pragma once
// Rows with a single 1 that loops go on with are compared into being there: position == 0, 1, 2, … is part of the loop, and nothing is
// stored.

#include <jig/ops/compare.hpp>
#include <jig/ops/one_hot.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/source.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

constexpr bool has_short_rows_of_ones(const graph_view& g, int v) {
  constexpr index longest_row = 127;  // every integer counts so far
  const node_data& n = g.data(v);
  if (!is_op(*n.kind, ops::one_hot) || n.spec.dtype == dtype::string || is_storage(n.spec.dtype)) return false;
  const index depth = n.spec.shape[n.spec.shape.rank - 1];
  // Wider positions would halve the registers of the loop.
  return depth > 0 && depth <= longest_row && size_of(g.spec(g.inputs_of(v)[0]).dtype) <= size_of(n.spec.dtype);
}
constexpr bool may_have_positions_to_compare(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (has_short_rows_of_ones(g, v)) return true;
  return false;
}

/// The graph anew, in which loops compare positions; an empty one if there are none.
template <class Graph>
constexpr graph with_compared_positions(const Graph& g) {
  list<char> stored(g.size());
  for (int v = 0; v < g.size(); ++v)
    if (!g.data(v).kind->is(fact::elementwise | fact::reduction))
      for (const auto& e : g.inputs_of(v)) stored[e.node] = true;
  for (const auto& e : g.outputs()) stored[e.node] = true;
  graph out;
  list<int> renamed;
  bool any = false;
  for (int v = 0; v < g.size(); ++v) {
    if (stored[v] || !has_short_rows_of_ones(g, v)) {
      renamed.push_back(copy_node(out, g, v, [&](const edge& e) { return edge{renamed[at(e.node)], e.port}; }));
      continue;
    }
    any = true;
    const edge from = g.inputs_of(v)[0];
    const tensor_spec spec = g.data(v).spec, positions = g.spec(from);
    const index depth = spec.shape[spec.shape.rank - 1];
    list<std::uint64_t> words;
    for (index k = 0; k < depth; ++k) words.push_back(static_cast<std::uint64_t>(k));
    const attribute_view value[] = {{"value", attribute_kind::words, {}, {}, words}};
    const index last = -1;
    const attribute_view dim[] = {{"dim", attribute_kind::integer, {&last, 1}, {}, {}}};
    tensor_spec column = positions;
    column.shape.push_back(1);
    shape row;
    row.push_back(depth);
    const edge in{renamed[at(from.node)], from.port};
    const edge compared[] = {out.add(ops::expand_dims, column, {&in, 1}, dim), out.add(ops::constant, {positions.dtype, row}, {}, value)};
    edge made = out.add(ops::equal, {dtype::boolean, spec.shape}, compared);
    if (spec.dtype != dtype::boolean) made = add_cast(out, made, spec);
    renamed.push_back(made.node);
  }
  if (!any) return {};
  for (int v : g.inputs()) out.input_nodes.push_back(renamed[at(v)]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[at(e.node)], e.port});
  return out;
}

}  // namespace jig::detail
