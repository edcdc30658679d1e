// SPDX-License-Identifier: MIT
#pragma once
// Parts of what a loop computes are computed of parts, where parts are all that is read of it: `f(jig::all, 0)` of `f = cast<float>(x) /
// 255` reads a column of x in the loop that needs it, and no loop stores all of f. So are windows of what is cast from narrower memory, and
// a few of what little arithmetic makes: fluxes through neighbouring faces, differences of differences.

#include <jig/passes/constant_positions.hpp>
#include <jig/passes/extents.hpp>
#include <jig/passes/joined_rows.hpp>
#include <jig/passes/neighbours.hpp>
#include <jig/passes/slice_of_value.hpp>

namespace jig::detail {

constexpr bool may_have_parts_of_values(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (is_op(*g.data(v).kind, ops::strided_slice) && g.data(g.inputs_of(v)[0].node).kind->is(fact::elementwise) && has_many_results(g, v))
      return true;
  return false;
}

/// Makes a graph anew in which no value is computed whole of which only parts are read that have no element in common, or that cost less
/// to compute twice than to store.
template <class Graph>
class parts_of_values {
 public:
  constexpr parts_of_values(const Graph& g, const given_extents& given) : g_(g), given_(given), apart_(g.size()), parts_(g.size()) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    find();
    bool any = false;
    for (int v = 0; v < g_.size(); ++v) {
      const bool shows_part = is_slice(v) && apart_[g_.inputs_of(v)[0].node];
      any = any || shows_part;
      if (apart_[v]) renamed_.push_back(-1);
      else if (shows_part) renamed_.push_back(part(g_.inputs_of(v)[0].node, slice_of_value(g_, v)).node);
      else renamed_.push_back(copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); }));
    }
    if (!any) return {};
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    return std::move(out_);
  }

 private:
  constexpr edge renamed(const edge& e) const { return {renamed_[at(e.node)], e.port}; }
  constexpr bool is_slice(int v) const { return is_op(*g_.data(v).kind, ops::strided_slice); }

  constexpr void find() {
    list<char> read_whole(g_.size()), made_by_kernel(g_.size());
    for (const auto& e : g_.outputs()) read_whole[e.node] = 1;
    for (int v = 0; v < g_.size(); ++v) made_by_kernel[v] = is_made_by_kernel(v, made_by_kernel);
    for (int v = g_.size(); v-- > 0;) {
      apart_[v] = !read_whole[v] && !made_by_kernel[v] && can_be_apart(v);
      for (const auto& e : g_.inputs_of(v)) note_reader(e, v, read_whole);
    }
  }
  // What runs behind a kernel runs on each tile of its result.
  constexpr bool is_made_by_kernel(int v, const list<char>& known) const {
    if (g_.data(v).kind->is(fact::epilogue)) return true;
    if (!g_.data(v).kind->is(fact::elementwise)) return g_.data(v).kind->is(fact::keeps_order) && known[g_.inputs_of(v)[0].node];
    for (const auto& e : g_.inputs_of(v))
      if (known[e.node]) return true;
    return false;
  }
  constexpr void note_reader(const edge& e, int v, list<char>& read_whole) {
    list<slice_of_value>& parts = parts_[e.node];
    if (e.port != 0) {
      read_whole[e.node] = 1;
    } else if (is_slice(v) && has_many_results(g_, v) && !slice_of_value(g_, v).takes_all()) {
      add_part(slice_of_value(g_, v), parts);
    } else if (apart_[v] && g_.spec(e).shape == g_.data(v).spec.shape) {
      for (const auto& p : parts_[v]) add_part(p, parts);
    } else {
      // All parts read the same of what is broadcast.
      read_whole[e.node] = 1;
    }
  }
  static constexpr void add_part(const slice_of_value& p, list<slice_of_value>& parts) {
    for (const auto& known : parts)
      if (known == p) return;
    parts.push_back(p);
  }
  constexpr bool can_be_apart(int v) {
    const node_data& n = g_.data(v);
    const list<slice_of_value>& parts = parts_[v];
    if (!n.kind->is(fact::elementwise) || n.kind->is(fact::stateful) || n.more_specs.count > 0 || parts.empty()) return false;
    for (const auto& e : g_.inputs_of(v))
      if (e.port != 0) return false;
    // Many floating ones cost more conversions than a store.
    if (widens_memory(v) && parts.size() <= (is_floating(n.spec.dtype) ? 8u : 16u)) return true;
    if (ops_of(v) * (static_cast<int>(parts.size()) - 1) <= most_again && are_windows(v)) return true;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        if (!parts[i].is_apart_from(parts[j])) return false;
      for (int a = 0; a < n.spec.shape.rank; ++a)
        if (!parts[i].takes_all(a) && !has_places_of(v, a)) return false;
    }
    return true;
  }
  // Whether v is what narrower memory holds: to read that again costs less than to store v.
  constexpr bool widens_memory(int v) const {
    return is_op(*g_.data(v).kind, ops::cast) && g_.data(g_.inputs_of(v)[0].node).kind->is(fact::input) && widens(v);
  }
  // Whether a cast is to a wider dtype that is computed with.
  constexpr bool widens(int v) const {
    const dtype from = g_.spec(g_.inputs_of(v)[0]).dtype, to = g_.data(v).spec.dtype;
    return is_number(from) && is_number(to) && !is_storage(from) && !is_storage(to) && size_of(from) < size_of(to);
  }
  // How many quick ops make v of memory; too many where they are slow, or read windows of what others make.
  constexpr int ops_of(int v) const {
    const op& kind = *g_.data(v).kind;
    if (work_of_elementwise(kind) > 1 || kind.is(fact::checked | fact::scalar_only) || is_op(kind, ops::sqrt)) return too_many;
    int ops = 1;
    if (is_op(kind, ops::cast)) {
      if (!widens(v)) return too_many;
      ops = 2;
    }
    for (const auto& e : g_.inputs_of(v)) {
      int from = e.node;
      while (g_.data(from).kind->is(fact::view) && !g_.inputs_of(from).empty()) from = g_.inputs_of(from)[0].node;
      if (!g_.data(from).kind->is(fact::elementwise)) continue;
      ops += from == e.node && ops < too_many ? ops_of(from) : too_many;
    }
    return ops < too_many ? ops : too_many;
  }
  // Whether all parts of v are windows, and all that it reads has its extents along the axes on which they move.
  constexpr bool are_windows(int v) {
    const shape& whole = g_.data(v).spec.shape;
    for (int a = 0; a < whole.rank; ++a)
      for (const auto& p : parts_[v]) {
        if (p.takes_all(a)) continue;
        if (p.axes[a].single || p.axes[a].step != 1 || !has_extent_of(v, a)) return false;
      }
    return true;
  }
  constexpr bool has_extent_of(int v, int axis) {
    if (extents_.empty()) extents_ = find_extents<Graph>(g_, given_).shapes;
    const shape& whole = extents_[v];
    for (const auto& e : g_.inputs_of(v)) {
      const shape& s = extents_[e.node];
      const int a = axis - (whole.rank - s.rank);
      if (a >= 0 && s[a] != 1 && s[a] != whole[axis]) return false;
    }
    return true;
  }
  // Whether a place along an axis of v is one of what v reads, or the only one there. Only a call knows which wildcards are broadcast, and
  // a loop goes on only with what has the extents of all that it computes.
  constexpr bool has_places_of(int v, int axis) const {
    const shape& whole = g_.data(v).spec.shape;
    if (!is_static_extent(whole[axis])) return false;
    for (const auto& e : g_.inputs_of(v)) {
      const shape& s = g_.spec(e).shape;
      const int a = axis - (whole.rank - s.rank);
      if (a >= 0 && s[a] != 1 && (s[a] != whole[axis] || (axis == whole.rank - 1 && shows_other_rows(e.node)))) return false;
    }
    return true;
  }

  // Rows of a view are read faster than their elements one by one, which lie further apart in memory.
  constexpr bool shows_other_rows(int v) const { return g_.data(v).kind->is(fact::view) && !g_.data(v).kind->is(fact::keeps_order); }

  // The part of v that a slice takes of what v is broadcast to.
  constexpr edge part(int v, const slice_of_value& p) {
    const node_data n = g_.data(v);
    const shape& shown = g_.data(p.node).spec.shape;
    const int lacks = p.from.rank - n.spec.shape.rank;
    tensor_spec spec{n.spec.dtype, {}};
    slice_positions own;
    bool whole = true;
    for (int a = 0, to = 0; a < p.from.rank; to += !p.axes[a].single, ++a) {
      if (a < lacks) continue;
      const bool one = n.spec.shape[a - lacks] == 1, takes_all = p.takes_all(a) || (one && !p.axes[a].single);
      whole = whole && takes_all;
      if (takes_all) own.add_whole(n.spec.shape[a - lacks]);
      else if (one) own.add(0, 1, 1, true);
      else own.add_of(g_.node(p.node).attributes(), a);
      if (!p.axes[a].single) spec.shape.push_back(takes_all ? n.spec.shape[a - lacks] : shown[to]);
    }
    if (whole) return renamed({v, 0});
    for (const auto& known : made_)
      if (known.node == v && known.slice == p) return known.value;
    list<edge> inputs;
    if (apart_[v])
      for (const auto& e : g_.inputs_of(v)) inputs.push_back(part(e.node, p));
    else inputs.push_back(renamed({v, 0}));
    out_.here = n.at;
    const edge made =
        apart_[v] ? out_.add(*n.kind, spec, inputs, g_.node(v).attributes())
                  : with_attributes(own, [&](stretch<attribute_view> with) { return out_.add(ops::strided_slice, spec, inputs, with); });
    out_.here = {};
    made_.push_back({v, p, made});
    return made;
  }

  struct made_part {
    int node;
    slice_of_value slice;
    edge value;
  };
  // So many ops are computed again rather than that what they make is stored.
  static constexpr int most_again = 8, too_many = 64;
  const Graph& g_;
  given_extents given_;
  graph out_;
  list<shape> extents_;  // if any windows were looked at
  list<char> apart_;
  list<list<slice_of_value>> parts_;
  list<int> renamed_;
  list<made_part> made_;
};

}  // namespace jig::detail
