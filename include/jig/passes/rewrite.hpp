// SPDX-License-Identifier: MIT
#pragma once
// Rewriting: a walk that makes a graph anew, node by node. Rules see every node before it is made, with the inputs that it
// will have, and may name another value in its place. One walk applies any number of rules.

#include <jig/graph/simplification.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/tensor_array.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

/// A node that is about to be made. Rules that make others copy what they take from the graph: its pools move when they grow.
struct new_node {
  const op& kind;
  const tensor_spec& spec;
  stretch<edge> inputs;
  stretch<attribute_view> attributes;
  constexpr stretch<index> integers(std::string_view key) const { return find_attribute(attributes, key).values; }
};

/// What rules derive from.
struct rewriting_rule {
  /// The value in place of a node with one result, or no edge if it stays.
  static constexpr edge apply(auto&, const new_node&) { return {}; }
  /// Whether a node with bodies goes; then `results` are what stands in place of its results.
  static constexpr bool replaces(auto&, const auto& /* graph */, int /* id */, const list<edge>& /* inputs */, list<edge>& /* results */) {
    return false;
  }
  /// Whether nodes that compute the same become one.
  static constexpr bool merges = false;
};

constexpr bool is_none(const edge& e) { return e.node < 0; }

template <class Graph, class... Rule>
class rewriter {
 public:
  constexpr graph run(const Graph& g) {
    graph out = unpruned(g);
    if (!out.bodies.empty()) out = prune<Graph>(out);
    return out;
  }
  /// With nodes in bodies that nobody needs any more.
  constexpr graph unpruned(const Graph& g) {
    more_ = list<edge>(static_cast<int>(g.specs_.size()));
    begin_table(g.size());
    for (const auto& e : copy(g, nullptr, {})) out_.output_edges.push_back(e);
    if (out_.bodies.empty()) drop_unneeded();
    return std::move(out_);
  }

  /// The value of a node that a rule wants: the node itself, or what rules put in its place.
  constexpr edge make(const op& kind, const tensor_spec& spec, stretch<edge> inputs, stretch<attribute_view> with = {}) {
    if (!kind.is(fact::stateful)) {
      [[maybe_unused]] const new_node n{kind, spec, inputs, with};
      edge e{};
      (void)(!is_none(e = Rule::apply(*this, n)) || ...);
      if (!is_none(e)) return e;
    }
    return merged(out_.add(kind, spec, inputs, with).node);
  }
  constexpr edge constant(const tensor_spec& spec, stretch<std::uint64_t> words) { return merged(add_constant(out_, spec, words).node); }
  constexpr edge scalar(dtype d, std::uint64_t bits) { return constant({d, {}}, {&bits, 1}); }

  /// The graph as far as it is made.
  constexpr const graph& built() const { return out_; }
  constexpr const node_data& data(const edge& e) const { return values().data(e); }
  constexpr bool is(const edge& e, const op& kind) const { return values().is(e, kind); }
  constexpr bool is_constant(const edge& e) const { return values().is_constant(e); }
  constexpr edge input(const edge& e, std::size_t k = 0) const { return values().input(e, k); }
  constexpr const tensor_spec& spec(const edge& e) const { return values().spec(e); }
  constexpr stretch<std::uint64_t> words(const edge& e) const { return values().words(e); }
  constexpr list<index> integers(const edge& e, std::string_view key) const { return values().integers(e, key); }
  constexpr known_bits uniform(const edge& e) const { return values().uniform(e); }
  constexpr bool is_harmless(const edge& e) const { return values().is_harmless(e); }

  index folded_elements = 0;  // how many elements of constants rules have computed

  /// Makes all nodes of a graph, whose arguments are edges of the new one, and returns its results.
  constexpr list<edge> inlined(const Graph& g, const list<edge>& arguments) { return copy(g, &arguments, {}); }

 private:
  constexpr graph_values values() const { return graph_values(out_); }

  // What the graph around a body knows of one of its arguments.
  struct outer_constant {
    bool known = false;
    node_data node;
  };

  // Without `given` edges the arguments become nodes. Those of a body that are constants in the graph around it are
  // constants in it too.
  constexpr list<edge> copy(const Graph& g, const list<edge>* given, const list<outer_constant>& outer) {
    list<edge> now(g.size());
    const auto renamed = [&](const edge& e) { return e.port == 0 ? now[e.node] : more_[g.data(e.node).more_specs.first + e.port - 1]; };
    list<int> arguments;
    for (std::size_t k = 0; k < g.inputs().size(); ++k) {
      const int id = g.inputs()[k];
      if (given != nullptr) {
        now[id] = (*given)[k];
        continue;
      }
      now[id] = {copy_node(out_, g, id, renamed), 0};
      arguments.push_back(now[id].node);
      if (k < outer.size() && outer[k].known) now[id] = copy_of_constant(outer[k].node);
    }
    list<edge> inputs;
    list<attribute_view> with;
    for (int id = 0; id < g.size(); ++id) {
      const node_data& d = g.data(id);
      if (d.kind->is(fact::input)) continue;
      if (d.more_specs.count > 0 && !d.kind->is(fact::control)) {
        set_results(g, id, outputs_of(merged(copy_node(out_, g, id, renamed)).node), now);
        continue;
      }
      inputs.clear();
      for (const auto& e : g.inputs_of(id)) inputs.push_back(renamed(e));
      if (d.kind->is(fact::control)) {
        set_results(g, id, control(g, id, inputs), now);
        continue;
      }
      with.clear();
      const auto n = g.node(id);
      for (int i = 0; i < d.attributes.count; ++i) with.push_back(n.attribute(i));
      out_.here = d.at;
      now[id] = make(*d.kind, d.spec, inputs, with);
    }
    out_.here = {};
    for (int id : arguments) out_.input_nodes.push_back(id);
    list<edge> results;
    for (const auto& e : g.outputs()) results.push_back(renamed(e));
    return results;
  }
  constexpr void set_results(const Graph& g, int id, const list<edge>& results, list<edge>& now) {
    for (std::size_t port = 0; port < results.size(); ++port) {
      if (port == 0) now[id] = results[0];
      else more_[g.data(id).more_specs.first + static_cast<int>(port) - 1] = results[port];
    }
  }
  constexpr list<edge> outputs_of(int node) const {
    list<edge> out;
    for (int port = 0; port <= out_.nodes[node].more_specs.count; ++port) out.push_back({node, port});
    return out;
  }
  // Bodies share the pools of the graph around them.
  constexpr edge copy_of_constant(const node_data& n) {
    out_.nodes.push_back(n);
    return merged(out_.size() - 1);
  }

  constexpr list<edge> control(const Graph& g, int id, const list<edge>& inputs) {
    list<edge> results;
    if ((Rule::replaces(*this, g, id, inputs, results) || ...)) return results;
    const auto n = g.node(id);
    // What a loop carries is another value in every trip.
    const int carried = n.attribute("cond").key.empty() || !n.attribute("effects_only").key.empty() ? 0 : n.outputs();
    list<outer_constant> outer;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      outer.push_back({});
      if (static_cast<int>(k) < carried || !is_constant(inputs[k]) || words(inputs[k]).size() > graph_values::most_uniform) continue;
      outer.back() = {true, data(inputs[k])};
    }
    std::size_t next = 0;
    const auto input = [&](const edge&) { return inputs[next++]; };
    return outputs_of(copy_node(out_, g, id, input, [&](graph&, const graph_view& body) { return copy_as_body(body, outer); }));
  }
  constexpr int copy_as_body(const Graph& body, const list<outer_constant>& outer) {
    // What a body takes stands at the end of what its node takes.
    list<outer_constant> own;
    const std::size_t skipped = outer.size() - body.inputs().size();
    for (std::size_t k = 0; k < body.inputs().size(); ++k) {
      own.push_back(outer[k + skipped]);
      own.back().known = own.back().known && own.back().node.spec == body.data(body.inputs()[k]).spec;
    }
    auto around = out_.begin_body();
    auto table = std::move(table_);
    begin_table(body.size());
    for (const auto& e : copy(body, nullptr, own)) out_.output_edges.push_back(e);
    table_ = std::move(table);
    return out_.end_body(std::move(around));
  }

  // Leaves out what rules have left without a use.
  constexpr void drop_unneeded() {
    const list<char> needed = needed_nodes(out_);
    list<int> renamed(out_.size());
    int kept = 0;
    for (int id = 0; id < out_.size(); ++id) {
      const node_data n = out_.nodes[id];
      if (!needed[id] && !n.kind->is(fact::input)) continue;
      for (int k = 0; k < n.inputs.count; ++k) out_.edges[n.inputs.first + k].node = renamed[out_.edges[n.inputs.first + k].node];
      out_.nodes[kept] = n;
      renamed[id] = kept++;
    }
    while (out_.size() > kept) out_.nodes.pop_back();
    for (auto& id : out_.input_nodes) id = renamed[id];
    for (auto& e : out_.output_edges) e.node = renamed[e.node];
  }

  // Finds nodes by what they are made of: the number of entries is a power of two, an entry is one more than a node.
  struct node_table {
    list<int> entries;
    int used = 0;
  };
  static constexpr bool merges = (Rule::merges || ...);
  constexpr void begin_table(int nodes) {
    int size = 16;
    while (merges && size < 2 * nodes) size *= 2;
    table_ = {list<int>(size), 0};
  }
  // The node that was made last, or an equal one before it.
  constexpr edge merged(int id) {
    if constexpr (merges) {
      const op& kind = *out_.nodes[id].kind;
      // Every array begins in memory of its own.
      if (kind.is(fact::stateful) || is_op(kind, ops::new_array)) return {id, 0};
      const std::size_t at = place_in_table(id);
      if (const int found = table_.entries[at]; found != 0) {
        out_.nodes.pop_back();
        return {found - 1, 0};
      }
      table_.entries[at] = id + 1;
      if (2 * ++table_.used > static_cast<int>(table_.entries.size())) {
        const list<int> before = std::move(table_.entries);
        table_.entries = list<int>(2 * static_cast<int>(before.size()));
        for (int entry : before)
          if (entry != 0) table_.entries[place_in_table(entry - 1)] = entry;
      }
    }
    return {id, 0};
  }
  constexpr std::size_t place_in_table(int id) const {
    const std::size_t mask = table_.entries.size() - 1;
    std::size_t at = static_cast<std::size_t>(hash_of(id)) & mask;
    while (table_.entries[at] != 0 && !is_same(table_.entries[at] - 1, id)) at = (at + 1) & mask;
    return at;
  }
  // Strings are joined in their order.
  static constexpr bool commutes(const node_data& n) { return n.kind->is(fact::commutative) && n.spec.dtype != dtype::string; }
  constexpr std::uint64_t hash_of(int id) const {
    const node_data& n = out_.nodes[id];
    const auto place = [&](int k) {
      const edge& e = out_.edges[n.inputs.first + k];
      return static_cast<std::uint64_t>(e.node + (e.port << 16));
    };
    std::uint64_t h = n.kind->name.size() + 31 * static_cast<std::uint64_t>(n.kind->name[0]) + static_cast<std::uint64_t>(n.spec.dtype);
    int k = 0;
    if (commutes(n)) {
      h = h * 31 + place(0) + place(1);
      k = 2;
    }
    for (; k < n.inputs.count; ++k) h = h * 31 + place(k);
    for (int i = 0; i < n.attributes.count; ++i) {
      const stored_attribute& a = out_.attributes[n.attributes.first + i];
      for (int v = 0; v < a.values.count && v < most_hashed; ++v) {
        if (a.kind == attribute_kind::words) h = h * 31 + static_cast<std::uint64_t>(out_.words[a.values.first + v]);
        else if (a.kind != attribute_kind::text) h = h * 31 + static_cast<std::uint64_t>(out_.integers[a.values.first + v]);
      }
    }
    // Spreads numbers that lie side by side, or that differ in their high bits only.
    return (h ^ h >> 32) * 0x9e3779b97f4a7c15 >> 32;
  }
  constexpr bool is_same(int a, int b) const {
    const node_data &x = out_.nodes[a], &y = out_.nodes[b];
    if (x.inputs.count != y.inputs.count || x.attributes.count != y.attributes.count) return false;
    const edge *p = out_.edges.data() + x.inputs.first, *q = out_.edges.data() + y.inputs.first;
    const bool exchanged = commutes(x) && p[0] == q[1] && p[1] == q[0];
    for (int k = exchanged ? 2 : 0; k < x.inputs.count; ++k)
      if (!(p[k] == q[k])) return false;
    // Host calls are told apart by their functions.
    if (!is_op(*x.kind, *y.kind) || x.kind != y.kind || !(x.spec == y.spec)) return false;
    for (int i = 0; i < x.attributes.count; ++i)
      if (!is_same(out_.attributes[x.attributes.first + i], out_.attributes[y.attributes.first + i])) return false;
    return true;
  }
  constexpr bool is_same(const stored_attribute& a, const stored_attribute& b) const {
    if (a.key != b.key || a.kind != b.kind || a.values.count != b.values.count) return false;
    for (int v = 0; v < a.values.count; ++v) {
      const int i = a.values.first + v, k = b.values.first + v;
      const bool same = a.kind == attribute_kind::words  ? out_.words[i] == out_.words[k]
                        : a.kind == attribute_kind::text ? out_.characters[i] == out_.characters[k]
                                                         : out_.integers[i] == out_.integers[k];
      if (!same) return false;
    }
    return true;
  }

  static constexpr int most_hashed = 4;
  graph out_;
  list<edge> more_;  // by their place in the pool of specs, what outputs from the second on have become
  node_table table_;
};

}  // namespace jig::detail
