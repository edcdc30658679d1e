// SPDX-License-Identifier: MIT
#pragma once
// Pruning: what neither a result nor an effect needs is left out.

#include <jig/graph/walk.hpp>

namespace jig {

/// The graph without the nodes that no output and no stateful node depends on. Arguments stay, so that the signature
/// does not change.
constexpr graph prune(const graph_view& g) {
  graph out;
  list<char> needed = needed_nodes(g);
  for (int id : g.inputs()) needed[static_cast<std::size_t>(id)] = 1;
  list<int> renamed;
  for (int id = 0; id < g.size(); ++id) {
    renamed.push_back(-1);
    if (needed[static_cast<std::size_t>(id)]) renamed.back() = copy_node(out, g, id, renamed);
  }
  for (int id : g.inputs()) out.input_nodes.push_back(renamed[static_cast<std::size_t>(id)]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[static_cast<std::size_t>(e.node)], e.port});
  return out;
}

}  // namespace jig
