// SPDX-License-Identifier: MIT
#pragma once
// Reductions of a few neighbours, such as the components of a point, become elementwise ops on the components where a loop over the results
// goes on with them: that loop computes them in registers, and nothing is stored in between. So do products of points with a small matrix,
// and tensors that are put together only to be reduced.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/extremes.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/passes/joined_rows.hpp>

namespace jig::detail {

/// Whether an op combines two elements of a reduction; those of others stay reductions.
constexpr bool has_combination(const op& kind, dtype d) {
  if (is_storage(d)) return false;
  if (is_op(kind, ops::reduce_mean)) return is_floating(d);
  return is_op(kind, ops::reduce_sum) || is_op(kind, ops::reduce_max) || is_op(kind, ops::reduce_min) || is_op(kind, ops::reduce_any) ||
         is_op(kind, ops::reduce_all);
}
/// That op; of a mean, the one of the sum.
constexpr const op& combination_of(const op& kind) {
  if (is_op(kind, ops::reduce_max)) return ops::maximum;
  if (is_op(kind, ops::reduce_min)) return ops::minimum;
  if (is_op(kind, ops::reduce_any)) return ops::logical_or;
  return is_op(kind, ops::reduce_all) ? ops::logical_and : ops::add;
}

constexpr index most_neighbours = 4;
/// The axis of a reduction of a few neighbours, counted from the end; -1 of others.
constexpr int axis_of_few(const graph_view& g, int v) {
  const node_data& n = g.data(v);
  if (!n.kind->is(fact::reduction) || !has_combination(*n.kind, n.spec.dtype)) return -1;
  const auto axes = g.node(v).attribute("axes").values;
  const shape& from = g.spec(g.inputs_of(v)[0]).shape;
  if (axes.size() != 1) return -1;
  const auto axis = static_cast<int>(axes[0] < 0 ? axes[0] + from.rank : axes[0]);
  return from[axis] >= 2 && from[axis] <= most_neighbours ? from.rank - 1 - axis : -1;
}
/// How many numbers a product of points with a small matrix adds up; 0 of others.
constexpr index length_of_few(const graph_view& g, int v) {
  constexpr index largest_matrix = 16;
  const node_data& n = g.data(v);
  if (!is_op(*n.kind, ops::matmul) || is_storage(n.spec.dtype) || g.node(v).attribute("transpose_a").values[0] != 0) return 0;
  const index length = g.spec(g.inputs_of(v)[0]).shape[1], columns = n.spec.shape[1];
  return length >= 2 && length <= most_neighbours && columns >= 2 && columns * length <= largest_matrix ? length : 0;
}
// Programs of a few numbers have ways of their own.
constexpr bool has_many_results(const graph_view& g, int v) {
  constexpr index fewest = 16;
  const index n = g.data(v).spec.shape.size();
  return n < 0 || n >= fewest;
}
constexpr bool may_have_short_reductions(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if ((axis_of_few(g, v) >= 0 || length_of_few(g, v) > 0) && has_many_results(g, v)) return true;
  return false;
}

template <class Graph>
class short_reductions {
 public:
  constexpr explicit short_reductions(const Graph& g) : g_(g), renamed_(g.size()) {}

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
  constexpr edge renamed(const edge& e) const { return {renamed_[e.node], e.port}; }
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
  // Whether memory holds a value before any step.
  constexpr bool is_given(int v) const {
    while (g_.data(v).kind->is(fact::view) && !g_.data(v).kind->is(fact::dynamic_slice)) v = g_.inputs_of(v)[0].node;
    return g_.data(v).kind->is(fact::input | fact::constant);
  }
  // Whether the neighbours of a value are tensors that are put together to be it.
  constexpr bool packs_along(int v, int from_end) const {
    const node_data& n = g_.data(v);
    return is_op(*n.kind, ops::pack) && joining_axis(g_, v) == n.spec.shape.rank - 1 - from_end;
  }
  constexpr index extent_along(int v, int from_end) const {
    const shape& s = g_.data(v).spec.shape;
    return s.rank > from_end ? s[s.rank - 1 - from_end] : 1;
  }
  // How much is computed at every neighbour, in elementary operations; too much where that cannot be done.
  constexpr int work_of(int v, int from_end, index neighbours) const {
    constexpr int too_much = 1000, of_function = 8;
    const index along = extent_along(v, from_end);
    if (along != 1 && along != neighbours) return too_much;
    const node_data& n = g_.data(v);
    if (packs_along(v, from_end)) return 0;
    if (!n.kind->is(fact::elementwise) || n.more_specs.count > 0) return is_given(v) || n.spec.shape.rank <= from_end ? 0 : too_much;
    int work = n.kind->is(fact::lanes_only) ? of_function : 1;
    for (const auto& e : g_.inputs_of(v)) {
      work += e.port == 0 ? work_of(e.node, from_end, neighbours) : too_much;
      if (work >= too_much || is_storage(g_.spec(e).dtype)) return too_much;
    }
    return work;
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
  // What v reads of as many elements as there are.
  constexpr void find_whole(int v, const shape& of, list<int>& found) const {
    if (g_.data(v).kind->is(fact::elementwise)) {
      for (const auto& e : g_.inputs_of(v)) find_whole(e.node, of, found);
      return;
    }
    bool known = !(g_.data(v).spec.shape == of);
    for (int w : found) known = known || w == v;
    if (!known) found.push_back(v);
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

  // The part of v at position k of an axis, which goes or stays with one element.
  constexpr edge neighbour(int v, int from_end, index k, bool keep) {
    const node_data n = g_.data(v);
    const int axis = n.spec.shape.rank - 1 - from_end;
    const bool along = axis >= 0 && n.spec.shape[axis] != 1;
    if (!along) k = 0;
    if (axis < 0 || (!along && keep)) return {renamed_[v], 0};
    for (const auto& known : made_)
      if (known.node == v && known.from_end == from_end && known.k == k && known.keep == keep) return known.value;
    tensor_spec spec{n.spec.dtype, {}};
    for (int a = 0; a < n.spec.shape.rank; ++a) {
      if (a != axis) spec.shape.push_back(n.spec.shape[a]);
      else if (keep) spec.shape.push_back(1);
    }
    edge made;
    if (!keep && packs_along(v, from_end)) {
      made = renamed(g_.inputs_of(v)[static_cast<std::size_t>(k)]);
    } else if (n.kind->is(fact::elementwise)) {
      list<edge> inputs;
      for (const auto& e : g_.inputs_of(v)) inputs.push_back(neighbour(e.node, from_end, k, keep));
      made = out_.add(*n.kind, spec, inputs, g_.node(v).attributes());
    } else {
      made = slice(v, spec, axis, k, keep);
    }
    made_.push_back({v, from_end, k, keep, made});
    return made;
  }
  constexpr edge slice(int v, const tensor_spec& spec, int axis, index k, bool keep) {
    list<index> begin(axis + 1), end(axis + 1), steps(axis + 1);
    for (auto& step : steps) step = 1;
    begin[axis] = k;
    end[axis] = k + 1;
    const index bit = index{1} << axis, whole = bit - 1, shrinks = keep ? 0 : bit;
    const attribute_view with[] = {
        {"begin", attribute_kind::integers, begin, {}, {}},         {"end", attribute_kind::integers, end, {}, {}},
        {"strides", attribute_kind::integers, steps, {}, {}},       {"begin_mask", attribute_kind::integer, {&whole, 1}, {}, {}},
        {"end_mask", attribute_kind::integer, {&whole, 1}, {}, {}}, {"shrink_axis_mask", attribute_kind::integer, {&shrinks, 1}, {}, {}}};
    const edge in{renamed_[v], 0};
    return out_.add(ops::strided_slice, spec, {&in, 1}, with);
  }

  struct part {
    int node, from_end;
    index k;
    bool keep;
    edge value;
  };
  const Graph& g_;
  graph out_;
  list<int> renamed_;
  list<part> made_;
};

}  // namespace jig::detail
