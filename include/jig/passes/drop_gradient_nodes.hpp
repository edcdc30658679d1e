// SPDX-License-Identifier: MIT
#pragma once
// What is left over when gradients have been made.

#include <jig/graph/gradient.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

template <class Graph>
constexpr list<char> needed_without_shares(const Graph& g) {
  list<char> needed;
  for (const auto& n : g.nodes_) needed.push_back(is_stateful(g, n));
  for (const auto& e : g.outputs()) needed[e.node] = 1;
  for (int id = g.size(); id-- > 0;) {
    if (!needed[id]) continue;
    auto inputs = g.inputs_of(id);
    for (std::size_t i = 0; i < (is_op(*g.data(id).kind, ops::custom_gradient) ? 1 : inputs.size()); ++i) needed[inputs[i].node] = 1;
  }
  return needed;
}

template <class Graph>
constexpr void copy_needed(graph& out, const Graph& g) {
  const list<char> needed = needed_without_shares(g);
  list<edge> moved(g.size());
  auto renamed = [&](const edge& e) { return edge{moved[e.node].node, moved[e.node].port + e.port}; };
  for (int id = 0; id < g.size(); ++id) {
    const node_data& n = g.data(id);
    if (is_op(*n.kind, ops::custom_gradient)) moved[id] = needed[id] ? renamed(g.inputs_of(id)[0]) : edge{};
    else if (needed[id] || n.kind->is(fact::input))
      moved[id] = {copy_node(out, g, id, renamed,
                             [](graph& to, const Graph& body) {
                               auto around = to.begin_body();
                               copy_needed(to, body);
                               return to.end_body(std::move(around));
                             }),
                   0};
  }
  for (int id : g.inputs()) out.input_nodes.push_back(moved[id].node);
  for (const auto& e : g.outputs()) out.output_edges.push_back(renamed(e));
}

/// The graph with what custom gradients are of in their place, and without nodes that only led to gradients.
template <class Graph = graph_view>
constexpr graph without_leftovers(const std::type_identity_t<Graph>& g) {
  graph out;
  copy_needed(out, g);
  return out;
}

}  // namespace jig::detail
