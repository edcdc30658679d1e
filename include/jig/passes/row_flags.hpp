// SPDX-License-Identifier: MIT
#pragma once
// Whether all or any truth values of a row hold is the least or largest of them as integers as wide as what they are computed of: these
// lie in registers together with it, also where rows are short.

#include <jig/ops/compare.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/unary.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

/// Bytes of the widest number that loops compute a value of; 0 where they are many: `budget` goes down.
constexpr std::size_t widest_of_value(const graph_view& g, int v, int& budget) {
  if (--budget < 0) return 0;
  std::size_t widest = size_of(g.data(v).spec.dtype);
  if (!g.data(v).kind->is(fact::elementwise)) return widest;
  for (const auto& e : g.inputs_of(v)) {
    const std::size_t of = e.port == 0 ? widest_of_value(g, e.node, budget) : 0;
    if (of == 0) return 0;
    widest = (std::max)(widest, of);
  }
  return widest;
}
constexpr dtype integer_of_bytes(std::size_t bytes) {
  return bytes == 1 ? dtype::uint8 : bytes == 2 ? dtype::int16 : bytes == 4 ? dtype::int32 : dtype::int64;
}

/// Whether a node reduces truth values along the last axis, but not all of them, and not so many that each row is long.
constexpr bool reduces_flags_of_rows(const graph_view& g, int v) {
  const op& kind = *g.data(v).kind;
  if (!is_op(kind, ops::reduce_all) && !is_op(kind, ops::reduce_any)) return false;
  constexpr index is_long = 64;
  const shape& from = g.spec(g.inputs_of(v)[0]).shape;
  const auto axes = g.node(v).attribute("axes").values;
  if (axes.empty() || static_cast<int>(axes.size()) >= from.rank || from[from.rank - 1] >= is_long) return false;
  for (index a : axes)
    if ((a < 0 ? a + from.rank : a) == from.rank - 1) return true;
  return false;
}
constexpr bool may_have_flags_of_rows(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (reduces_flags_of_rows(g, v)) return true;
  return false;
}

/// The graph anew, in which such truth values are reduced as integers.
template <class Graph>
constexpr graph with_flags_of_rows(const Graph& g) {
  graph out;
  list<int> renamed;
  for (int v = 0; v < g.size(); ++v) {
    const auto same = [&](const edge& e) { return edge{renamed[at(e.node)], e.port}; };
    int most_visited = 64;
    const std::size_t bytes = reduces_flags_of_rows(g, v) ? widest_of_value(g, g.inputs_of(v)[0].node, most_visited) : 0;
    if (bytes == 0) {
      renamed.push_back(copy_node(out, g, v, same));
      continue;
    }
    const edge from = g.inputs_of(v)[0];
    const dtype d = integer_of_bytes(bytes);
    const bool any = is_op(*g.data(v).kind, ops::reduce_any);
    const edge flags{add_cast(out, same(from), {d, g.spec(from).shape}).node, 0};
    const edge both[] = {
        {out.add(any ? ops::reduce_max : ops::reduce_min, {d, g.data(v).spec.shape}, {&flags, 1}, g.node(v).attributes()).node, 0},
        add_constant(out, d, 0)};
    // Of none, the least is the largest number, and the other way round.
    renamed.push_back(out.add(ops::greater, g.data(v).spec, both).node);
  }
  for (int v : g.inputs()) out.input_nodes.push_back(renamed[at(v)]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[at(e.node)], e.port});
  return out;
}

}  // namespace jig::detail
