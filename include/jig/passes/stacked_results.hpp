// SPDX-License-Identifier: MIT
#pragma once
// What is computed of tensors that are stacked is computed of each of them, and stacked last: `2 * stack<1>(x, y, z)` of points becomes
// `stack<1>(2 * x, 2 * y, 2 * z)`, so that a loop over points holds their components in registers, also where they are taken apart again.

#include <jig/passes/merge_common_subexpressions.hpp>
#include <jig/passes/parts_of_values.hpp>

namespace jig::detail {

constexpr bool may_have_stacked_results(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (g.data(v).kind->is(fact::elementwise))
      for (const auto& e : g.inputs_of(v)) {
        const bool shows = is_op(*g.data(e.node).kind, ops::strided_slice);
        if (stacked_parts(g, shows ? g.inputs_of(e.node)[0].node : e.node) > 0) return true;
      }
  return false;
}

template <class Graph>
class stacked_results : graph_of_neighbours<Graph> {
  using base = graph_of_neighbours<Graph>;
  using base::g_, base::out_, base::renamed_, base::renamed, base::extent_along, base::work_of, base::neighbour, base::know_neighbour,
      base::combined_neighbours;

 public:
  constexpr explicit stacked_results(const Graph& g)
      : base(g), uses_(use_counts(g)), kind_(g.size()), from_end_(g.size()), in_parts_(g.size()), whole_(g.size()) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    bool any = false;
    for (int v = 0; v < g_.size(); ++v) {
      classify(v);
      any = any || (kind_[v] == stacked && g_.data(v).kind->is(fact::elementwise));
    }
    if (!any) return {};
    find_readers();
    for (int v = 0; v < g_.size(); ++v) {
      if (!whole_[v] && !in_parts_[v]) continue;
      if (kind_[v] == shown) know_neighbours_of_slice(v);
      if (kind_[v] == reduced) know_neighbour(v, from_end_[v], 0, combined_neighbours(v, from_end_[v], false));
      if (whole_[v]) renamed_[v] = whole(v);
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    // Columns of memory may have been shown before.
    return merge_common_subexpressions(out_.view());
  }

 private:
  // How a value has parts along an axis: it is stacked of them, a slice of such a value with or without that axis, or has one place there
  // and is reduced of them, or computed of what is.
  enum kind : char { none, stacked, shown, taken, reduced, column };

  constexpr void classify(int v) {
    const node_data& n = g_.data(v);
    if (stacked_parts(g_, v) > 0) return be(v, stacked, n.spec.shape.rank - 1 - joining_axis(g_, v));
    if (n.more_specs.count > 0 || n.kind->is(fact::stateful) || is_storage(n.spec.dtype)) return;
    for (const auto& e : g_.inputs_of(v))
      if (e.port != 0) return;
    if (g_.inputs_of(v).empty()) return;
    if (n.kind->is(fact::elementwise)) return classify_elementwise(v);
    const int of = g_.inputs_of(v)[0].node, from_end = from_end_[of];
    if (!is_stacked(of)) return;
    if (is_op(*n.kind, ops::strided_slice)) {
      const slice_of_value slice(g_, v);
      const int axis = slice.from.rank - 1 - from_end;
      for (int a = 0; a < slice.from.rank; ++a)
        if (a != axis && !slice.takes_all(a)) return;
      if (slice.axes[axis].single) be(v, taken, from_end);
      else if (slice.axes[axis].step == 1 && n.spec.shape[axis] > 0) be(v, shown, from_end);
    } else if (axis_of_few(g_, v) == from_end && g_.node(v).attribute("keep_dims").values[0] != 0) {
      be(v, reduced, from_end);
    }
  }
  constexpr void classify_elementwise(int v) {
    const shape& whole = g_.data(v).spec.shape;
    for (const auto& e : g_.inputs_of(v)) {
      if (kind_[e.node] == none || kind_[e.node] == taken || !(g_.spec(e).shape == whole)) continue;
      const int from_end = from_end_[e.node];
      const index parts = extent_along(v, from_end);
      if (!all_in_parts(v, from_end, parts)) continue;
      if (parts > 1) budget_ -= parts;
      return be(v, parts > 1 ? stacked : column, from_end);
    }
  }
  // Whether all that an op reads has parts, lies in memory, or is easily computed in parts.
  constexpr bool all_in_parts(int v, int from_end, index parts) const {
    constexpr int most_again = 4, most = 32;
    if (parts > budget_) return false;
    for (const auto& e : g_.inputs_of(v)) {
      if (is_storage(g_.spec(e).dtype)) return false;
      if (g_.spec(e).shape.rank <= from_end) continue;
      const bool has_parts = kind_[e.node] != none && kind_[e.node] != taken && from_end_[e.node] == from_end;
      if (has_parts && (extent_along(e.node, from_end) == 1 || extent_along(e.node, from_end) == parts)) continue;
      if (work_of(e.node, from_end, parts) > (uses_[e.node] == 1 ? most : most_again)) return false;
    }
    return true;
  }
  constexpr bool is_stacked(int v) const { return kind_[v] == stacked || (kind_[v] == shown && extent_along(v, from_end_[v]) > 1); }
  constexpr void be(int v, kind k, int from_end) {
    kind_[v] = k;
    from_end_[v] = from_end;
  }

  // Finds which values somebody reads as a whole, and which along which axes in parts.
  constexpr void find_readers() {
    for (const auto& e : g_.outputs()) whole_[e.node] = 1;
    for (int v = g_.size(); v-- > 0;) {
      const node_data& n = g_.data(v);
      const bool computes = n.kind->is(fact::elementwise) && n.more_specs.count == 0 && !n.kind->is(fact::stateful);
      if (!computes && kind_[v] == none) whole_[v] = 1;
      if (kind_[v] == none) {
        if (whole_[v]) read_whole(v);
        if (computes) read_parts(v, in_parts_[v]);
      } else if (whole_[v] || in_parts_[v]) {
        if (is_op(*n.kind, ops::pack) || (is_join(*n.kind) && whole_[v])) read_whole(v);
        else read_parts(v, 1 << from_end_[v]);
      }
    }
  }
  constexpr void read_whole(int v) {
    for (const auto& e : g_.inputs_of(v)) whole_[e.node] = 1;
  }
  constexpr void read_parts(int v, int axes) {
    for (const auto& e : g_.inputs_of(v))
      for (int a = 0; a < max_rank; ++a) {
        if ((axes >> a & 1) == 0) continue;
        if (g_.spec(e).shape.rank <= a) whole_[e.node] = 1;
        else in_parts_[e.node] |= 1 << a;
      }
  }

  constexpr void know_neighbours_of_slice(int v) {
    const int of = g_.inputs_of(v)[0].node, from_end = from_end_[v];
    const slice_of_value slice(g_, v);
    const int axis = slice.from.rank - 1 - from_end;
    const index first = slice.takes_all(axis) ? 0 : first_place(slice.axes[axis], slice.from[axis]);
    for (index k = 0; k < extent_along(v, from_end); ++k) know_neighbour(v, from_end, k, neighbour(of, from_end, first + k, false));
  }
  constexpr int whole(int v) {
    const int from_end = from_end_[v];
    const tensor_spec spec = g_.data(v).spec;
    const index axis = spec.shape.rank - 1 - from_end;
    switch (kind_[v]) {
      case taken: {
        const int of = g_.inputs_of(v)[0].node;
        const slice_of_value slice(g_, v);
        const int along = slice.from.rank - 1 - from_end;
        return neighbour(of, from_end, first_place(slice.axes[along], slice.from[along]), false).node;
      }
      case stacked:
      case shown:
      case reduced:
      case column: {
        if (is_join(*g_.data(v).kind)) break;
        list<edge> made;
        for (index k = 0; k < spec.shape[static_cast<int>(axis)]; ++k) made.push_back(neighbour(v, from_end, k, false));
        const attribute_view along{made.size() == 1 ? "dim" : "axis", attribute_kind::integer, {&axis, 1}, {}, {}};
        return out_.add(made.size() == 1 ? ops::expand_dims : ops::pack, spec, made, {&along, 1}).node;
      }
      case none: break;
    }
    return copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); });
  }

  list<int> uses_;
  list<kind> kind_;
  list<int> from_end_, in_parts_;
  list<char> whole_;
  index budget_ = 96;  // how many parts of elementwise ops there may be: compilers follow all of them
};

}  // namespace jig::detail
