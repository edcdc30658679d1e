// SPDX-License-Identifier: MIT
#pragma once
// Values at a few positions along an axis, each as a value of its own: what a loop over the others computes of all of them stays in
// registers.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/extremes.hpp>
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

constexpr index most_neighbours = 4, most_places_apart = 9;
/// The axis of a reduction of a few neighbours, counted from the end; -1 of others.
constexpr int axis_of_few(const graph_view& g, int v) {
  const node_data& n = g.data(v);
  if (!n.kind->is(fact::reduction) || !has_combination(*n.kind, n.spec.dtype)) return -1;
  const auto axes = g.node(v).attribute("axes").values;
  const shape& from = g.spec(g.inputs_of(v)[0]).shape;
  if (axes.size() != 1) return -1;
  const auto axis = static_cast<int>(axes[0] < 0 ? axes[0] + from.rank : axes[0]);
  const index most = axis == from.rank - 1 ? most_neighbours : most_places_apart;
  return from[axis] >= 2 && from[axis] <= most ? from.rank - 1 - axis : -1;
}
// Programs of a few numbers have ways of their own.
constexpr bool has_many_results(const graph_view& g, int v) {
  constexpr index fewest = 16;
  const index n = g.data(v).spec.shape.size();
  return n < 0 || n >= fewest;
}

/// A shape with one place along an axis, which goes unless it is kept.
constexpr shape with_one_place(const shape& s, int axis, bool keep) {
  shape out;
  for (int a = 0; a < s.rank; ++a) {
    if (a != axis) out.push_back(s[a]);
    else if (keep) out.push_back(1);
  }
  return out;
}
/// How many tensors a join puts together of which each has one place along its axis; 0 of others.
constexpr index stacked_parts(const graph_view& g, int v) {
  const node_data& n = g.data(v);
  if (!is_join(*n.kind) || is_storage(n.spec.dtype) || n.spec.shape.rank < 2 || !has_many_results(g, v)) return 0;
  const int axis = joining_axis(g, v);
  const auto parts = static_cast<index>(g.inputs_of(v).size());
  if (parts < 2 || parts > most_neighbours || n.spec.shape[axis] != parts) return 0;
  // Of extents that only the call knows and others a part would be of other ones than the whole.
  const shape part = with_one_place(n.spec.shape, axis, is_op(*n.kind, ops::concat));
  for (const auto& e : g.inputs_of(v))
    if (e.port != 0 || !(g.spec(e).shape == part)) return 0;
  return parts;
}

/// A graph that is made anew from another one, with parts of its values.
template <class Graph>
class graph_of_neighbours {
 protected:
  constexpr explicit graph_of_neighbours(const Graph& g) : g_(g), renamed_(g.size()) {}
  constexpr edge renamed(const edge& e) const { return {renamed_[e.node], e.port}; }
  // Whether memory holds a value before any step.
  constexpr bool is_given(int v) const {
    while (g_.data(v).kind->is(fact::view) && !g_.data(v).kind->is(fact::dynamic_slice)) v = g_.inputs_of(v)[0].node;
    return g_.data(v).kind->is(fact::input | fact::constant);
  }
  // Whether the neighbours of a value are tensors that are put together to be it.
  constexpr bool packs_along(int v, int from_end) const {
    if (stacked_parts(g_, v) == 0 || joining_axis(g_, v) != g_.data(v).spec.shape.rank - 1 - from_end) return false;
    // Of those whose extents only the call could compare, somebody has to be left who does that.
    const auto parts = g_.inputs_of(v);
    for (const auto& e : parts)
      if (!extents_.empty() && !(extents_[e.node] == extents_[parts[0].node])) return false;
    return true;
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
    // One row for all is stored first.
    if (!n.kind->is(fact::elementwise) || n.more_specs.count > 0) return is_given(v) || n.spec.shape.rank <= from_end + 1 ? 0 : too_much;
    int work = n.kind->is(fact::lanes_only) ? of_function : 1;
    for (const auto& e : g_.inputs_of(v)) {
      work += e.port == 0 ? work_of(e.node, from_end, neighbours) : too_much;
      if (work >= too_much || is_storage(g_.spec(e).dtype)) return too_much;
    }
    return work;
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

  // The part of v at position k of an axis, which goes or stays with one element.
  constexpr edge neighbour(int v, int from_end, index k, bool keep) {
    const node_data n = g_.data(v);
    const int axis = n.spec.shape.rank - 1 - from_end;
    const bool along = axis >= 0 && n.spec.shape[axis] != 1;
    if (!along) k = 0;
    if (axis < 0 || (!along && keep)) return {renamed_[v], 0};
    for (const auto& known : made_)
      if (known.node == v && known.from_end == from_end && known.k == k && known.keep == keep) return known.value;
    const tensor_spec spec{n.spec.dtype, with_one_place(n.spec.shape, axis, keep)};
    edge made;
    const bool packs = packs_along(v, from_end), has_axis = packs && is_op(*n.kind, ops::concat);
    if (packs && keep == has_axis) {
      made = renamed(g_.inputs_of(v)[static_cast<std::size_t>(k)]);
    } else if (has_axis) {
      made = neighbour(g_.inputs_of(v)[static_cast<std::size_t>(k)].node, from_end, 0, false);
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
  // Tells which value is the one at position k of an axis that goes.
  constexpr void know_neighbour(int v, int from_end, index k, const edge& value) { made_.push_back({v, from_end, k, false, value}); }
  // What a reduction of neighbours is, combined of them; `keep`: with its axis of one element.
  constexpr edge combined_neighbours(int v, int from_end, bool keep) {
    const node_data n = g_.data(v);
    const int of = g_.inputs_of(v)[0].node, axis = g_.data(of).spec.shape.rank - 1 - from_end;
    const tensor_spec spec{n.spec.dtype, with_one_place(g_.data(of).spec.shape, axis, keep)};
    edge all = neighbour(of, from_end, 0, keep);
    for (index k = 1; k < extent_along(of, from_end); ++k) {
      const edge inputs[] = {all, neighbour(of, from_end, k, keep)};
      all = out_.add(combination_of(*n.kind), spec, inputs);
    }
    if (!is_op(*n.kind, ops::reduce_mean)) return all;
    const index count = extent_along(of, from_end);
    const edge inputs[] = {all, add_constant(out_, n.spec.dtype, bits_of_number(n.spec.dtype, static_cast<int>(count)))};
    return out_.add(ops::divide, spec, inputs);
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

 private:
  struct part {
    int node, from_end;
    index k;
    bool keep;
    edge value;
  };
  list<part> made_;

 protected:
  const Graph& g_;
  graph out_;
  list<int> renamed_;
  list<shape> extents_;  // of all values, where a pass has to know which ones are equal
};

}  // namespace jig::detail
