// SPDX-License-Identifier: MIT
#pragma once
// Planes that end side by side, such as the red, green and blue ones of an image: a loop reads each where it lies and puts their elements
// together in registers. Where only the call knows how long planes are, a loop over their transpose would gather elements one by one, and
// without any loop they would be copied element by element. So would columns that become planes.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/passes/constant_positions.hpp>
#include <jig/passes/joined_rows.hpp>
#include <jig/passes/prune.hpp>

#include <utility>

namespace jig::detail {

inline constexpr index most_planes = 8;

/// Whether numbers of few places along the last axis could be put together in registers.
constexpr bool may_be_interleaved(const tensor_spec& s) {
  const int last = s.shape.rank - 1;
  if (last < 1 || !is_number(s.dtype) || is_storage(s.dtype) || s.shape[last] < 2 || s.shape[last] > most_planes) return false;
  return s.shape.size() < 0 || s.shape.size() >= fewest_joined;
}
/// Whether a node shows planes whose length only the call knows with their elements side by side.
constexpr bool turns_planes(const graph_view& g, int v) {
  if (!is_op(*g.data(v).kind, ops::transpose) || !may_be_interleaved(g.data(v).spec)) return false;
  const shape& from = g.spec(g.inputs_of(v)[0]).shape;
  bool known = true;
  const auto order = g.node(v).attribute("perm").values;
  for (int a = 0; a < from.rank; ++a) {
    if (order[static_cast<std::size_t>(a)] != (a + 1) % from.rank) return false;
    known = known && (a == 0 || is_static_extent(from[a]));
  }
  return !known;
}
/// Whether a node puts tensors side by side of which none is computed.
constexpr bool packs_given_planes(const graph_view& g, int v) {
  if (!is_op(*g.data(v).kind, ops::pack) || !may_be_interleaved(g.data(v).spec) || joining_axis(g, v) != g.data(v).spec.shape.rank - 1)
    return false;
  for (const auto& e : g.inputs_of(v))
    if (e.port != 0 || g.data(e.node).kind->is(fact::elementwise)) return false;
  return true;
}
/// Whether a node shows a column of memory: elements that lie apart.
constexpr bool shows_column(const graph_view& g, int v) {
  if (!is_op(*g.data(v).kind, ops::strided_slice)) return false;
  const int from = g.inputs_of(v)[0].node, last = g.data(from).spec.shape.rank - 1;
  const auto given = static_cast<int>(g.node(v).attribute("begin").values.size());
  return !g.data(from).kind->is(fact::elementwise) && given == last + 1 && slice_of_axis(g.node(v).attributes(), last).single;
}
/// Whether planes could be written by loops, each in its place. Compilers follow the lanes of all of them.
constexpr bool may_be_planes(const tensor_spec& s, index fewest) {
  constexpr index most_lanes = 256, register_bytes = 64;
  if (s.shape.rank < 2 || !is_number(s.dtype) || is_storage(s.dtype) || s.shape[0] < 2 || s.shape[0] > most_planes) return false;
  if (s.shape[0] * (register_bytes / static_cast<index>(size_of(s.dtype))) > most_lanes) return false;
  return s.shape.size() < 0 || s.shape.size() >= fewest;
}
/// Whether a node makes planes of columns.
constexpr bool packs_columns(const graph_view& g, int v) {
  if (!is_op(*g.data(v).kind, ops::pack) || joining_axis(g, v) != 0 || !may_be_planes(g.data(v).spec, fewest_joined)) return false;
  for (const auto& e : g.inputs_of(v))
    if (!shows_column(g, e.node)) return false;
  return true;
}
/// Whether a node shows rows of a few places as planes.
constexpr bool turns_rows(const graph_view& g, int v) {
  constexpr index fewest = 256;
  if (!is_op(*g.data(v).kind, ops::transpose) || !may_be_planes(g.data(v).spec, fewest)) return false;
  const int rank = g.data(v).spec.shape.rank;
  const auto order = g.node(v).attribute("perm").values;
  for (int a = 0; a < rank; ++a)
    if (order[static_cast<std::size_t>(a)] != (a + rank - 1) % rank) return false;
  return !g.data(g.inputs_of(v)[0].node).kind->is(fact::elementwise);
}
constexpr bool may_have_planes_to_interleave(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (turns_planes(g, v) || packs_given_planes(g, v) || packs_columns(g, v) || turns_rows(g, v)) return true;
  return false;
}

template <class Graph>
class interleaved_planes {
 public:
  constexpr explicit interleaved_planes(const Graph& g) : g_(g), uses_(use_counts(g)) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    list<char> results(g_.size());
    for (const auto& e : g_.outputs()) results[e.node] = 1;
    bool any = false;
    for (int v = 0; v < g_.size(); ++v) {
      renamed_.push_back(-1);
      if (results[v] && pays(v)) {
        renamed_.back() = interleaved(v);
        any = true;
      } else if (packs_given_planes(g_, v)) {
        // Of what a loop computes it copies the others.
        bool first = true;
        renamed_.back() = copy_node(out_, g_, v, [&](const edge& e) { return std::exchange(first, false) ? times_one(now(e)) : now(e); });
        any = true;
      } else if (packs_columns(g_, v)) {
        // Loops write each plane in its place.
        renamed_.back() = copy_node(out_, g_, v, [&](const edge& e) { return times_one(now(e)); });
        any = true;
      } else if (results[v] && uses_[v] == 1 && turns_rows(g_, v)) {
        renamed_.back() = planes_of_rows(v);
        any = true;
      } else {
        renamed_.back() = copy_node(out_, g_, v, [&](const edge& e) { return now(e); });
      }
    }
    if (!any) return {};
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(now(e));
    return std::move(out_);
  }

 private:
  constexpr edge now(const edge& e) const { return {renamed_[at(e.node)], e.port}; }
  constexpr edge times_one(const edge& e) {
    const tensor_spec spec = out_.view().spec(e);
    const edge product[] = {e, add_constant(out_, spec.dtype, bits_of_number(spec.dtype, 1))};
    return out_.add(ops::multiply, spec, product);
  }

  // What is computed for a result of so many planes, in nodes; too much where it is no result of planes.
  static constexpr int too_much = 1000;
  struct found {
    int work = 0;
    bool planes = false, rows = false;  // whether there are planes, and rows that are taken apart
  };
  constexpr bool pays(int v) const {
    constexpr int most = 64;
    if (uses_[v] != 1 || !may_be_interleaved(g_.data(v).spec)) return false;
    const index planes = g_.data(v).spec.shape[g_.data(v).spec.shape.rank - 1];
    const found all = look_at(v, g_.data(v).spec.shape);
    // Rows of many places cost more moves than they spare.
    constexpr index longest_row = 4;
    return all.planes && all.work * planes <= most && (!all.rows || planes <= longest_row);
  }
  constexpr found look_at(int v, const shape& whole) const {
    const node_data& n = g_.data(v);
    if (turns_planes(g_, v)) return {0, true, false};
    if (!n.kind->is(fact::elementwise)) {
      // One place may stand for all of them only where the type says so.
      const int rank = n.spec.shape.rank;
      if (rank > 0 && !is_static_extent(n.spec.shape[rank - 1])) return {too_much, false, false};
      return {0, false, rank > 1 && n.spec.shape == whole};
    }
    if (!(n.spec.shape == whole) || uses_[v] != 1 || n.more_specs.count > 0 || n.kind->is(fact::stateful)) return {too_much, false, false};
    found all{1, false, false};
    for (const auto& e : g_.inputs_of(v)) {
      if (e.port != 0 || is_storage(g_.spec(e).dtype)) return {too_much, false, false};
      if (g_.spec(e).shape.rank == 0) continue;
      const found next = look_at(e.node, whole);
      all.work += next.work;
      all.planes = all.planes || next.planes;
      all.rows = all.rows || next.rows;
      if (all.work >= too_much) return {too_much, false, false};
    }
    return all;
  }

  constexpr int interleaved(int v) {
    const tensor_spec spec = g_.data(v).spec;
    const int last = spec.shape.rank - 1;
    list<edge> planes;
    for (index k = 0; k < spec.shape[last]; ++k) planes.push_back(plane(v, spec.shape, k));
    if (!g_.data(v).kind->is(fact::elementwise)) planes[0] = times_one(planes[0]);
    const index axis = last;
    const attribute_view along[] = {{"axis", attribute_kind::integer, {&axis, 1}, {}, {}}};
    return out_.add(ops::pack, spec, planes, along).node;
  }
  // Plane k of what has the shape `whole`, or is broadcast to it.
  constexpr edge plane(int v, const shape& whole, index k) {
    const tensor_spec spec = g_.data(v).spec;
    if (spec.shape.rank == 0) return now({v, 0});
    if (turns_planes(g_, v)) return slice(now(g_.inputs_of(v)[0]), 0, k);
    if (!g_.data(v).kind->is(fact::elementwise)) {
      const int last = spec.shape.rank - 1;
      return slice(now({v, 0}), last, spec.shape[last] == 1 ? 0 : k);
    }
    list<edge> inputs;
    for (const auto& e : g_.inputs_of(v)) inputs.push_back(plane(e.node, whole, k));
    shape without;
    for (int a = 0; a + 1 < spec.shape.rank; ++a) without.push_back(spec.shape[a]);
    return out_.add(*g_.data(v).kind, {spec.dtype, without}, inputs, g_.node(v).attributes());
  }
  constexpr int planes_of_rows(int v) {
    const tensor_spec spec = g_.data(v).spec;
    list<edge> planes;
    for (index k = 0; k < spec.shape[0]; ++k) planes.push_back(times_one(slice(now(g_.inputs_of(v)[0]), spec.shape.rank - 1, k)));
    const index first = 0;
    const attribute_view along[] = {{"axis", attribute_kind::integer, {&first, 1}, {}, {}}};
    return out_.add(ops::pack, spec, planes, along).node;
  }
  // Place k along an axis, which goes.
  constexpr edge slice(const edge& from, int axis, index k) {
    const tensor_spec spec = out_.view().spec(from);
    tensor_spec part{spec.dtype, {}};
    for (int a = 0; a < spec.shape.rank; ++a)
      if (a != axis) part.shape.push_back(spec.shape[a]);
    slice_positions p;
    for (int a = 0; a < axis; ++a) p.add_whole(spec.shape[a]);
    p.add(k, 1, 1, true);
    return with_attributes(p, [&](stretch<attribute_view> with) { return out_.add(ops::strided_slice, part, {&from, 1}, with); });
  }

  const Graph& g_;
  graph out_;
  list<int> renamed_, uses_;
};

}  // namespace jig::detail
