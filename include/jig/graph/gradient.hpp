// SPDX-License-Identifier: MIT
#pragma once
// What the gradient rule of an op sees of its node, and the values it computes with: each is a node of the graph, so a
// gradient is nothing but more of the graph.

#include <jig/core/error.hpp>
#include <jig/core/half.hpp>
#include <jig/graph/walk.hpp>

namespace jig {

/// The ops that gradients of many ops are made of. They are declared in folders below this one.
struct gradient_ops {
  const op &gradient, &constant, &add, &subtract, &multiply, &divide, &negate, &select, &equal, &less, &greater_equal, &log, &cast, &sum,
      &squeeze, &expand_dims, &zeros_like, &ones_like, &broadcast_like, &sum_like, &shrinkage;
};

/// A value that a gradient rule computes with: `c.adjoint() * c.input(1)`.
struct graph_value {
  gradient_context* context;
  edge at;
};

/// Appends nodes to the block at the end of a graph: to the graph itself or to the body that is begun. Besides their specs it
/// knows for unknown extents whether they are the same, by symbols that stand for them.
class graph_extender {
 public:
  constexpr graph_extender(graph& to, const gradient_ops& made_of) : graph_(to), ops_(made_of) { take_over(); }
  /// For the body of a loop that is begun: its arguments have extents that values of the block around it have.
  constexpr graph_extender(graph& to, const graph_extender& around, stretch<shape> extents)
      : graph_(to), ops_(around.ops_), symbols_(around.symbols_) {
    take_over();
    for (std::size_t i = 0; i < extents.size(); ++i) shapes_[to.input_nodes[static_cast<int>(i)]] = extents[i];
  }

  constexpr graph& extended() { return graph_; }
  constexpr const gradient_ops& ops() const { return ops_; }
  constexpr const tensor_spec& spec(const edge& e) const {
    const auto& n = graph_.nodes[e.node];
    return e.port == 0 ? n.spec : graph_.specs[n.more_specs.first + e.port - 1];
  }
  constexpr const op& kind(int node) const { return *graph_.nodes[node].kind; }
  constexpr stretch<edge> inputs_of(int node) const {
    const auto& r = graph_.nodes[node].inputs;
    return {graph_.edges.data() + r.first, static_cast<std::size_t>(r.count)};
  }
  /// The extents of a value, with symbols for those that are not numbers: equal symbols are equal extents.
  constexpr const shape& extents(const edge& e) const {
    const auto& n = graph_.nodes[e.node];
    return e.port == 0 ? shapes_[e.node] : more_[n.more_specs.first + e.port - 1];
  }
  /// A node of an op that gradients of all ops are made of.
  constexpr edge append(const op& kind, stretch<edge> inputs, stretch<attribute_view> with = {}) {
    return append_for(ops_.gradient, kind, inputs, with);
  }
  /// A node that the gradient rule of an op makes.
  constexpr edge append_for(const op& maker, const op& kind, stretch<edge> inputs, stretch<attribute_view> with) {
    detail::require_declared(maker, kind, ops_.gradient.makes());
    list<tensor_spec> specs;
    for (const auto& e : inputs) specs.push_back(spec(e));
    edge made{};
    for (int port = 0; port < kind.outputs; ++port) {
      const detail::inference found = detail::infer(kind, specs, with, port);
      if (found.failed) a_gradient_rule_made_a_node_that_its_op_refuses();
      if (port == 0) made = add_copy(kind, found.result, inputs, with);
      else graph_.add_output(found.result);
    }
    take_over();
    return made;
  }
  constexpr edge constant(dtype d, std::uint64_t word) {
    attribute_view with[] = {{"value", attribute_kind::words, {}, {}, {&word, 1}}};
    edge e = graph_.add(ops_.constant, {d, {}}, {}, with);
    take_over();
    return e;
  }
  /// A number as a constant, of an integer dtype if it is one.
  constexpr edge number(dtype d, double x) {
    if (!is_floating(d)) return constant(d, detail::wrapped_bits(d, static_cast<std::uint64_t>(static_cast<std::int64_t>(x))));
    if (d == dtype::float64) return constant(d, std::bit_cast<std::uint64_t>(x));
    if (d == dtype::float32) return constant(d, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
    return constant(d, d == dtype::float16 ? half(x).bits : bfloat16(x).bits);
  }
  constexpr bool is_number(const edge& e, double x) const {
    const auto& n = graph_.nodes[e.node];
    if (!n.kind->is(fact::constant) || n.spec.shape.rank != 0) return false;
    const std::uint64_t word = graph_.node(e).attribute("value").words[0];
    if (n.spec.dtype == dtype::float64) return std::bit_cast<double>(word) == x;
    return n.spec.dtype == dtype::float32 && std::bit_cast<float>(static_cast<std::uint32_t>(word)) == static_cast<float>(x);
  }
  /// A value whose extents broadcast to those of another one, with these.
  constexpr edge broadcast(const edge& x, const edge& like) {
    if (extents(x) == extents(like)) return x;
    edge inputs[] = {x, like};
    return append(ops_.broadcast_like, inputs);
  }
  constexpr edge sum_of(const edge& a, const edge& b) {
    edge inputs[] = {a, b};
    return append(ops_.add, inputs);
  }
  /// Looks at nodes that were added to the graph in another way.
  constexpr void take_over() {
    for (int id = static_cast<int>(shapes_.size()); id < graph_.size(); ++id) {
      shapes_.push_back({});
      look_at(id);
    }
  }
  /// The node at the end takes the place of an earlier one, whose outputs are its first ones.
  constexpr void replace(int id) {
    graph_.nodes[id] = graph_.nodes.back();
    graph_.nodes.pop_back();
    look_at(id);
  }

 private:
  // The attributes may be in the pools of the graph, which move when they grow.
  constexpr edge add_copy(const op& kind, const tensor_spec& result, stretch<edge> inputs, stretch<attribute_view> with) {
    list<attribute_view> all;
    list<list<index>> numbers(static_cast<int>(with.size()));
    list<list<char>> texts(static_cast<int>(with.size()));
    for (std::size_t i = 0; i < with.size(); ++i) {
      attribute_view a = with[i];
      for (index v : a.values) numbers[i].push_back(v);
      for (char v : a.text) texts[i].push_back(v);
      a.values = numbers[i];
      a.text = {texts[i].data(), texts[i].size()};
      all.push_back(a);
    }
    return graph_.add(kind, result, inputs, all);
  }
  // Every extent that a rule computes is a new one.
  struct new_extents : extent_algebra {
    int* count = nullptr;
    constexpr index combine(relation, index, index) override { return detail::lowest_name - 1 - (*count)++; }
  };
  constexpr void look_at(int id) {
    const node_data& n = graph_.nodes[id];
    while (more_.size() < graph_.specs.size()) more_.push_back(graph_.specs[more_.size()].shape);
    bool known = n.spec.shape.is_static();
    for (int port = 1; port <= n.more_specs.count; ++port) known = known && spec({id, port}).shape.is_static();
    shapes_[id] = n.spec.shape;
    if (known) return;
    if (n.kind->is(fact::control)) find_extents_of_control(id);
    else if (!n.kind->is(fact::input)) find_extents_of(id);
    for (int port = 0; port <= n.more_specs.count; ++port) name_unknown(port == 0 ? shapes_[id] : more_[n.more_specs.first + port - 1]);
  }
  constexpr void name_unknown(shape& s) {
    for (int a = 0; a < s.rank; ++a)
      if (s[a] == dyn) s[a] = detail::lowest_name - 1 - symbols_++;
  }
  constexpr void find_extents_of(int id) {
    node_facts facts(graph_.view(), id);
    auto edges = inputs_of(id);
    for (std::size_t i = 0; i < edges.size(); ++i) facts.inputs()[i].shape = extents(edges[i]);
    new_extents algebra;
    algebra.count = &symbols_;
    const node_data& n = graph_.nodes[id];
    for (int port = 0; port <= n.more_specs.count; ++port) {
      auto c = facts.context(&algebra, port);
      detail::apply_rule(*n.kind, c);
      if (!c.failed) (port == 0 ? shapes_[id] : more_[n.more_specs.first + port - 1]) = c.result.shape;
    }
  }
  // Loops keep the extents of what they carry.
  constexpr void find_extents_of_control(int id) {
    auto n = graph_.node(id);
    if (!n.attribute("then_branch").key.empty() || !n.attribute("effects_only").key.empty()) return;
    for (int port = 0; port < n.outputs(); ++port)
      (port == 0 ? shapes_[id] : more_[graph_.nodes[id].more_specs.first + port - 1]) = extents(n.inputs()[static_cast<std::size_t>(port)]);
  }
  static void a_gradient_rule_made_a_node_that_its_op_refuses() { detail::raise<error>("a gradient rule made a node that its op refuses"); }

  graph& graph_;
  const gradient_ops& ops_;
  list<shape> shapes_, more_;
  int symbols_ = 0;
};

/// What a gradient rule sees of its node. The adjoint of a value is the gradient of the target with respect to it; until it is
/// asked for in full it may have fewer extents, which broadcast to those of the value.
class gradient_context {
 public:
  constexpr gradient_context(graph_extender& to, int node, stretch<edge> adjoints, stretch<char> wanted, stretch<edge> so_far)
      : to_(to),
        node_(node),
        adjoints_(adjoints),
        wanted_(wanted),
        so_far_(so_far),
        shares_(static_cast<int>(wanted.size())),
        includes_(static_cast<int>(wanted.size())) {}

  constexpr graph_value input(std::size_t i) { return {this, input_edge(i)}; }
  constexpr std::size_t inputs() const { return wanted_.size(); }
  constexpr graph_value output(int port = 0) { return {this, {node_, port}}; }
  /// The adjoint of a result.
  constexpr graph_value adjoint(int port = 0) { return {this, adjoints_[static_cast<std::size_t>(port)]}; }
  /// The adjoint with the extents of the result.
  constexpr graph_value full_adjoint(int port = 0) {
    return {this, to_.broadcast(adjoints_[static_cast<std::size_t>(port)], {node_, port})};
  }
  constexpr bool has_adjoint(int port) const { return adjoints_[static_cast<std::size_t>(port)].node >= 0; }
  constexpr node_view node() const { return to_.extended().node(node_); }
  constexpr list<attribute_view> attributes() const { return node().attributes(); }
  constexpr stretch<index> integers(std::string_view key) const { return node().attribute(key).values; }
  constexpr index integer(std::string_view key, index otherwise = 0) const {
    auto v = integers(key);
    return v.empty() ? otherwise : v[0];
  }
  constexpr const tensor_spec& spec(const graph_value& x) const { return to_.spec(x.at); }
  constexpr const shape& extents(const graph_value& x) const { return to_.extents(x.at); }
  constexpr const gradient_ops& ops() const { return to_.ops(); }

  /// Whether the gradient goes on through this input.
  constexpr bool wants(std::size_t i) const { return wanted_[i]; }
  /// The share of an input. Of elementwise ops it has extents that broadcast to those of the result, and is summed where the input
  /// itself was broadcast.
  constexpr void give(std::size_t i, const graph_value& share) {
    answered_ = true;
    if (!wants(i)) return;
    edge e = share.at;
    if (to_.kind(node_).is(fact::elementwise)) e = unbroadcast(e, {node_, 0}, input_edge(i));
    shares_[i] = shares_[i].node < 0 ? e : to_.sum_of(shares_[i], e);
  }
  /// The share of an input that was broadcast along some axes to what `share` has now.
  constexpr void give_summed(std::size_t i, const graph_value& share) {
    give(i, wants(i) ? graph_value{this, unbroadcast(share.at, share.at, input_edge(i))} : share);
  }
  /// The share of an input as an op that adds it to what is its first input, some elements of the adjoint: so parts of a tensor do
  /// not cost as much as the whole.
  constexpr void give_into(std::size_t i, const op& kind, std::initializer_list<graph_value> more, stretch<attribute_view> with) {
    answered_ = true;
    if (!wants(i)) return;
    list<edge> inputs;
    inputs.push_back(so_far_[i].node < 0 ? call(ops().zeros_like, {input(i)}).at : to_.broadcast(so_far_[i], input_edge(i)));
    for (const auto& x : more) inputs.push_back(x.at);
    shares_[i] = made(kind, inputs, with).at;
    includes_[i] = 1;
  }
  /// The result does not change with small changes of the inputs, or is meant not to.
  constexpr void nothing() { answered_ = true; }

  constexpr graph_value call(const op& kind, std::initializer_list<graph_value> inputs, stretch<attribute_view> with = {}) {
    list<edge> edges;
    for (const auto& x : inputs) edges.push_back(x.at);
    return made(kind, edges, with);
  }
  constexpr graph_value call(const op& kind, const list<edge>& inputs, stretch<attribute_view> with = {}) {
    return made(kind, inputs, with);
  }
  /// Another op with the attributes of the node.
  constexpr graph_value call_alike(const op& kind, std::initializer_list<graph_value> inputs) { return call(kind, inputs, attributes()); }
  /// A number in the dtype of x.
  constexpr graph_value number(const graph_value& x, double value) { return {this, to_.number(spec(x).dtype, value)}; }
  constexpr bool is_number(const graph_value& x, double value) const { return to_.is_number(x.at, value); }
  constexpr graph_value zeros_like(const graph_value& x) { return call(ops().zeros_like, {x}); }

  /// Whether the rule said anything.
  constexpr bool answered() const { return answered_; }
  /// What an input got; node -1 if nothing.
  constexpr const edge& share(std::size_t i) const { return shares_[i]; }
  /// Whether that includes what it had before.
  constexpr bool includes_earlier(std::size_t i) const { return includes_[i] != 0; }

 private:
  constexpr graph_value made(const op& kind, const list<edge>& inputs, stretch<attribute_view> with) {
    return {this, to_.append_for(to_.kind(node_), kind, inputs, with)};
  }
  constexpr edge input_edge(std::size_t i) const { return to_.inputs_of(node_)[i]; }

  // x, which broadcasts to the extents of `whole`, summed to those of `part`, which were broadcast to them.
  constexpr edge unbroadcast(edge x, const edge& whole, const edge& part) {
    const shape all = to_.extents(whole), wanted = to_.extents(part);
    const int added = all.rank - wanted.rank;
    bool sums = false, unsure = false;
    index axes[max_rank] = {}, leading[max_rank] = {};
    std::size_t count = 0;
    for (int a = 0; a < all.rank; ++a) {
      const index e = a < added ? 1 : wanted[a - added];
      // Of known extents only 1 broadcasts.
      if (a >= added && (e == all[a] || (is_static_extent(e) && e != 1))) continue;
      unsure = unsure || (a >= added && !is_static_extent(e));
      sums = true;
      axes[count++] = a;
      if (a < added) leading[a] = a;
    }
    if (!sums) return x;
    x = to_.broadcast(x, whole);
    if (unsure) {
      edge inputs[] = {x, part};
      return to_.append(ops().sum_like, inputs);
    }
    index keep = count > static_cast<std::size_t>(added) ? 1 : 0;
    attribute_view with[] = {{"axes", attribute_kind::integers, {axes, count}}, {"keep_dims", attribute_kind::boolean, {&keep, 1}}};
    x = to_.append(ops().sum, {&x, 1}, with);
    if (keep == 0 || added == 0) return x;
    attribute_view squeezed[] = {{"squeeze_dims", attribute_kind::integers, {leading, static_cast<std::size_t>(added)}}};
    return to_.append(ops().squeeze, {&x, 1}, squeezed);
  }

  graph_extender& to_;
  int node_;
  stretch<edge> adjoints_;  // by port
  stretch<char> wanted_;    // by input
  stretch<edge> so_far_;    // by input: its adjoint, or node -1
  list<edge> shares_;       // by input
  list<char> includes_;     // by input
  bool answered_ = false;
};

/// Operators are nodes of the graph, numbers constants in the dtype of the other operand. A product with the number 1 is no node.
constexpr graph_value operator+(const graph_value& x, const graph_value& y) { return x.context->call(x.context->ops().add, {x, y}); }
constexpr graph_value operator-(const graph_value& x, const graph_value& y) { return x.context->call(x.context->ops().subtract, {x, y}); }
constexpr graph_value operator*(const graph_value& x, const graph_value& y) {
  if (x.context->is_number(x, 1)) return y;
  if (x.context->is_number(y, 1)) return x;
  return x.context->call(x.context->ops().multiply, {x, y});
}
constexpr graph_value operator/(const graph_value& x, const graph_value& y) { return x.context->call(x.context->ops().divide, {x, y}); }
constexpr graph_value operator-(const graph_value& x) { return x.context->call(x.context->ops().negate, {x}); }
constexpr graph_value operator+(const graph_value& x, double y) { return x + x.context->number(x, y); }
constexpr graph_value operator+(double x, const graph_value& y) { return y.context->number(y, x) + y; }
constexpr graph_value operator-(const graph_value& x, double y) { return x - x.context->number(x, y); }
constexpr graph_value operator-(double x, const graph_value& y) { return y.context->number(y, x) - y; }
constexpr graph_value operator*(const graph_value& x, double y) { return x * x.context->number(x, y); }
constexpr graph_value operator*(double x, const graph_value& y) { return y.context->number(y, x) * y; }
constexpr graph_value operator/(const graph_value& x, double y) { return x / x.context->number(x, y); }
constexpr graph_value operator/(double x, const graph_value& y) { return y.context->number(y, x) / y; }
constexpr graph_value operator<(const graph_value& x, const graph_value& y) { return x.context->call(x.context->ops().less, {x, y}); }
constexpr graph_value operator>=(const graph_value& x, const graph_value& y) {
  return x.context->call(x.context->ops().greater_equal, {x, y});
}
constexpr graph_value operator==(const graph_value& x, const graph_value& y) { return x.context->call(x.context->ops().equal, {x, y}); }
constexpr graph_value operator<(const graph_value& x, double y) { return x < x.context->number(x, y); }
constexpr graph_value operator<(double x, const graph_value& y) { return y.context->number(y, x) < y; }
constexpr graph_value operator>=(const graph_value& x, double y) { return x >= x.context->number(x, y); }
constexpr graph_value operator==(const graph_value& x, double y) { return x == x.context->number(x, y); }
/// yes where the condition holds, no elsewhere.
constexpr graph_value where(const graph_value& condition, const graph_value& yes, const graph_value& no) {
  return condition.context->call(condition.context->ops().select, {condition, yes, no});
}
constexpr graph_value where(const graph_value& condition, const graph_value& yes, double no) {
  return where(condition, yes, yes.context->number(yes, no));
}

namespace detail {

// Of what does not change with its inputs, or only in steps.
constexpr void zero_gradient(gradient_context& c) { c.nothing(); }

}  // namespace detail

}  // namespace jig
