// SPDX-License-Identifier: MIT
#pragma once
// Transposes of elementwise values become transposes of their operands where at most one of these has to be read across memory: one loop
// computes the values where they are wanted, and nothing is stored in between.

#include <jig/ops/reshape.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/passes/prune.hpp>

#include <algorithm>

namespace jig::detail {

constexpr bool is_transposed_elementwise(const graph_view& g, int v) {
  // Programs of a few numbers have ways of their own.
  constexpr index fewest = 32;
  if (!is_op(*g.data(v).kind, ops::transpose)) return false;
  const edge e = g.inputs_of(v)[0];
  const index n = g.data(v).spec.shape.size();
  return e.port == 0 && g.data(e.node).kind->is(fact::elementwise) && (n < 0 || n >= fewest);
}
constexpr bool may_have_transposed_operands(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (is_transposed_elementwise(g, v)) return true;
  return false;
}

/// Whether elements lie in the same order, whatever the order of axes.
constexpr bool is_line(const shape& s) {
  int axes = 0;
  for (int a = 0; a < s.rank; ++a) axes += s[a] == 1 ? 0 : 1;
  return axes < 2;
}
/// The axes of its input, in the order in which a transpose has them.
template <class Graph>
constexpr list<int> order_of_transpose(const Graph& g, int transpose) {
  const auto listed = g.node(transpose).attribute("perm").values;
  const auto rank = static_cast<index>(listed.size());
  list<int> out;
  for (index a : listed) out.push_back(static_cast<int>(a < 0 ? a + rank : a));
  return out;
}

template <class Graph>
class transposed_operands {
 public:
  constexpr explicit transposed_operands(const Graph& g) : g_(g), renamed_(g.size()), turned_by_(g.size()), uses_(use_counts(g)) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) turned_by_[v] = -1;
    bool any = false;
    for (int v = 0; v < g_.size(); ++v)
      if (is_transposed_elementwise(g_, v)) any = turn(v) || any;
    if (!any) return {};
    for (int v = 0; v < g_.size(); ++v) renamed_[v] = made(v);
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[v].node);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    return std::move(out_);
  }

 private:
  constexpr edge renamed(const edge& e) const { return {renamed_[e.node].node, e.port}; }
  constexpr const shape& extents(const edge& e) const { return g_.spec(e).shape; }
  constexpr bool is_turned(const edge& e, int t) const { return e.port == 0 && turned_by_[e.node] == t; }
  // Whether an operand is read in another order than it lies in with the axes of transpose t. What lies in one line is not.
  constexpr bool lies_across(const edge& e, int t) const { return !is_line(extents(e)) && !stays(order_of(e, t)); }
  // The axes of transpose t: those of operand e or, if that is a transpose that stays, of what it transposes.
  constexpr list<int> order_of(const edge& e, int t) const {
    list<int> out = axes_of(t);
    if (!is_transpose_of_all(e, t)) return out;
    const list<int> before = axes_of(e.node);
    for (int& a : out) a = before[a];
    return out;
  }
  constexpr list<int> axes_of(int transpose) const { return order_of_transpose(g_, transpose); }
  constexpr bool is_transpose_of_all(const edge& e, int t) const {
    return is_op(*g_.data(e.node).kind, ops::transpose) && !is_gone(e.node) && extents(e).rank == extents({t, 0}).rank;
  }
  constexpr bool is_gone(int transpose) const { return turned_by_[g_.inputs_of(transpose)[0].node] == transpose; }
  static constexpr bool stays(const list<int>& order) {
    int place = 0;
    for (int a : order)
      if (a != place++) return false;
    return true;
  }

  // Marks what is computed with the axes of transpose t: elementwise values that nobody else reads. Whether that pays.
  constexpr bool turn(int t) {
    const int root = g_.inputs_of(t)[0].node, rank = extents({root, 0}).rank;
    if (uses_[root] != 1) return false;
    list<int> uses(root + 1);  // by nodes that are marked
    uses[root] = 1;
    for (int v = root; v >= 0; --v) {
      if (uses[v] == 0 || !joins(v, uses[v], rank)) continue;
      turned_by_[v] = t;
      for (const auto& e : g_.inputs_of(v)) uses[e.node] += e.port == 0 ? 1 : 0;
    }
    list<edge> across;
    for (int v = 0; v <= root; ++v) {
      if (turned_by_[v] != t) continue;
      for (const auto& e : g_.inputs_of(v))
        if (!is_turned(e, t) && lies_across(e, t) && std::find(across.begin(), across.end(), e) == across.end()) across.push_back(e);
    }
    if (turned_by_[root] == t && across.size() <= 1) return true;
    for (int v = 0; v <= root; ++v)
      if (turned_by_[v] == t) turned_by_[v] = -1;
    return false;
  }
  // Whether a value is computed with turned axes if so many uses of it are.
  constexpr bool joins(int v, int uses, int rank) const {
    const node_data& n = g_.data(v);
    return n.kind->is(fact::elementwise) && !n.kind->is(fact::stateful) && n.more_specs.count == 0 && n.spec.shape.rank == rank &&
           turned_by_[v] < 0 && uses == uses_[v];
  }

  constexpr edge made(int v) {
    const int t = turned_by_[v];
    if (t >= 0) {
      list<edge> inputs;
      for (const auto& e : g_.inputs_of(v)) inputs.push_back(turned(e, t));
      const list<attribute_view> with = g_.node(v).attributes();
      return out_.add(*g_.data(v).kind, {g_.data(v).spec.dtype, turned(extents({v, 0}), t)}, inputs, with);
    }
    if (is_op(*g_.data(v).kind, ops::transpose) && is_gone(v)) return renamed(g_.inputs_of(v)[0]);
    return {copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); }), 0};
  }
  constexpr shape turned(const shape& from, int t) const {
    shape to;
    for (int a : axes_of(t)) to.push_back(from[a]);
    return to;
  }
  // An operand with the axes of transpose t; one of fewer axes gets those that it is broadcast along.
  constexpr edge turned(const edge& e, int t) {
    if (extents(e).rank == 0 || is_turned(e, t)) return renamed(e);
    for (const auto& o : operands_)
      if (o.of == e && o.transpose == t) return o.made;
    const edge made = make_operand(e, t);
    operands_.push_back({e, t, made});
    return made;
  }
  constexpr edge make_operand(const edge& e, int t) {
    const list<int> order = order_of(e, t);
    const edge of = is_transpose_of_all(e, t) ? g_.inputs_of(e.node)[0] : e;
    edge from = renamed(of);
    if (stays(order)) return from;
    tensor_spec s = g_.spec(of);
    const int rank = extents({t, 0}).rank;
    while (s.shape.rank < rank) {
      constexpr index first = 0;
      const attribute_view with[] = {{"dim", attribute_kind::integer, {&first, 1}}};
      shape longer;
      longer.push_back(1);
      for (int a = 0; a < s.shape.rank; ++a) longer.push_back(s.shape[a]);
      s.shape = longer;
      from = out_.add(ops::expand_dims, s, {&from, 1}, with);
    }
    list<index> perm;
    shape to;
    for (int a : order) {
      perm.push_back(a);
      to.push_back(s.shape[a]);
    }
    const attribute_view with[] = {{"perm", attribute_kind::integers, perm}};
    return out_.add(ops::transpose, {s.dtype, to}, {&from, 1}, with);
  }

  struct operand {
    edge of;
    int transpose;
    edge made;
  };
  const Graph& g_;
  graph out_;
  list<edge> renamed_;
  list<int> turned_by_;  // by node, the transpose whose axes it gets
  list<int> uses_;
  list<operand> operands_;
};

/// The graph with transposes of elementwise values as far up as that pays; an empty one if they are.
template <class Graph>
constexpr graph with_transposed_operands(const Graph& g) {
  graph out = transposed_operands<Graph>(g).run();
  // What has moved may stand behind another elementwise value now.
  while (may_have_transposed_operands(out)) {
    graph next = transposed_operands<graph_view>(out).run();
    if (next.size() == 0) break;
    out = std::move(next);
  }
  return out;
}

}  // namespace jig::detail
