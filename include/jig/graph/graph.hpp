// SPDX-License-Identifier: MIT
#pragma once
// The graph: a flat list of nodes in topological order over shared pools. `graph` owns its pools and grows,
// `static_graph` is a constant of exactly the right size, `graph_view` is how every algorithm sees either.

#include <jig/core/list.hpp>
#include <jig/graph/op.hpp>

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
};

/// A graph inside another one: what a branch or one trip of a loop computes. Its nodes, arguments and results are stretches
/// of pools, everything else it shares with the graph around it.
struct stored_body {
  range_of_pool nodes, inputs, outputs;
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
  stretch<node_data> nodes_;
  stretch<edge> edges_;
  stretch<tensor_spec> specs_;
  stretch<stored_attribute> attributes_;
  stretch<index> integers_;
  stretch<char> characters_;
  stretch<std::uint64_t> words_;
  stretch<int> inputs_;
  stretch<edge> outputs_;
  stretch<stored_body> bodies_;
  stretch<node_data> body_nodes_;
  stretch<int> body_inputs_;
  stretch<edge> body_outputs_;

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

namespace detail {
template <class T>
constexpr range_of_pool append(list<T>& pool, const list<T>& items) {
  range_of_pool where{static_cast<int>(pool.size()), static_cast<int>(items.size())};
  for (const T& x : items) pool.push_back(x);
  return where;
}
}  // namespace detail

/// How many entries each pool of a graph has.
struct graph_sizes {
  int nodes, edges, specs, attributes, integers, characters, words, inputs, outputs, bodies, body_nodes, body_inputs, body_outputs;
};

/// A graph that owns its nodes and grows at its end.
class graph {
 public:
  list<node_data> nodes;
  list<edge> edges;
  list<tensor_spec> specs;
  list<stored_attribute> attributes;
  list<index> integers;
  list<char> characters;
  list<std::uint64_t> words;
  list<int> input_nodes;
  list<edge> output_edges;
  list<stored_body> bodies;
  list<node_data> body_nodes;
  list<int> body_inputs;
  list<edge> body_outputs;

  constexpr graph_view view() const {
    return {nodes,       edges,        specs,  attributes, integers,    characters,  words,
            input_nodes, output_edges, bodies, body_nodes, body_inputs, body_outputs};
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
  constexpr void cut(const graph_sizes& to) {
    nodes.cut(to.nodes);
    edges.cut(to.edges);
    specs.cut(to.specs);
    attributes.cut(to.attributes);
    integers.cut(to.integers);
    characters.cut(to.characters);
    words.cut(to.words);
    bodies.cut(to.bodies);
    body_nodes.cut(to.body_nodes);
    body_inputs.cut(to.body_inputs);
    body_outputs.cut(to.body_outputs);
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
      for (auto w : a.words) words.push_back(w);
    } else {
      s.values = {static_cast<int>(integers.size()), static_cast<int>(a.values.size())};
      for (auto v : a.values) integers.push_back(v);
    }
    attributes.push_back(s);
  }
};

constexpr graph_sizes sizes_of(const graph_view& g) {
  return {static_cast<int>(g.nodes_.size()),       static_cast<int>(g.edges_.size()),      static_cast<int>(g.specs_.size()),
          static_cast<int>(g.attributes_.size()),  static_cast<int>(g.integers_.size()),   static_cast<int>(g.characters_.size()),
          static_cast<int>(g.words_.size()),       static_cast<int>(g.inputs_.size()),     static_cast<int>(g.outputs_.size()),
          static_cast<int>(g.bodies_.size()),      static_cast<int>(g.body_nodes_.size()), static_cast<int>(g.body_inputs_.size()),
          static_cast<int>(g.body_outputs_.size())};
}

/// Whether pools of these sizes have room for those of a graph.
constexpr bool holds(const graph_sizes& room, const graph_sizes& need) {
  return room.nodes >= need.nodes && room.edges >= need.edges && room.specs >= need.specs && room.attributes >= need.attributes &&
         room.integers >= need.integers && room.characters >= need.characters && room.words >= need.words && room.inputs >= need.inputs &&
         room.outputs >= need.outputs && room.bodies >= need.bodies && room.body_nodes >= need.body_nodes &&
         room.body_inputs >= need.body_inputs && room.body_outputs >= need.body_outputs;
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
  detail::pool<node_data, S.nodes> nodes;
  detail::pool<edge, S.edges> edges;
  detail::pool<tensor_spec, S.specs> specs;
  detail::pool<stored_attribute, S.attributes> attributes;
  detail::pool<index, S.integers> integers;
  detail::pool<char, S.characters> characters;
  detail::pool<std::uint64_t, S.words> words;
  detail::pool<int, S.inputs> inputs;
  detail::pool<edge, S.outputs> outputs;
  detail::pool<stored_body, S.bodies> bodies;
  detail::pool<node_data, S.body_nodes> body_nodes;
  detail::pool<int, S.body_inputs> body_inputs;
  detail::pool<edge, S.body_outputs> body_outputs;

  constexpr static_graph(const graph_view& g) {
    nodes.copy(g.nodes_);
    edges.copy(g.edges_);
    specs.copy(g.specs_);
    attributes.copy(g.attributes_);
    integers.copy(g.integers_);
    characters.copy(g.characters_);
    words.copy(g.words_);
    inputs.copy(g.inputs_);
    outputs.copy(g.outputs_);
    bodies.copy(g.bodies_);
    body_nodes.copy(g.body_nodes_);
    body_inputs.copy(g.body_inputs_);
    body_outputs.copy(g.body_outputs_);
  }
  /// The graph, which may not need all of its pools.
  constexpr graph_view view(const graph_sizes& used = S) const {
    return {nodes.view(used.nodes),
            edges.view(used.edges),
            specs.view(used.specs),
            attributes.view(used.attributes),
            integers.view(used.integers),
            characters.view(used.characters),
            words.view(used.words),
            inputs.view(used.inputs),
            outputs.view(used.outputs),
            bodies.view(used.bodies),
            body_nodes.view(used.body_nodes),
            body_inputs.view(used.body_inputs),
            body_outputs.view(used.body_outputs)};
  }
};

}  // namespace jig
