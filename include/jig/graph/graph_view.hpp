// SPDX-License-Identifier: MIT
#pragma once
// How every algorithm sees a graph: a flat list of nodes in topological order over shared pools.

#include <jig/core/list.hpp>
#include <jig/graph/op.hpp>
#include <jig/graph/source_line.hpp>

namespace jig {

/// One output of a node.
struct edge {
  int node = -1;
  int port = 0;
  constexpr bool operator==(const edge&) const = default;
};

/// A stretch of one of the graph's pools.
struct range_of_pool {
  int first = 0;
  int count = 0;
};

/// An attribute as it is stored: its numbers, characters or words are a stretch of a pool.
struct stored_attribute {
  std::string_view key;
  attribute_kind kind = attribute_kind::integer;
  range_of_pool values;
};

/// A node as it is stored.
struct node_data {
  const op* kind = nullptr;
  tensor_spec spec{};  // of output 0
  range_of_pool inputs;
  range_of_pool attributes;
  range_of_pool more_specs;  // of outputs 1 and up
  source_line at{};
};

/// A graph inside another one: what a branch or one trip of a loop computes. Its nodes, arguments and results are stretches
/// of pools, everything else it shares with the graph around it.
struct stored_body {
  range_of_pool nodes, inputs, outputs;
};

// clang-format off
// The pools of a graph: what is in them, their name, and the name of those that a graph owns.
#define JIG_POOLS_OF_A_GRAPH(pool)               \
  pool(node_data, nodes, nodes)                  \
  pool(edge, edges, edges)                       \
  pool(tensor_spec, specs, specs)                \
  pool(stored_attribute, attributes, attributes) \
  pool(index, integers, integers)                \
  pool(char, characters, characters)             \
  pool(std::uint64_t, words, words)              \
  pool(int, inputs, input_nodes)                 \
  pool(edge, outputs, output_edges)              \
  pool(stored_body, bodies, bodies)              \
  pool(node_data, body_nodes, body_nodes)        \
  pool(int, body_inputs, body_inputs)            \
  pool(edge, body_outputs, body_outputs)
// clang-format on

/// How many entries each pool of a graph has.
struct graph_sizes {
#define JIG_POOL(type, name, own) int name;
  JIG_POOLS_OF_A_GRAPH(JIG_POOL)
#undef JIG_POOL
};

class graph_view;
class graph_def;

/// A node of a graph, to look at.
class node_view {
 public:
  constexpr node_view(const graph_view& graph, int id);
  constexpr int id() const { return id_; }
  /// TensorFlow's node type: `AddV2`.
  constexpr std::string_view op() const;
  constexpr const jig::op& kind() const;
  constexpr stretch<edge> inputs() const;
  constexpr tensor_spec spec(int port = 0) const;
  constexpr jig::dtype dtype(int port = 0) const { return spec(port).dtype; }
  constexpr jig::shape shape(int port = 0) const { return spec(port).shape; }
  constexpr int outputs() const;
  constexpr int attribute_count() const;
  constexpr attribute_view attribute(int i) const;
  /// The attribute with this key, or one with an empty key.
  constexpr attribute_view attribute(std::string_view key) const;
  /// All of them, in order.
  constexpr list<attribute_view> attributes() const;
  /// The line of the program that wrote it, where a call could tell; passes hand it on to what they make of the node.
  constexpr source_line line() const;

 private:
  // The pools, not the view itself: a node may outlive the view it came from.
  const node_data* nodes_;
  const edge* edges_;
  const tensor_spec* specs_;
  const stored_attribute* attributes_;
  const index* integers_;
  const char* characters_;
  const std::uint64_t* words_;
  int id_;
};

/// A graph, to look at: cheap to copy, valid as long as the graph it shows.
class graph_view {
 public:
#define JIG_POOL(type, name, own) stretch<type> name##_;
  JIG_POOLS_OF_A_GRAPH(JIG_POOL)
#undef JIG_POOL

  /// The number of nodes, arguments and constants included, without those of bodies.
  constexpr int size() const { return static_cast<int>(nodes_.size()); }
  constexpr node_view node(int id) const { return {*this, id}; }
  constexpr node_view node(edge e) const { return {*this, e.node}; }
  /// The nodes that stand for the arguments, in order.
  constexpr stretch<int> inputs() const { return inputs_; }
  /// What the function returns, in order.
  constexpr stretch<edge> outputs() const { return outputs_; }
  constexpr stretch<edge> inputs_of(int id) const {
    const auto& r = data(id).inputs;
    return edges_.subspan(static_cast<std::size_t>(r.first), static_cast<std::size_t>(r.count));
  }
  /// Calls f with every body of a node.
  template <class F>
  constexpr void for_each_body(const node_data& n, F f) const {
    for (int i = 0; i < n.attributes.count; ++i) {
      const auto& a = attributes_[static_cast<std::size_t>(n.attributes.first + i)];
      if (a.kind == attribute_kind::body) f(body(integers_[static_cast<std::size_t>(a.values.first)]));
    }
  }
  constexpr const node_data& data(int id) const { return nodes_[static_cast<std::size_t>(id)]; }
  constexpr const tensor_spec& spec(edge e) const {
    const auto& n = data(e.node);
    return e.port == 0 ? n.spec : specs_[static_cast<std::size_t>(n.more_specs.first + e.port - 1)];
  }
  /// A body by its number, as a graph. It lives as long as this one.
  constexpr graph_view body(index number) const {
    const auto& b = bodies_[static_cast<std::size_t>(number)];
    auto part = [](auto pool, const range_of_pool& r) {
      return pool.subspan(static_cast<std::size_t>(r.first), static_cast<std::size_t>(r.count));
    };
    graph_view out = *this;
    out.nodes_ = part(body_nodes_, b.nodes);
    out.inputs_ = part(body_inputs_, b.inputs);
    out.outputs_ = part(body_outputs_, b.outputs);
    return out;
  }
  /// The body that an attribute of a node names: `body(node, "then_branch")`.
  constexpr graph_view body(const node_view& n, std::string_view key) const { return body(n.attribute(key).values[0]); }
  /// How many nodes have this TensorFlow type, those of bodies included.
  constexpr int count(std::string_view op_name) const;
  /// The number of nodes on the longest path, arguments and constants included.
  constexpr int depth() const;
  /// Floating-point operations of one run, or -1 when an extent is not static or the values decide what runs.
  constexpr index flops() const;
  /// Units: bytes of the arguments and results, or -1 when an extent is not static or an element is a string.
  constexpr index bytes() const;
  /// The graph as TensorFlow counts and names it. Defined in graph/graph_def.hpp.
  constexpr graph_def as_graph_def() const;
};

constexpr node_view::node_view(const graph_view& g, int id)
    : nodes_(g.nodes_.data()),
      edges_(g.edges_.data()),
      specs_(g.specs_.data()),
      attributes_(g.attributes_.data()),
      integers_(g.integers_.data()),
      characters_(g.characters_.data()),
      words_(g.words_.data()),
      id_(id) {}
constexpr std::string_view node_view::op() const { return nodes_[id_].kind->name; }
constexpr const jig::op& node_view::kind() const { return *nodes_[id_].kind; }
constexpr stretch<edge> node_view::inputs() const {
  const auto& r = nodes_[id_].inputs;
  return {edges_ + r.first, static_cast<std::size_t>(r.count)};
}
constexpr tensor_spec node_view::spec(int port) const {
  return port == 0 ? nodes_[id_].spec : specs_[nodes_[id_].more_specs.first + port - 1];
}
constexpr source_line node_view::line() const { return nodes_[id_].at; }
constexpr int node_view::outputs() const { return 1 + nodes_[id_].more_specs.count; }
constexpr int node_view::attribute_count() const { return nodes_[id_].attributes.count; }
constexpr attribute_view node_view::attribute(int i) const {
  const auto& a = attributes_[nodes_[id_].attributes.first + i];
  auto n = static_cast<std::size_t>(a.values.count);
  attribute_view out{a.key, a.kind};
  if (a.kind == attribute_kind::text) out.text = std::string_view(characters_ + a.values.first, n);
  else if (a.kind == attribute_kind::words) out.words = {words_ + a.values.first, n};
  else out.values = {integers_ + a.values.first, n};
  return out;
}
constexpr attribute_view node_view::attribute(std::string_view key) const {
  for (int i = 0; i < attribute_count(); ++i)
    if (attributes_[nodes_[id_].attributes.first + i].key == key) return attribute(i);
  return {};
}

constexpr list<attribute_view> node_view::attributes() const {
  list<attribute_view> all;
  for (int i = 0; i < attribute_count(); ++i) all.push_back(attribute(i));
  return all;
}

/// Specs of inputs and attributes of one node, as its op's shape rule takes them.
class node_facts {
 public:
  constexpr node_facts(const graph_view& g, int id) {
    auto edges = g.inputs_of(id);
    inputs_.reserve(static_cast<int>(edges.size()));
    for (const auto& e : edges) inputs_.push_back(g.spec(e));
    attributes_ = g.node(id).attributes();
  }
  constexpr list<tensor_spec>& inputs() { return inputs_; }
  constexpr bool all_static() const {
    for (const auto& s : inputs_)
      if (!s.shape.is_static()) return false;
    return true;
  }
  /// Valid as long as this object.
  constexpr rule_context context(extent_algebra* algebra = nullptr, int port = 0) const {
    rule_context c;
    c.inputs = inputs_;
    c.attributes = attributes_;
    c.algebra = algebra;
    c.port = port;
    return c;
  }

 private:
  list<tensor_spec> inputs_;
  list<attribute_view> attributes_;
};

constexpr int graph_view::count(std::string_view op_name) const {
  int n = 0;
  for (const auto& d : nodes_) {
    n += d.kind->name == op_name;
    if (!d.kind->is(fact::control)) continue;
    for_each_body(d, [&](const graph_view& b) { n += b.count(op_name); });
  }
  return n;
}

constexpr int graph_view::depth() const {
  list<int> depth_of;
  int deepest = 0;
  for (int id = 0; id < size(); ++id) {
    int d = 0;
    for (const auto& e : inputs_of(id))
      if (depth_of[static_cast<std::size_t>(e.node)] > d) d = depth_of[static_cast<std::size_t>(e.node)];
    depth_of.push_back(d + 1);
    if (d + 1 > deepest) deepest = d + 1;
  }
  return deepest;
}

constexpr index graph_view::flops() const {
  index total = 0;
  for (int id = 0; id < size(); ++id) {
    const auto& d = data(id);
    if (d.kind->is(fact::input) || d.kind->is(fact::constant) || d.kind->is(fact::view)) continue;
    if (d.kind->is(fact::control)) return -1;
    node_facts facts(*this, id);
    if (!facts.all_static() || !d.spec.shape.is_static()) return -1;
    rule_context c = facts.context();
    c.result = d.spec;
    total += d.kind->flops(c);
  }
  return total;
}

constexpr index graph_view::bytes() const {
  index total = 0;
  auto add = [&](const tensor_spec& s) {
    index n = s.shape.size();
    bool known = n >= 0 && s.dtype != dtype::string;
    total = known && total >= 0 ? total + n * static_cast<index>(size_of(s.dtype)) : -1;
  };
  for (int id : inputs_) add(data(id).spec);
  for (const auto& e : outputs_) add(spec(e));
  return total;
}

}  // namespace jig
