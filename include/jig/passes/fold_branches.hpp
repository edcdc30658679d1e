// SPDX-License-Identifier: MIT
#pragma once
// Branches and loops whose conditions are known: what is never run goes.

#include <jig/passes/evaluate.hpp>

namespace jig {

namespace detail {

struct known_control : rewriting_rule {
  static constexpr bool replaces(auto& r, const auto& g, int id, const list<edge>& inputs, list<edge>& results) {
    const auto n = g.node(id);
    return n.attribute("cond").key.empty() ? takes_branch(r, g, n, inputs, results) : ends_early(r, g, n, inputs, results);
  }

 private:
  static constexpr bool has_results(const node_view& n) { return n.attribute("effects_only").key.empty(); }

  static constexpr bool takes_branch(auto& r, const auto& g, const node_view& n, const list<edge>& inputs, list<edge>& results) {
    const known_bits condition = r.uniform(inputs[0]);
    if (!condition.known) return false;
    const auto body = g.body(n, condition.bits != 0 ? "then_branch" : "else_branch");
    // Where specs differ, a call checks that values have those of the node.
    list<edge> arguments;
    bool same = true;
    for (std::size_t k = 0; k < body.inputs().size(); ++k) {
      arguments.push_back(inputs[k + 1]);
      same = same && r.spec(inputs[k + 1]) == body.data(body.inputs()[k]).spec;
    }
    for (std::size_t k = 0; k < body.outputs().size(); ++k) same = same && body.spec(body.outputs()[k]) == n.spec(static_cast<int>(k));
    if (same) results = r.inlined(body, arguments);
    return same;
  }

  // Loops that make no trip, and those that only compute with known scalars.
  static constexpr bool ends_early(auto& r, const auto& g, const node_view& n, const list<edge>& inputs, list<edge>& results) {
    const int carried = has_results(n) ? n.outputs() : 0;
    const auto condition = g.body(n, "cond"), body = g.body(n, "body");
    list<known_bits> now;
    bool all = true;
    for (const auto& e : inputs) {
      now.push_back(r.spec(e).shape.rank == 0 ? r.uniform(e) : known_bits());
      all = all && (now.back().known || static_cast<int>(now.size()) > carried);
    }
    bool same = n.attribute("shape_invariants").key.empty() && !has_effects(condition);
    for (int k = 0; k < carried; ++k) same = same && r.spec(inputs[k]) == n.spec(k);
    int visited = 0;
    for (int trips = 0; same; ++trips) {
      const known_bits again = known_results(condition, now)[0];
      visited += condition.size() + body.size();
      if (!again.known) return false;
      if (again.bits == 0 && trips > 0 && !all) return false;
      if (again.bits == 0) {
        for (int k = 0; k < carried; ++k) results.push_back(trips == 0 ? inputs[k] : r.scalar(n.spec(k).dtype, now[k].bits));
        return true;
      }
      if (!all || carried == 0 || visited > most_visited || has_effects(body)) return false;
      const list<known_bits> next = known_results(body, now);
      for (int k = 0; k < carried; ++k) {
        now[k] = next[k];
        all = all && next[k].known;
      }
    }
    return false;
  }

  // Nodes of bodies, for each loop.
  static constexpr int most_visited = 512;
};

}  // namespace detail

/// The graph with the branch taken in place of an If whose condition is a constant, without loops that never run, and with
/// constants in place of loops that compute with a few known scalars only.
template <class Graph = graph_view>
constexpr graph fold_branches(const std::type_identity_t<Graph>& g) {
  return detail::rewriter<Graph, detail::known_control>().run(g);
}

}  // namespace jig
