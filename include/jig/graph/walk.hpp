// SPDX-License-Identifier: MIT
#pragma once
// Walks over a graph: which nodes its outputs and effects depend on, and copying node by node.

#include <jig/graph/graph.hpp>

namespace jig {

/// Whether something holds for a node, or for one in a body of it.
template <class Predicate>
constexpr bool holds_inside(const graph_view& g, const node_data& n, Predicate holds) {
  bool found = holds(g, n);
  if (n.kind->is(fact::control))
    g.for_each_body(n, [&](const graph_view& body) {
      for (const auto& inner : body.nodes_) found = found || holds_inside(body, inner, holds);
    });
  return found;
}
/// Whether something holds for a node of a graph or of a body in it.
template <class Predicate>
constexpr bool holds_for_any(const graph_view& g, Predicate holds) {
  bool found = false;
  for (const auto& n : g.nodes_) found = found || holds_inside(g, n, holds);
  return found;
}

namespace detail {
constexpr bool is_stateful_itself(const graph_view&, const node_data& n) { return n.kind->is(fact::stateful); }
}  // namespace detail

/// Whether node `n` runs also when nobody uses its result: it is stateful, or a body of it holds such a node.
constexpr bool is_stateful(const graph_view& g, const node_data& n) { return holds_inside(g, n, detail::is_stateful_itself); }
/// Whether a graph, or a body in it, has such nodes.
constexpr bool has_effects(const graph_view& g) { return holds_for_any(g, detail::is_stateful_itself); }

/// Whether a loop, in the graph or in a body, may change extents of what it carries: then only a run tells them.
constexpr bool has_varying_extents(const graph_view& g) {
  return holds_for_any(g, [](const graph_view& in, const node_data& n) {
    bool varies = false;
    for (int i = 0; i < n.attributes.count; ++i)
      varies = varies || in.attributes_[static_cast<std::size_t>(n.attributes.first + i)].key == "shape_invariants";
    return varies;
  });
}

/// Whether values are kept in the tape of a call.
constexpr bool has_tape(const graph_view& g) {
  return holds_for_any(g, [](const graph_view&, const node_data& n) { return n.kind->is(fact::tape); });
}

/// For every node, how often it is an operand or an output.
constexpr list<int> use_counts(const graph_view& g) {
  list<int> uses(g.size());
  for (int id = 0; id < g.size(); ++id)
    for (const auto& e : g.inputs_of(id)) ++uses[e.node];
  for (const auto& e : g.outputs()) ++uses[e.node];
  return uses;
}

/// For every node, whether an output or a stateful node depends on it (1) or not (0).
constexpr list<char> needed_nodes(const graph_view& g) {
  list<char> needed;
  for (const auto& n : g.nodes_) needed.push_back(is_stateful(g, n));
  for (const auto& e : g.outputs()) needed[static_cast<std::size_t>(e.node)] = 1;
  for (int id = g.size(); id-- > 0;)
    if (needed[static_cast<std::size_t>(id)])
      for (const auto& e : g.inputs_of(id)) needed[static_cast<std::size_t>(e.node)] = 1;
  return needed;
}
/// How often each node is read by results and by nodes that they need: what a pass has replaced may still be there.
constexpr list<int> needed_use_counts(const graph_view& g) {
  const list<char> needed = needed_nodes(g);
  list<int> uses(g.size());
  for (int v = 0; v < g.size(); ++v)
    if (needed[v])
      for (const auto& e : g.inputs_of(v)) ++uses[e.node];
  for (const auto& e : g.outputs()) ++uses[e.node];
  return uses;
}

template <class Graph>
constexpr int copy_body(graph& to, const Graph& body);

/// Appends a copy of node `id` of `from`, with its bodies, and returns its number in `to`. `input` says what an edge of
/// `from` is in `to`; `append_body(to, body)` appends a body and returns its number.
template <class Input, class Body>
  requires requires(Input input, edge e) { edge{input(e)}; }
constexpr int copy_node(graph& to, const graph_view& from, int id, Input input, Body append_body) {
  list<edge> inputs;
  for (const auto& e : from.inputs_of(id)) inputs.push_back(input(e));
  auto n = from.node(id);
  const int count = n.attribute_count();
  list<attribute_view> with;
  list<index> bodies(count);
  for (int i = 0; i < count; ++i) {
    auto a = n.attribute(i);
    if (a.kind == attribute_kind::body) {
      bodies[i] = append_body(to, from.body(a.values[0]));
      a.values = {&bodies[i], 1};
    }
    with.push_back(a);
  }
  int copy = to.add(n.kind(), n.spec(), inputs, with).node;
  if (from.data(id).at.is_known()) to.nodes[copy].at = from.data(id).at;
  for (int port = 1; port < n.outputs(); ++port) to.add_output(n.spec(port));
  return copy;
}

/// The same with bodies as they are.
template <class Input>
  requires requires(Input input, edge e) { edge{input(e)}; }
constexpr int copy_node(graph& to, const graph_view& from, int id, Input input) {
  return copy_node(to, from, id, input, copy_body<graph_view>);
}

/// The same for inputs that were renamed before.
template <class Number>
constexpr int copy_node(graph& to, const graph_view& from, int id, const list<Number>& renamed) {
  return copy_node(to, from, id, [&](const edge& e) { return edge{renamed[static_cast<std::size_t>(e.node)], e.port}; });
}

/// Appends a copy of a body, with those inside it, and returns its number.
template <class Graph>
constexpr int copy_body(graph& to, const Graph& body) {
  auto around = to.begin_body();
  auto same = [](const edge& e) { return e; };
  for (int id = 0; id < body.size(); ++id) copy_node(to, body, id, same);
  for (int id : body.inputs()) to.input_nodes.push_back(id);
  for (const auto& e : body.outputs()) to.output_edges.push_back(e);
  return to.end_body(std::move(around));
}

}  // namespace jig
