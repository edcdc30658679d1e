// SPDX-License-Identifier: MIT
#pragma once
// Graphs that hold what they are made of: `graph` owns its pools and grows, `static_graph` is a constant of exactly the right size.

#include <jig/core/list.hpp>
#include <jig/graph/graph_view.hpp>

namespace jig {

namespace detail {
template <class T>
constexpr range_of_pool append(list<T>& pool, const list<T>& items) {
  range_of_pool where{static_cast<int>(pool.size()), static_cast<int>(items.size())};
  for (const T& x : items) pool.push_back(x);
  return where;
}
}  // namespace detail

/// A graph that owns its nodes and grows at its end.
class graph {
 public:
#define JIG_POOL(type, name, own) list<type> own;
  JIG_POOLS_OF_A_GRAPH(JIG_POOL)
#undef JIG_POOL

  /// The line of the program that the nodes to come are written at.
  source_line here{};

  constexpr graph_view view() const {
#define JIG_POOL(type, name, own) own,
    return {JIG_POOLS_OF_A_GRAPH(JIG_POOL)};
#undef JIG_POOL
  }
  constexpr operator graph_view() const { return view(); }
  constexpr int size() const { return static_cast<int>(nodes.size()); }
  constexpr node_view node(int id) const { return view().node(id); }
  constexpr node_view node(edge e) const { return view().node(e); }
  constexpr stretch<int> inputs() const { return input_nodes; }
  constexpr stretch<edge> outputs() const { return output_edges; }
  constexpr int count(std::string_view op_name) const { return view().count(op_name); }
  constexpr int depth() const { return view().depth(); }
  constexpr index flops() const { return view().flops(); }
  constexpr index bytes() const { return view().bytes(); }

  /// Appends a node with one output and returns it.
  constexpr edge add(const op& kind, const tensor_spec& spec, stretch<edge> inputs, stretch<attribute_view> with = {}) {
    node_data n;
    n.kind = &kind;
    n.spec = spec;
    n.at = here;
    n.inputs = {static_cast<int>(edges.size()), static_cast<int>(inputs.size())};
    for (const auto& e : inputs) edges.push_back(e);
    n.attributes = {static_cast<int>(attributes.size()), static_cast<int>(with.size())};
    for (const auto& a : with) store(a);
    nodes.push_back(n);
    return {static_cast<int>(nodes.size()) - 1, 0};
  }
  /// What was being built before a body was begun.
  struct surroundings {
    list<node_data> nodes;
    list<int> inputs;
    list<edge> outputs;
  };
  /// Begins a body: until its end nodes, inputs and outputs are its own. Bodies may be begun inside bodies.
  constexpr surroundings begin_body() {
    surroundings around{std::move(nodes), std::move(input_nodes), std::move(output_edges)};
    nodes = {};
    input_nodes = {};
    output_edges = {};
    return around;
  }
  /// Ends the body and returns its number.
  constexpr int end_body(surroundings around) {
    bodies.push_back(
        {detail::append(body_nodes, nodes), detail::append(body_inputs, input_nodes), detail::append(body_outputs, output_edges)});
    nodes = std::move(around.nodes);
    input_nodes = std::move(around.inputs);
    output_edges = std::move(around.outputs);
    return static_cast<int>(bodies.size()) - 1;
  }
  /// Forgets what was added since its pools had these sizes, inputs and outputs aside.
  constexpr void cut(graph_sizes to) {
    to.inputs = static_cast<int>(input_nodes.size());
    to.outputs = static_cast<int>(output_edges.size());
#define JIG_POOL(type, name, own) own.cut(to.name);
    JIG_POOLS_OF_A_GRAPH(JIG_POOL)
#undef JIG_POOL
  }
  /// Gives the node that was added last one more output.
  constexpr void add_output(const tensor_spec& spec) {
    auto& r = nodes.back().more_specs;
    if (r.count++ == 0) r.first = static_cast<int>(specs.size());
    specs.push_back(spec);
  }

 private:
  constexpr void store(const attribute_view& a) {
    stored_attribute s{a.key, a.kind, {}};
    if (a.kind == attribute_kind::text) {
      s.values = {static_cast<int>(characters.size()), static_cast<int>(a.text.size())};
      for (char c : a.text) characters.push_back(c);
    } else if (a.kind == attribute_kind::words) {
      s.values = {static_cast<int>(words.size()), static_cast<int>(a.words.size())};
      words.append(a.words.data(), a.words.size());
    } else {
      s.values = {static_cast<int>(integers.size()), static_cast<int>(a.values.size())};
      for (auto v : a.values) integers.push_back(v);
    }
    attributes.push_back(s);
  }
};

constexpr graph_sizes sizes_of(const graph_view& g) {
#define JIG_POOL(type, name, own) static_cast<int>(g.name##_.size()),
  return {JIG_POOLS_OF_A_GRAPH(JIG_POOL)};
#undef JIG_POOL
}

/// Whether pools of these sizes have room for those of a graph.
constexpr bool holds(const graph_sizes& room, const graph_sizes& need) {
#define JIG_POOL(type, name, own) &&room.name >= need.name
  return true JIG_POOLS_OF_A_GRAPH(JIG_POOL);
#undef JIG_POOL
}

namespace detail {

template <class T, int N>
struct pool {
  T items[array_bound(N)]{};
  constexpr stretch<T> view(int used = N) const { return {items, static_cast<std::size_t>(used)}; }
  constexpr void copy(stretch<T> from) {
    for (std::size_t i = 0; i < from.size(); ++i) items[i] = from[i];
  }
};

}  // namespace detail

/// A graph as a constant, in pools of these sizes.
template <graph_sizes S>
struct static_graph {
#define JIG_POOL(type, name, own) detail::pool<type, S.name> name;
  JIG_POOLS_OF_A_GRAPH(JIG_POOL)
#undef JIG_POOL

  constexpr static_graph(const graph_view& g) {
#define JIG_POOL(type, name, own) name.copy(g.name##_);
    JIG_POOLS_OF_A_GRAPH(JIG_POOL)
#undef JIG_POOL
  }
  /// The graph, which may not need all of its pools.
  constexpr graph_view view(const graph_sizes& used = S) const {
#define JIG_POOL(type, name, own) name.view(used.name),
    return {JIG_POOLS_OF_A_GRAPH(JIG_POOL)};
#undef JIG_POOL
  }
};

}  // namespace jig

#undef JIG_POOLS_OF_A_GRAPH
