// SPDX-License-Identifier: MIT
#pragma once
// Where gradients inside a branch or loop are out of reach.

#include <jig/passes/loop_values.hpp>

namespace jig::detail {

/// A block of a graph, and the node around it whose body it is.
template <class Graph>
struct block_of_graph {
  const Graph& from;
  const block_of_graph* around;
  int node;
};

template <class Graph>
constexpr bool depends_on(const Graph& g, const edge& target, const edge& source) {
  if (target == source) return true;
  list<char> depends(g.size());
  for (int id = source.node + 1; id <= target.node; ++id)
    for (const auto& e : g.inputs_of(id)) depends[id] = depends[id] || ((depends[e.node] || e == source) && is_floating(g.spec(e).dtype));
  return depends[target.node] != 0;
}

// Whether a value of a block depends on another one: only around the block, or also in it.
template <class Graph>
constexpr bool is_way_outside(const block_of_graph<Graph>& b, const edge& target, const edge& source, bool also_inside) {
  const Graph& g = b.from;
  if (also_inside && depends_on(g, target, source)) return true;
  const int at = input_number(g, source);
  if (b.around == nullptr || at < 0) return false;
  const Graph& outer = b.around->from;
  auto edges = outer.inputs_of(b.node);
  const std::size_t skipped = edges.size() - g.inputs().size();
  const bool loop = outer.node(b.node).attribute("then_branch").key.empty();
  const int carried = loop ? outer.node(b.node).outputs() : 0;
  if (at < carried) return false;
  for (std::size_t k = 0; k < g.inputs().size(); ++k) {
    const edge input{g.inputs()[k], 0};
    if (input == source || !is_floating(g.spec(input).dtype) || !depends_on(g, target, input)) continue;
    if (static_cast<int>(k) < carried) return true;
    if (is_way_outside(*b.around, edges[k + skipped], edges[static_cast<std::size_t>(at) + skipped], true)) return true;
  }
  return false;
}

/// Whether the gradient that a node of a block asks for is out of reach. A target inside a body may depend on a source outside in two
/// ways: in the body, and through what the body takes from outside, which is the one that cannot be followed.
template <class Graph>
constexpr bool has_way_outside(const block_of_graph<Graph>& b, int marker) {
  if (b.around == nullptr) return false;
  auto edges = b.from.inputs_of(marker);
  for (std::size_t k = 1; k < edges.size(); ++k)
    if (is_way_outside(b, edges[0], edges[k], false)) return true;
  return false;
}

}  // namespace jig::detail
