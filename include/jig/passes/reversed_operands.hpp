// SPDX-License-Identifier: MIT
#pragma once
// Elementwise values that are read in reverse are computed of reversed operands: one loop computes them where they are wanted, and nothing
// is stored in between.

#include <jig/ops/transpose.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

constexpr bool is_reversed_elementwise(const graph_view& g, int v) {
  // Programs of a few numbers have ways of their own.
  constexpr index fewest = 32;
  if (!is_op(*g.data(v).kind, ops::reverse)) return false;
  const edge e = g.inputs_of(v)[0];
  const index n = g.data(v).spec.shape.size();
  return e.port == 0 && g.data(e.node).kind->is(fact::elementwise) && (n < 0 || n >= fewest);
}
constexpr bool may_have_reversed_operands(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (is_reversed_elementwise(g, v)) return true;
  return false;
}

template <class Graph>
class reversed_operands {
 public:
  constexpr explicit reversed_operands(const Graph& g) : g_(g), uses_(needed_use_counts(g)), reversed_by_(g.size()) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) reversed_by_[v] = -1;
    // From the last one on: what is reversed twice comes to lie as it was.
    bool any = false;
    for (int v = g_.size(); v-- > 0;)
      if (uses_[v] > 0 && is_reversed_elementwise(g_, v)) any = mark(v) || any;
    if (!any) return {};
    for (int v = 0; v < g_.size(); ++v) renamed_.push_back(made(v));
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[v].node);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    return std::move(out_);
  }

 private:
  constexpr edge renamed(const edge& e) const { return {renamed_[e.node].node, e.port}; }
  constexpr const shape& extents(const edge& e) const { return g_.spec(e).shape; }
  // Whether reverse r is gone: its operand is computed in reverse.
  constexpr bool is_gone(int r) const { return is_op(*g_.data(r).kind, ops::reverse) && reversed_by_[g_.inputs_of(r)[0].node] == r; }

  // Marks what is computed in reverse for node r: elementwise values that nobody else reads. Whether there are any.
  constexpr bool mark(int r) {
    const int root = g_.inputs_of(r)[0].node;
    if (uses_[root] != 1 || !may_be_reversed(root)) return false;
    reversed_by_[root] = r;
    for (int v = root; v >= 0; --v) {
      if (reversed_by_[v] != r) continue;
      for (const auto& e : g_.inputs_of(v))
        if (e.port == 0 && uses_[e.node] == 1 && may_be_reversed(e.node) && extents(e).rank == extents({root, 0}).rank)
          reversed_by_[e.node] = r;
    }
    return true;
  }
  constexpr bool may_be_reversed(int v) const {
    const node_data& n = g_.data(v);
    return n.kind->is(fact::elementwise) && !n.kind->is(fact::stateful) && n.more_specs.count == 0 && reversed_by_[v] < 0;
  }

  constexpr edge made(int v) {
    const int r = reversed_by_[v];
    if (r >= 0) {
      list<edge> inputs;
      for (const auto& e : g_.inputs_of(v)) inputs.push_back(reversed(e, r));
      const list<attribute_view> with = g_.node(v).attributes();
      return out_.add(*g_.data(v).kind, g_.data(v).spec, inputs, with);
    }
    if (is_gone(v)) return renamed(g_.inputs_of(v)[0]);
    return {copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); }), 0};
  }
  // An operand as node r reverses it; axes that it does not have, or that have one place, stay.
  constexpr edge reversed(const edge& e, int r) {
    if (e.port == 0 && reversed_by_[e.node] == r) return renamed(e);
    for (const auto& o : operands_)
      if (o.of == e && o.reverse == r) return o.made;
    const int rank = extents({r, 0}).rank, missing = rank - extents(e).rank;
    list<index> axes;
    for (index a : g_.node(r).attribute("axis").values) {
      const int own = static_cast<int>(a < 0 ? a + rank : a) - missing;
      if (own >= 0 && extents(e)[own] != 1) axes.push_back(own);
    }
    edge made = renamed(e);
    if (!axes.empty()) {
      const attribute_view with[] = {{"axis", attribute_kind::integers, axes}};
      made = out_.add(ops::reverse, g_.spec(e), {&made, 1}, with);
    }
    operands_.push_back({e, r, made});
    return made;
  }

  struct operand {
    edge of;
    int reverse;
    edge made;
  };
  const Graph& g_;
  graph out_;
  list<int> uses_;
  list<int> reversed_by_;  // by node, the reverse that it is computed for
  list<edge> renamed_;
  list<operand> operands_;
};

}  // namespace jig::detail
