// SPDX-License-Identifier: MIT
#pragma once
// Pruning: what neither a result nor an effect needs is left out, in bodies too.

#include <jig/graph/walk.hpp>

namespace jig {

namespace detail {

template <class Graph>
struct control_needs;

/// What the wanted results and the effects of a graph depend on.
template <class Graph>
class liveness {
 public:
  constexpr void begin(const Graph& g);
  constexpr void want_result(std::size_t k) { want(g_.outputs()[k]); }
  /// Follows everything that is wanted to what it depends on. More may be wanted later.
  constexpr void follow();

  constexpr bool node(int id) const { return state_[id] != unneeded; }
  constexpr bool input(std::size_t k) const { return node(g_.inputs()[k]); }
  constexpr const control_needs<Graph>& control(int id) const;
  /// The port that an output has when those that nobody needs are gone.
  constexpr int port(const edge& e) const;

 private:
  enum state : char { unneeded, wanted, followed };
  constexpr void want(const edge& e);
  constexpr void follow_control(control_needs<Graph>& needs);

  Graph g_;
  list<state> state_;
  list<int> which_;  // of the nodes with bodies; -1 of others
  list<control_needs<Graph>> controls_;
};

/// What is needed of a node with bodies: which of its results, which of its inputs, and what of its bodies.
template <class Graph>
struct control_needs {
  int node = -1;
  list<char> results, inputs;
  list<Graph> bodies;
  list<liveness<Graph>> inside;
  int condition = -1;  // which of the bodies is that of a loop
};

template <class Graph>
constexpr void liveness<Graph>::begin(const Graph& g) {
  g_ = g;
  state_ = list<state>(g.size());
  which_ = list<int>(g.size());
  int count = 0;
  for (int id = 0; id < g.size(); ++id) {
    const node_data& n = g.data(id);
    which_[id] = n.kind->is(fact::control) ? count++ : -1;
    if (n.kind->is(fact::control | fact::stateful) && is_stateful(g, n)) state_[id] = wanted;
  }
  controls_ = list<control_needs<Graph>>(count);
  for (int id = 0; count > 0; ++id) {
    if (which_[id] < 0) continue;
    --count;
    auto n = g.node(id);
    control_needs<Graph>& c = controls_[which_[id]];
    c.node = id;
    c.results = list<char>(n.attribute("effects_only").key.empty() ? n.outputs() : 0);
    c.inputs = list<char>(static_cast<int>(n.inputs().size()));
    for (int i = 0; i < n.attribute_count(); ++i) {
      auto a = n.attribute(i);
      if (a.kind != attribute_kind::body) continue;
      if (a.key == "cond") c.condition = static_cast<int>(c.bodies.size());
      c.bodies.push_back(g.body(a.values[0]));
    }
    c.inside = list<liveness<Graph>>(static_cast<int>(c.bodies.size()));
    for (std::size_t i = 0; i < c.bodies.size(); ++i) c.inside[i].begin(c.bodies[i]);
  }
}

template <class Graph>
constexpr const control_needs<Graph>& liveness<Graph>::control(int id) const {
  return controls_[which_[id]];
}

template <class Graph>
constexpr int liveness<Graph>::port(const edge& e) const {
  if (e.port == 0 || which_[e.node] < 0) return e.port;
  const auto& results = control(e.node).results;
  int kept = 0;
  for (int k = 0; k < e.port; ++k) kept += results[k];
  return kept;
}

template <class Graph>
constexpr void liveness<Graph>::want(const edge& e) {
  if (state_[e.node] == unneeded) state_[e.node] = wanted;
  if (which_[e.node] < 0) return;
  char& result = controls_[which_[e.node]].results[e.port];
  if (!result) state_[e.node] = wanted;
  result = 1;
}

template <class Graph>
constexpr void liveness<Graph>::follow() {
  for (int id = g_.size(); id-- > 0;) {
    if (state_[id] != wanted) continue;
    state_[id] = followed;
    if (which_[id] >= 0) follow_control(controls_[which_[id]]);
    else
      for (const auto& e : g_.inputs_of(id)) want(e);
  }
}

// A branch is needed for the results that are wanted. Of a loop also what its condition reads, or what the next trip reads to
// compute what is needed already.
template <class Graph>
constexpr void liveness<Graph>::follow_control(control_needs<Graph>& needs) {
  const bool loop = needs.condition >= 0;
  if (!loop) needs.inputs[0] = 1;
  bool more = true;
  while (more) {
    for (std::size_t i = 0; i < needs.bodies.size(); ++i) {
      const bool condition = static_cast<int>(i) == needs.condition;
      for (std::size_t k = 0; k < (condition ? 1 : needs.results.size()); ++k)
        if (condition || needs.results[k]) needs.inside[i].want_result(k);
      needs.inside[i].follow();
      const std::size_t inputs = needs.bodies[i].inputs().size(), skipped = needs.inputs.size() - inputs;
      for (std::size_t k = 0; k < inputs; ++k)
        if (needs.inside[i].input(k)) needs.inputs[k + skipped] = 1;
    }
    more = false;
    for (std::size_t k = 0; loop && k < needs.results.size(); ++k) {
      more = more || needs.inputs[k] > needs.results[k];
      needs.inputs[k] = needs.results[k] = needs.inputs[k] | needs.results[k];
    }
  }
  auto inputs = g_.inputs_of(needs.node);
  for (std::size_t k = 0; k < inputs.size(); ++k)
    if (needs.inputs[k]) want(inputs[k]);
}

template <class Graph>
class pruner {
 public:
  /// Copies what is needed; `results` and `inputs` say what the copy returns and takes.
  constexpr void copy(const Graph& g, const liveness<Graph>& live, const list<char>& results, const list<char>& inputs) {
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
    const liveness<Graph>& live;
    constexpr edge operator()(const edge& e) const { return {nodes[e.node], live.port(e)}; }
  };
  constexpr int copy_control(const Graph& g, const control_needs<Graph>& needs, const renaming& moved) {
    auto n = g.node(needs.node);
    constexpr index yes[] = {1};
    list<edge> inputs;
    list<attribute_view> with;
    list<index> bodies(n.attribute_count());
    list<tensor_spec> specs;
    int copied = 0;
    for (std::size_t k = 0; k < needs.inputs.size(); ++k)
      if (needs.inputs[k]) inputs.push_back(moved(n.inputs()[k]));
    for (int i = 0; i < n.attribute_count(); ++i) {
      auto a = n.attribute(i);
      if (a.kind == attribute_kind::body) {
        bodies[i] = copy_body(needs, copied++);
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
  constexpr int copy_body(const control_needs<Graph>& needs, int which) {
    const Graph& body = needs.bodies[which];
    list<char> inputs;
    for (std::size_t k = needs.inputs.size() - body.inputs().size(); k < needs.inputs.size(); ++k) inputs.push_back(needs.inputs[k]);
    auto around = out_.begin_body();
    if (which == needs.condition) copy(body, needs.inside[which], {1}, inputs);
    else copy(body, needs.inside[which], needs.results, inputs);
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
template <class Graph = graph_view>
constexpr graph prune(const std::type_identity_t<Graph>& g) {
  detail::liveness<Graph> live;
  live.begin(g);
  for (std::size_t k = 0; k < g.outputs().size(); ++k) live.want_result(k);
  live.follow();
  detail::pruner<Graph> p;
  p.copy(g, live, detail::all_of(g.outputs().size()), detail::all_of(g.inputs().size()));
  return p.done();
}

}  // namespace jig
