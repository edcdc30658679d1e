// SPDX-License-Identifier: MIT
#pragma once
// Walks over a graph: which nodes its outputs and effects depend on, and copying node by node.

#include <jig/graph/graph.hpp>

namespace jig {

/// For every node, whether an output or a stateful node depends on it (1) or not (0).
constexpr list<char> needed_nodes(const graph_view& g) {
  list<char> needed;
  for (int id = 0; id < g.size(); ++id) needed.push_back(g.data(id).kind->is(fact::stateful));
  for (const auto& e : g.outputs()) needed[static_cast<std::size_t>(e.node)] = 1;
  for (int id = g.size(); id-- > 0;)
    if (needed[static_cast<std::size_t>(id)])
      for (const auto& e : g.inputs_of(id)) needed[static_cast<std::size_t>(e.node)] = 1;
  return needed;
}

/// Appends a copy of node `id` of `from`, whose inputs were renamed before, and returns its number in `to`.
constexpr int copy_node(graph& to, const graph_view& from, int id, const list<int>& renamed) {
  list<edge> inputs;
  for (const auto& e : from.inputs_of(id)) inputs.push_back({renamed[static_cast<std::size_t>(e.node)], e.port});
  list<attribute_view> with;
  auto n = from.node(id);
  for (int i = 0; i < n.attribute_count(); ++i) with.push_back(n.attribute(i));
  int copy = to.add(n.kind(), n.spec(), inputs, with).node;
  for (int port = 1; port < n.outputs(); ++port) to.add_output(n.spec(port));
  return copy;
}

}  // namespace jig
