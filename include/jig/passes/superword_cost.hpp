// SPDX-License-Identifier: MIT
#pragma once
// What scalars and small vectors cost: whether one is worth the other.

#include <jig/passes/blocks_of_memory.hpp>
#include <jig/passes/elements.hpp>

namespace jig::detail {

/// What graphs of scalars and small vectors cost, in operations on one register each. Elements of arguments are operands of either.
struct superword_cost {
  static constexpr index register_bytes = 32, most_elements = 64;
  static constexpr index of_division = 4, of_function = 5, of_exchange = 8;
  /// So much less is worth another loop.
  static constexpr index least_gain = 8;

  static constexpr index of_op(const op& kind) { return is_op(kind, ops::divide) || is_op(kind, ops::sqrt) ? of_division : 1; }
  /// Of one node.
  static constexpr index of(const graph_view& g, int v) {
    const node_data& n = g.data(v);
    const op& kind = *n.kind;
    if (packs_scalars(g, v)) return static_cast<index>(g.inputs_of(v).size());
    if (!(kind.is(fact::elementwise) || is_padding(kind)) || !n.spec.shape.is_static() || n.spec.dtype == dtype::string) return 0;
    const index size = n.spec.shape.size();
    if (size > most_elements) return 0;
    // Functions of scalars share registers as they are.
    if (kind.is(fact::lanes_only)) return of_function * size;
    return of_op(kind) * ((size * static_cast<index>(size_of(n.spec.dtype)) + register_bytes - 1) / register_bytes);
  }
  /// Of all nodes that are needed, and of computed scalars that vectors read.
  static constexpr index of(const graph_view& g) {
    const list<char> needed = needed_nodes(g);
    list<char> exchanged(g.size());
    index total = 0;
    for (int v = g.size(); v-- > 0;) {
      if (!needed[v]) continue;
      total += of(g, v);
      const node_data& n = g.data(v);
      if (!n.kind->is(fact::elementwise)) continue;
      if (exchanged[v]) total += of_exchange;
      if (n.spec.shape.rank == 0) continue;
      for (const auto& e : g.inputs_of(v)) exchanged[e.node] = g.spec(e).shape.rank == 0;
    }
    return total;
  }
};

}  // namespace jig::detail
