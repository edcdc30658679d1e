// SPDX-License-Identifier: MIT
#pragma once
// Reductions of a few neighbours, such as the components of a point, become elementwise ops on the components where a loop over the results
// goes on with them: that loop computes them in registers, and nothing is stored in between. So do products of points with a small matrix,
// and tensors that are put together only to be reduced.

#include <jig/ops/matmul.hpp>
#include <jig/passes/extents.hpp>
#include <jig/passes/few_candidates.hpp>

namespace jig::detail {

/// The product of which a node is the result: itself, or one with a vector, whose axis of one element goes; -1 of others.
constexpr int product_shown(const graph_view& g, int v) {
  if (is_op(*g.data(v).kind, ops::matmul)) return v;
  if (!g.data(v).kind->is(fact::keeps_order) || g.data(v).spec.shape.rank != 1) return -1;
  const int product = g.inputs_of(v)[0].node;
  if (!is_op(*g.data(product).kind, ops::matmul)) return -1;
  const shape& s = g.data(product).spec.shape;
  return s[0] == 1 || s[1] == 1 ? product : -1;
}
/// The axis along which a product adds up, of one of its factors.
constexpr int axis_of_product(const graph_view& g, int product, std::size_t factor) {
  const bool transposed = g.node(product).attribute(factor == 0 ? "transpose_a" : "transpose_b").values[0] != 0;
  return transposed == (factor == 0) ? 0 : 1;
}
/// How many numbers a product of points with a small matrix, or with a vector, adds up; 0 of others. Both factors tell: what only the call
/// knows, the product checks.
constexpr index length_of_few(const graph_view& g, int v) {
  constexpr index largest_matrix = 16;
  const int product = product_shown(g, v);
  if (product < 0 || is_storage(g.data(v).spec.dtype)) return 0;
  const auto length = [&](std::size_t factor) { return g.spec(g.inputs_of(product)[factor]).shape[axis_of_product(g, product, factor)]; };
  const index n = length(0), columns = g.data(product).spec.shape[1];
  if (n < 2 || n > most_neighbours || length(1) != n) return 0;
  if (product != v) return n;
  return axis_of_product(g, product, 0) == 1 && columns >= 2 && columns * n <= largest_matrix ? n : 0;
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
      base::find_whole, base::neighbour, base::combined_neighbours, base::extents_;

 public:
  constexpr short_reductions(const Graph& g, const given_extents& given) : base(g), uses_(use_counts(g)) {
    bool stacks = false;
    for (int v = 0; v < g.size(); ++v) stacks = stacks || stacked_parts(g, v) > 0;
    if (stacks) extents_ = find_extents<Graph>(g, given).shapes;
  }

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    bool any = false;
    for (int v = 0; v < g_.size(); ++v) {
      if (pays(v)) {
        renamed_[v] = product_shown(g_, v) >= 0 ? product(v) : combined(v);
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
    bool functions = false;  // such as exp
    bool fits = true;        // no loop over more does, and no reduction of long rows
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
          out.functions = out.functions || n.kind->is(fact::lanes_only);
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
  static constexpr int most_work = 32;
  constexpr bool pays(int v) const {
    constexpr index most_apart = 3;
    const int from_end = axis_of_few(g_, v);
    const bool is_product = length_of_few(g_, v) > 0;
    if ((from_end < 0 && !is_product) || !has_many_results(g_, v)) return false;
    const continuation after = continuation_of(v);
    if (!after.fits) return false;
    if (is_product) return after.loop && has_factors(v) && (product_shown(g_, v) == v || (!after.functions && is_shown_only(v)));
    const edge of = g_.inputs_of(v)[0];
    const index n = extent_along(of.node, from_end);
    if (of.port != 0 || n * (1 + work_of(of.node, from_end, n)) > most_work) return false;
    if (is_made_of_packs(of.node, from_end)) return g_.node(v).attribute("keep_dims").values[0] == 0;
    if (!after.reduction && !after.loop) return false;
    list<int> whole;
    find_whole(of.node, g_.spec(of).shape, whole);
    if (whole.empty() || from_end > 0) return true;
    if (whole.size() == 2 && after.loop && n <= most_apart) return is_taken_apart(v, whole);
    return whole.size() == 1 && (after.reduction || n <= most_apart || is_read_again(v));
  }
  // Whether both factors lie in memory; what a vector is multiplied by may be computed anew, once for each of its elements.
  constexpr bool has_factors(int v) const {
    const int product = product_shown(g_, v);
    const index n = length_of_few(g_, v);
    for (std::size_t k = 0; k < 2; ++k) {
      const int factor = g_.inputs_of(product)[k].node;
      if (is_given(factor)) continue;
      if (product == v || n * (1 + work_of(factor, along_product(product, k), n)) > most_work) return false;
    }
    return true;
  }
  // Whether nobody else needs the product that v shows.
  constexpr bool is_shown_only(int v) const { return uses_[product_shown(g_, v)] == 1; }
  // The axis along which a product adds up, of one of its factors, counted from the end.
  constexpr int along_product(int product, std::size_t factor) const { return 1 - axis_of_product(g_, product, factor); }
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
  // Whether another reduction takes one of these values apart anyway.
  constexpr bool is_taken_apart(int v, const list<int>& values) const {
    const int from_end = axis_of_few(g_, v);
    for (int w = 0; w < g_.size(); ++w) {
      if (w == v || axis_of_few(g_, w) != from_end) continue;
      const edge of = g_.inputs_of(w)[0];
      if (work_of(of.node, from_end, extent_along(of.node, from_end)) > most_work) continue;
      list<int> whole;
      find_whole(of.node, g_.spec(of).shape, whole);
      if (whole.size() != 1) continue;
      for (int x : values)
        if (x == whole[0]) return true;
    }
    return false;
  }
  constexpr int combined(int v) {
    return combined_neighbours(v, axis_of_few(g_, v), g_.node(v).attribute("keep_dims").values[0] != 0).node;
  }

  constexpr int product(int v) {
    const tensor_spec spec = g_.data(v).spec;
    const int product = product_shown(g_, v);
    edge all;
    for (index k = 0; k < length_of_few(g_, v); ++k) {
      edge factors[2];
      for (std::size_t f = 0; f < 2; ++f)
        factors[f] = neighbour(g_.inputs_of(product)[f].node, along_product(product, f), k, product == v && f == 0);
      const edge next = out_.add(ops::multiply, spec, factors);
      const edge sum[] = {all, next};
      all = k == 0 ? next : out_.add(ops::add, spec, sum);
    }
    return all.node;
  }

  list<int> uses_;
};

}  // namespace jig::detail
