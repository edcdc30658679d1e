// SPDX-License-Identifier: MIT
#pragma once
// Reductions of a few neighbours, such as the components of a point, become elementwise ops on the components where a loop over the results
// goes on with them: that loop computes them in registers, and nothing is stored in between. So do products of points with a small matrix,
// and tensors that are put together only to be reduced.

#include <jig/ops/matmul.hpp>
#include <jig/passes/few_candidates.hpp>

namespace jig::detail {

/// How many numbers a product of points with a small matrix adds up; 0 of others.
constexpr index length_of_few(const graph_view& g, int v) {
  constexpr index largest_matrix = 16;
  const node_data& n = g.data(v);
  if (!is_op(*n.kind, ops::matmul) || is_storage(n.spec.dtype) || g.node(v).attribute("transpose_a").values[0] != 0) return 0;
  const index length = g.spec(g.inputs_of(v)[0]).shape[1], columns = n.spec.shape[1];
  return length >= 2 && length <= most_neighbours && columns >= 2 && columns * length <= largest_matrix ? length : 0;
}
constexpr bool may_have_short_reductions(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if ((axis_of_few(g, v) >= 0 || length_of_few(g, v) > 0) && has_many_results(g, v)) return true;
  return false;
}

template <class Graph>
class short_reductions : graph_of_neighbours<Graph> {
  using base = graph_of_neighbours<Graph>;
  using base::g_, base::out_, base::renamed_, base::renamed, base::extent_along, base::packs_along, base::is_given, base::work_of,
      base::find_whole, base::neighbour;

 public:
  constexpr explicit short_reductions(const Graph& g) : base(g) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    bool any = false;
    for (int v = 0; v < g_.size(); ++v) {
      if (pays(v)) {
        renamed_[v] = is_op(*g_.data(v).kind, ops::matmul) ? product(v) : combined(v);
        any = true;
      } else {
        renamed_[v] = copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); });
      }
    }
    if (!any) return {};
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    return std::move(out_);
  }

 private:
  // What goes on with the results of a node in one loop.
  struct continuation {
    bool loop = false, reduction = false;
    bool fits = true;  // no loop over more does, and no reduction of long rows
  };
  constexpr continuation continuation_of(int v) const {
    list<char> reached(g_.size());
    reached[v] = true;
    continuation out;
    for (int reader = v + 1; reader < g_.size(); ++reader)
      for (const auto& e : g_.inputs_of(reader)) {
        if (!reached[e.node]) continue;
        const node_data& n = g_.data(reader);
        if (n.kind->is(fact::elementwise)) {
          reached[reader] = true;
          out.loop = true;
          out.fits = out.fits && n.spec.shape == g_.data(v).spec.shape;
        } else if (n.kind->is(fact::reduction)) {
          out.reduction = true;
          out.fits = out.fits && reduces_all_or_few(reader);
        } else if (few_candidates<Graph>::is_search(*n.kind)) {
          out.reduction = true;
          out.fits = out.fits && few_candidates<Graph>(g_).searches(reader);
        }
      }
    return out;
  }
  constexpr bool reduces_all_or_few(int v) const {
    constexpr index few = 16;
    const shape& from = g_.spec(g_.inputs_of(v)[0]).shape;
    const auto axes = g_.node(v).attribute("axes").values;
    if (axes.empty() || static_cast<int>(axes.size()) == from.rank) return true;
    index count = 1;
    for (index a : axes) {
      const index e = from[static_cast<int>(a < 0 ? a + from.rank : a)];
      if (e < 0 || e > few) return false;
      count *= e;
    }
    return count <= few;
  }
  constexpr bool pays(int v) const {
    constexpr int most = 32;
    const int from_end = axis_of_few(g_, v);
    const bool is_product = length_of_few(g_, v) > 0;
    if ((from_end < 0 && !is_product) || !has_many_results(g_, v)) return false;
    const continuation after = continuation_of(v);
    if (!after.fits) return false;
    if (is_product) return after.loop && is_given(g_.inputs_of(v)[0].node) && is_given(g_.inputs_of(v)[1].node);
    const edge of = g_.inputs_of(v)[0];
    const index n = extent_along(of.node, from_end);
    if (of.port != 0 || n * (1 + work_of(of.node, from_end, n)) > most) return false;
    if (is_made_of_packs(of.node, from_end)) return g_.node(v).attribute("keep_dims").values[0] == 0;
    if (!after.reduction && !after.loop) return false;
    list<int> whole;
    find_whole(of.node, g_.spec(of).shape, whole);
    return whole.empty() || from_end > 0 || (whole.size() == 1 && (after.reduction || n == 2 || is_read_again(v)));
  }
  // Whether tensors that are put together are all that a value has of neighbours: nobody needs them side by side then.
  constexpr bool is_made_of_packs(int v, int from_end) const {
    if (packs_along(v, from_end)) return true;
    bool any = false;
    for (const auto& e : g_.inputs_of(v)) {
      if (extent_along(e.node, from_end) == 1) continue;
      if (!g_.data(v).kind->is(fact::elementwise) || !is_made_of_packs(e.node, from_end)) return false;
      any = true;
    }
    return any;
  }
  // Neighbours that lie side by side are moved into registers of their own, which is worth it when they are few, serve again, or spare
  // memory between two reductions; always when they stay the same for many results.
  constexpr bool is_read_again(int v) const {
    for (int w = 0; w < g_.size(); ++w)
      if (w != v && axis_of_few(g_, w) == axis_of_few(g_, v) && g_.inputs_of(w)[0] == g_.inputs_of(v)[0]) return true;
    return false;
  }
  constexpr int combined(int v) {
    const node_data n = g_.data(v);
    const int from_end = axis_of_few(g_, v), of = g_.inputs_of(v)[0].node;
    const bool keep = g_.node(v).attribute("keep_dims").values[0] != 0;
    const index count = extent_along(of, from_end);
    const op& both = combination_of(*n.kind);
    edge all = neighbour(of, from_end, 0, keep);
    for (index k = 1; k < count; ++k) {
      const edge inputs[] = {all, neighbour(of, from_end, k, keep)};
      all = out_.add(both, n.spec, inputs);
    }
    if (!is_op(*n.kind, ops::reduce_mean)) return all.node;
    const edge inputs[] = {all, add_constant(out_, n.spec.dtype, bits_of_number(n.spec.dtype, static_cast<int>(count)))};
    return out_.add(ops::divide, n.spec, inputs).node;
  }

  constexpr int product(int v) {
    const tensor_spec spec = g_.data(v).spec;
    const int points = g_.inputs_of(v)[0].node, matrix = g_.inputs_of(v)[1].node;
    const bool transposed = g_.node(v).attribute("transpose_b").values[0] != 0;
    edge all;
    for (index k = 0; k < length_of_few(g_, v); ++k) {
      const edge both[] = {neighbour(points, 0, k, true), neighbour(matrix, transposed ? 0 : 1, k, false)};
      const edge next = out_.add(ops::multiply, spec, both);
      const edge sum[] = {all, next};
      all = k == 0 ? next : out_.add(ops::add, spec, sum);
    }
    return all.node;
  }
};

}  // namespace jig::detail
