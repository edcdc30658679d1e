// SPDX-License-Identifier: MIT
#pragma once
// Reductions of transposed values, and searches for their largest elements, go through the values as they lie: what they find is transposed
// in place of what they read.

#include <jig/ops/arg_extreme.hpp>
#include <jig/passes/prune.hpp>
#include <jig/passes/short_positions.hpp>
#include <jig/passes/transposed_operands.hpp>

namespace jig::detail {

constexpr bool searches_extremes(const op& kind) {
  return is_op(kind, ops::argmax) || is_op(kind, ops::argmin) || is_op(kind, short_argmax) || is_op(kind, short_argmin);
}
constexpr bool may_have_reductions_to_turn(const graph_view& g) {
  bool any_transpose = false, any_reduction = false;
  for (const auto& n : g.nodes_) {
    any_transpose = any_transpose || is_op(*n.kind, ops::transpose);
    any_reduction = any_reduction || n.kind->is(fact::reduction) || searches_extremes(*n.kind);
  }
  return any_transpose && any_reduction;
}

template <class Graph>
class turned_reductions {
 public:
  constexpr explicit turned_reductions(const Graph& g) : g_(g), uses_(needed_use_counts(g)), seen_(g.size()), seen_by_(g.size()) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    bool any = false;
    for (int v = 0; v < g_.size(); ++v) {
      list<int> perm;
      if (uses_[v] > 0) perm = axes_to_undo(v);
      any = any || !perm.empty();
      renamed_.push_back(perm.empty() ? edge{copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); }), 0} : turned(v, perm));
    }
    if (!any) return {};
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[v].node);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    // The transposes that stand before reductions now meet those that they undo.
    if (may_have_transposed_operands(out_))
      if (graph met = with_transposed_operands<graph_view>(out_); met.size() > 0) return met;
    return std::move(out_);
  }

 private:
  constexpr edge renamed(const edge& e) const { return {renamed_[e.node].node, e.port}; }
  constexpr const op& kind(int v) const { return *g_.data(v).kind; }
  constexpr const shape& extents(const edge& e) const { return g_.spec(e).shape; }
  static constexpr bool is_equal(const list<int>& x, const list<int>& y) {
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i]) return false;
    return true;
  }

  // What the operand of a reduction is a transpose by, if all that it is computed of is transposed so, but for numbers and what lies in one
  // line, and if nobody else reads what is computed of it; nothing otherwise.
  constexpr list<int> axes_to_undo(int v) {
    if (!(kind(v).is(fact::reduction) && g_.data(v).more_specs.count == 0) && !searches_extremes(kind(v))) return {};
    const edge e = g_.inputs_of(v)[0];
    constexpr index fewest = 32;  // programs of a few numbers have ways of their own
    const index n = extents(e).size();
    if (e.port != 0 || is_line(extents(e)) || (n >= 0 && n < fewest)) return {};
    list<int> perm;
    int waiting = 0;
    const auto see = [&](int u) {
      if (seen_by_[u] != v + 1) {
        seen_by_[u] = v + 1;
        seen_[u] = 0;
        ++waiting;
      }
      ++seen_[u];
    };
    see(e.node);
    for (int u = e.node; waiting > 0; --u) {
      if (seen_by_[u] != v + 1) continue;
      --waiting;
      if (is_line(extents({u, 0}))) continue;
      if (extents({u, 0}).rank != extents(e).rank) return {};
      if (is_op(kind(u), ops::transpose)) {
        const list<int> own = order_of_transpose(g_, u);
        if (!perm.empty() && !is_equal(perm, own)) return {};
        perm = own;
        continue;
      }
      if (!kind(u).is(fact::elementwise) || kind(u).is(fact::stateful) || g_.data(u).more_specs.count > 0) return {};
      if (seen_[u] != uses_[u]) return {};
      for (const auto& in : g_.inputs_of(u)) {
        if (in.port > 0) return {};
        see(in.node);
      }
    }
    return perm;
  }

  // Reduction v of what is undone by turning its operand back.
  constexpr edge turned(int v, const list<int>& perm) {
    const edge e = g_.inputs_of(v)[0];
    const int rank = static_cast<int>(perm.size());
    list<index> back(rank);
    for (int a = 0; a < rank; ++a) back[perm[a]] = a;
    shape from;
    for (index a : back) from.push_back(extents(e)[static_cast<int>(a)]);
    edge in = renamed(e);
    if (is_op(kind(e.node), ops::transpose)) {
      in = renamed(g_.inputs_of(e.node)[0]);
    } else {
      const attribute_view with[] = {{"perm", attribute_kind::integers, back}};
      in = out_.add(ops::transpose, {g_.spec(e).dtype, from}, {&in, 1}, with);
    }
    const bool searches = searches_extremes(kind(v));
    list<attribute_view> with = g_.node(v).attributes();
    list<index> axes;
    for (auto& a : with) {
      if (a.key != (searches ? "dimension" : "axes")) continue;
      for (index axis : a.values) axes.push_back(perm[static_cast<int>(axis < 0 ? axis + rank : axis)]);
      a.values = axes;
    }
    const bool keeps = !searches && g_.node(v).attribute("keep_dims").values[0] != 0;
    const auto is_reduced = [&](int axis) {
      for (index a : axes)
        if (a == axis) return true;
      return !searches && axes.empty();
    };
    // Axes of the result that the turned operand gives, by axes of that operand.
    list<int> place(rank);
    shape to;
    for (int a = 0; a < rank; ++a) {
      place[a] = to.rank;
      if (!is_reduced(a)) to.push_back(from[a]);
      else if (keeps) to.push_back(1);
    }
    list<index> order;
    for (int a : perm)
      if (keeps || !is_reduced(a)) order.push_back(place[a]);
    edge made = out_.add(kind(v), {g_.data(v).spec.dtype, to}, {&in, 1}, with);
    return in_order(made, order, g_.data(v).spec);
  }
  // A value with its axes in another order.
  constexpr edge in_order(edge made, list<index>& order, const tensor_spec& to) {
    bool stays = true;
    for (std::size_t a = 0; a < order.size(); ++a) stays = stays && order[a] == static_cast<index>(a);
    if (stays) return made;
    const bool line = is_line(to.shape);
    if (line)
      for (int a = 0; a < to.shape.rank; ++a) order[a] = is_static_extent(to.shape[a]) ? to.shape[a] : jig::infer;
    const attribute_view with[] = {{line ? "shape" : "perm", attribute_kind::integers, order}};
    return out_.add(line ? ops::reshape : ops::transpose, to, {&made, 1}, with);
  }

  const Graph& g_;
  graph out_;
  list<int> uses_;
  list<int> seen_, seen_by_;  // by how many of what a reduction reads each node is read; one more than the last such reduction
  list<edge> renamed_;
};

}  // namespace jig::detail
