// SPDX-License-Identifier: MIT
#pragma once
// Pruning: what neither a result nor an effect needs is left out, in bodies too.

#include <jig/graph/walk.hpp>

namespace jig {

namespace detail {

/// What is needed of a node with bodies: by number, which of its results and which of its inputs.
struct control_needs {
  int node = -1;
  list<char> results, inputs;
};

// Which results of a body are needed. All but the condition of a loop return what their node does.
constexpr list<char> wanted_of_body(std::string_view key, const control_needs& needs) {
  if (key == "cond") return {1};
  return needs.results;
}

/// What the wanted results and the effects of a graph depend on.
class liveness {
 public:
  /// `results` says of every result whether it is wanted.
  constexpr liveness(const graph_view& g, const list<char>& results) : g_(g) {
    for (const auto& n : g_.nodes_) node_.push_back(is_stateful(g_, n));
    for (std::size_t k = 0; k < results.size(); ++k)
      if (results[k]) want(g_.outputs()[k]);
    for (int id = g_.size(); id-- > 0;) {
      if (!node_[id]) continue;
      auto inputs = g_.inputs_of(id);
      const bool has_bodies = is_control(id);
      if (has_bodies) controls_.push_back(needs_of_control(id));
      for (std::size_t k = 0; k < inputs.size(); ++k)
        if (!has_bodies || controls_.back().inputs[k]) want(inputs[k]);
    }
  }

  constexpr bool node(int id) const { return node_[id] != 0; }
  constexpr const control_needs& control(int id) const {
    std::size_t i = 0;
    while (controls_[i].node != id) ++i;
    return controls_[i];
  }
  /// The port that an output has when those that nobody needs are gone.
  constexpr int port(const edge& e) const {
    if (!is_control(e.node)) return e.port;
    const auto& results = control(e.node).results;
    int kept = 0;
    for (int k = 0; k < e.port; ++k) kept += results[k];
    return kept;
  }
  constexpr bool input(std::size_t k) const { return node(g_.inputs()[k]); }

 private:
  constexpr bool is_control(int id) const { return g_.data(id).kind->is(fact::control); }
  constexpr void want(const edge& e) {
    node_[e.node] = 1;
    if (is_control(e.node)) wanted_.push_back(e);
  }

  // A branch is needed for the results that are wanted. Of a loop also what its condition reads, or what the next trip
  // reads to compute what is needed already.
  constexpr control_needs needs_of_control(int id) const {
    auto n = g_.node(id);
    const bool effects_only = !n.attribute("effects_only").key.empty();
    control_needs needs{id, list<char>(effects_only ? 0 : n.outputs()), list<char>(static_cast<int>(n.inputs().size()))};
    for (const auto& e : wanted_)
      if (e.node == id) needs.results[e.port] = 1;
    const bool loop = n.attribute("then_branch").key.empty();
    if (!loop) needs.inputs[0] = 1;
    while (true) {
      for (int i = 0; i < n.attribute_count(); ++i) {
        auto a = n.attribute(i);
        if (a.kind == attribute_kind::body) add_inputs(needs, g_.body(a.values[0]), wanted_of_body(a.key, needs));
      }
      bool found = false;
      for (std::size_t k = 0; loop && k < needs.results.size(); ++k) {
        found = found || needs.inputs[k] > needs.results[k];
        needs.inputs[k] = needs.results[k] = needs.inputs[k] | needs.results[k];
      }
      if (!found) return needs;
    }
  }
  static constexpr void add_inputs(control_needs& needs, const graph_view& body, const list<char>& results) {
    liveness inside(body, results);
    const std::size_t skipped = needs.inputs.size() - body.inputs().size();
    for (std::size_t k = 0; k < body.inputs().size(); ++k)
      if (inside.input(k)) needs.inputs[k + skipped] = 1;
  }

  graph_view g_;
  list<char> node_;
  list<edge> wanted_;  // outputs of nodes with bodies
  list<control_needs> controls_;
};

class pruner {
 public:
  /// Copies what is needed for the wanted results; `inputs` says which arguments stay.
  constexpr void copy(const graph_view& g, const list<char>& results, const list<char>& inputs) {
    liveness live(g, results);
    list<char> stays(g.size());
    for (int id = 0; id < g.size(); ++id) stays[id] = live.node(id) && !g.data(id).kind->is(fact::input);
    for (std::size_t k = 0; k < inputs.size(); ++k) stays[g.inputs()[k]] = inputs[k];
    list<int> renamed;
    const renaming moved{renamed, live};
    for (int id = 0; id < g.size(); ++id) {
      renamed.push_back(-1);
      if (!stays[id]) continue;
      renamed.back() = g.data(id).kind->is(fact::control) ? copy_control(g, live.control(id), moved) : copy_node(out_, g, id, moved);
    }
    for (std::size_t k = 0; k < inputs.size(); ++k)
      if (inputs[k]) out_.input_nodes.push_back(renamed[g.inputs()[k]]);
    for (std::size_t k = 0; k < results.size(); ++k)
      if (results[k]) out_.output_edges.push_back(moved(g.outputs()[k]));
  }
  constexpr graph done() { return std::move(out_); }

 private:
  struct renaming {
    const list<int>& nodes;
    const liveness& live;
    constexpr edge operator()(const edge& e) const { return {nodes[e.node], live.port(e)}; }
  };
  constexpr int copy_control(const graph_view& g, const control_needs& needs, const renaming& moved) {
    auto n = g.node(needs.node);
    constexpr index yes[] = {1};
    list<edge> inputs;
    list<attribute_view> with;
    list<index> bodies(n.attribute_count());
    list<tensor_spec> specs;
    for (std::size_t k = 0; k < needs.inputs.size(); ++k)
      if (needs.inputs[k]) inputs.push_back(moved(n.inputs()[k]));
    for (int i = 0; i < n.attribute_count(); ++i) {
      auto a = n.attribute(i);
      if (a.kind == attribute_kind::body) {
        bodies[i] = copy_body(g.body(a.values[0]), wanted_of_body(a.key, needs), needs.inputs);
        a.values = {&bodies[i], 1};
      }
      with.push_back(a);
    }
    for (std::size_t k = 0; k < needs.results.size(); ++k)
      if (needs.results[k]) specs.push_back(n.spec(static_cast<int>(k)));
    if (specs.empty()) {
      specs.push_back(n.spec());
      if (!needs.results.empty()) with.push_back({"effects_only", attribute_kind::boolean, yes, {}, {}});
    }
    int made = out_.add(n.kind(), specs[0], inputs, with).node;
    for (std::size_t k = 1; k < specs.size(); ++k) out_.add_output(specs[k]);
    return made;
  }
  // What a body takes stands at the end of what its node takes.
  constexpr int copy_body(const graph_view& body, const list<char>& results, const list<char>& inputs_of_node) {
    list<char> inputs;
    const std::size_t skipped = inputs_of_node.size() - body.inputs().size();
    for (std::size_t k = skipped; k < inputs_of_node.size(); ++k) inputs.push_back(inputs_of_node[k]);
    auto around = out_.begin_body();
    copy(body, results, inputs);
    return out_.end_body(std::move(around));
  }

  graph out_;
};

constexpr list<char> all_of(std::size_t n) {
  list<char> all;
  for (std::size_t k = 0; k < n; ++k) all.push_back(1);
  return all;
}

}  // namespace detail

/// The graph without the nodes that no output and no stateful node depends on. Arguments stay, so that the signature does
/// not change. Nodes with bodies lose the results that nobody needs, and the inputs that only these read.
constexpr graph prune(const graph_view& g) {
  detail::pruner p;
  p.copy(g, detail::all_of(g.outputs().size()), detail::all_of(g.inputs().size()));
  return p.done();
}

}  // namespace jig
