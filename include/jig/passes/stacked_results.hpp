// SPDX-License-Identifier: MIT
#pragma once
// What is computed of tensors that are stacked is computed of each of them, and stacked last: `2 * stack<1>(x, y, z)` of points becomes
// `stack<1>(2 * x, 2 * y, 2 * z)`, so that a loop over points holds their components in registers, also where they are taken apart again.
// So is the product of points with a small matrix that is taken apart.

#include <jig/passes/extents.hpp>
#include <jig/passes/merge_common_subexpressions.hpp>
#include <jig/passes/parts_of_values.hpp>
#include <jig/passes/short_reductions.hpp>

namespace jig::detail {

/// Whether v multiplies many points with a small matrix.
constexpr bool multiplies_points(const graph_view& g, int v) {
  return is_op(*g.data(v).kind, ops::matmul) && length_of_few(g, v) > 0 && g.data(v).spec.shape.rank == 2 &&
         g.data(v).spec.shape[1] <= most_neighbours && has_many_results(g, v);
}
constexpr bool may_have_stacked_results(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    if (multiplies_points(g, v)) return true;
    if (g.data(v).kind->is(fact::elementwise))
      for (const auto& e : g.inputs_of(v)) {
        const bool shows = is_op(*g.data(e.node).kind, ops::strided_slice);
        if (stacked_parts(g, shows ? g.inputs_of(e.node)[0].node : e.node) > 0) return true;
      }
  }
  return false;
}

template <class Graph>
class stacked_results : graph_of_neighbours<Graph> {
  using base = graph_of_neighbours<Graph>;
  using base::g_, base::out_, base::renamed_, base::renamed, base::extent_along, base::is_given, base::work_of, base::neighbour,
      base::know_neighbour, base::combined_neighbours, base::packs_along, base::extents_;

 public:
  constexpr stacked_results(const Graph& g, const given_extents& given)
      : base(g),
        given_(given),
        uses_(use_counts(g)),
        kind_(g.size()),
        from_end_(g.size()),
        in_parts_(g.size()),
        whole_(g.size()),
        taken_apart_(g.size()),
        in_functions_(g.size()) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    bool any = false;
    extents_ = find_extents<Graph>(g_, given_).shapes;
    find_taken_apart();
    for (int v = 0; v < g_.size(); ++v) {
      classify(v);
      any = any || (kind_[v] == kind::stacked && !is_join(*g_.data(v).kind));
    }
    if (!any) return {};
    find_readers();
    for (int v = 0; v < g_.size(); ++v) {
      if (!whole_[v] && !in_parts_[v]) continue;
      if (kind_[v] == kind::shown) know_neighbours_of_slice(v);
      if (multiplies(v)) know_neighbours_of_product(v);
      if (kind_[v] == kind::reduced) know_neighbour(v, from_end_[v], 0, combined_neighbours(v, from_end_[v], false));
      if (whole_[v]) renamed_[v] = whole(v);
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    // Columns of memory may have been shown before.
    return merge_common_subexpressions(out_.view());
  }

 private:
  // How a value has parts along an axis: it is stacked of them, or computed of what is, a slice of such a value with or without that axis,
  // or has one place there and is reduced of them, or computed of what is.
  enum class kind : char { undivided, stacked, shown, taken, reduced, alone };

  constexpr void classify(int v) {
    const node_data& n = g_.data(v);
    if (stacked_parts(g_, v) > 0) {
      const int from_end = n.spec.shape.rank - 1 - joining_axis(g_, v);
      if (packs_along(v, from_end)) be(v, kind::stacked, from_end);
      return;
    }
    if (n.more_specs.count > 0 || n.kind->is(fact::stateful) || is_storage(n.spec.dtype)) return;
    for (const auto& e : g_.inputs_of(v))
      if (e.port != 0) return;
    if (g_.inputs_of(v).empty()) return;
    if (n.kind->is(fact::elementwise)) return classify_elementwise(v);
    const int of = g_.inputs_of(v)[0].node, from_end = from_end_[of];
    if (multiplies_points(g_, v)) return classify_product(v);
    if (!is_stacked(of)) return;
    if (is_op(*n.kind, ops::strided_slice)) {
      const slice_of_value slice(g_, v);
      const int axis = slice.from.rank - 1 - from_end;
      for (int a = 0; a < slice.from.rank; ++a)
        if (a != axis && !slice.takes_all(a)) return;
      if (slice.axes[axis].single) be(v, kind::taken, from_end);
      else if (slice.axes[axis].step == 1 && n.spec.shape[axis] > 0) be(v, kind::shown, from_end);
    } else if (axis_of_few(g_, v) == from_end && g_.node(v).attribute("keep_dims").values[0] != 0) {
      be(v, kind::reduced, from_end);
    }
  }
  constexpr void classify_elementwise(int v) {
    const shape& whole = g_.data(v).spec.shape;
    for (const auto& e : g_.inputs_of(v)) {
      if (kind_[e.node] == kind::undivided || kind_[e.node] == kind::taken || !(g_.spec(e).shape == whole)) continue;
      const int from_end = from_end_[e.node];
      const index parts = extent_along(v, from_end);
      if (!all_in_parts(v, from_end, parts)) continue;
      if (parts > 1) budget_ -= parts;
      return be(v, parts > 1 ? kind::stacked : kind::alone, from_end);
    }
  }
  constexpr void classify_product(int v) {
    const int points = g_.inputs_of(v)[0].node, matrix = g_.inputs_of(v)[1].node;
    const index n = length_of_few(g_, v), columns = extent_along(v, 0);
    const bool has_parts = is_stacked(points) && from_end_[points] == 0;
    if (!(has_parts || taken_apart_[v]) || in_functions_[v] || !is_given(matrix) || n * columns > budget_ || !has_parts_of(points, 0, n))
      return;
    budget_ -= n * columns;
    be(v, kind::stacked, 0);
  }
  constexpr bool multiplies(int v) const { return kind_[v] == kind::stacked && is_op(*g_.data(v).kind, ops::matmul); }
  // Which values somebody takes apart along the last axis, or adds up there, in a loop, and which are arguments of functions such as exp:
  // registers that hold a matrix are too few for these, too.
  constexpr void find_taken_apart() {
    for (int v = g_.size(); v-- > 0;) {
      if (g_.inputs_of(v).empty()) continue;
      const edge from = g_.inputs_of(v)[0];
      const node_data& n = g_.data(v);
      if (is_op(*n.kind, ops::strided_slice)) {
        const slice_of_value slice(g_, v);
        if (slice.from.rank > 0 && !slice.takes_all(slice.from.rank - 1)) taken_apart_[from.node] = 1;
      } else if (axis_of_few(g_, v) == 0) {
        taken_apart_[from.node] = 1;
      } else if (n.kind->is(fact::elementwise)) {
        for (const auto& e : g_.inputs_of(v)) {
          if (!(g_.spec(e).shape == n.spec.shape)) continue;
          taken_apart_[e.node] |= taken_apart_[v];
          in_functions_[e.node] |= static_cast<char>(in_functions_[v] | n.kind->is(fact::lanes_only));
        }
      }
    }
  }
  // Whether all that an op reads has parts, lies in memory, or is easily computed in parts.
  constexpr bool all_in_parts(int v, int from_end, index parts) const {
    if (parts > budget_) return false;
    for (const auto& e : g_.inputs_of(v))
      if (!has_parts_of(e.node, from_end, parts)) return false;
    return true;
  }
  constexpr bool has_parts_of(int v, int from_end, index parts) const {
    constexpr int most_again = 4, most = 32;
    if (is_storage(g_.data(v).spec.dtype)) return false;
    if (g_.data(v).spec.shape.rank <= from_end) return true;
    const bool has_parts = kind_[v] != kind::undivided && kind_[v] != kind::taken && from_end_[v] == from_end;
    if (has_parts && (extent_along(v, from_end) == 1 || extent_along(v, from_end) == parts)) return true;
    return work_of(v, from_end, parts) <= (uses_[v] == 1 ? most : most_again);
  }
  constexpr bool is_stacked(int v) const {
    return kind_[v] == kind::stacked || (kind_[v] == kind::shown && extent_along(v, from_end_[v]) > 1);
  }
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
      if (!computes && kind_[v] == kind::undivided) whole_[v] = 1;
      if (kind_[v] == kind::undivided) {
        if (whole_[v]) read_whole(v);
        if (computes) read_parts(v, in_parts_[v]);
      } else if (whole_[v] || in_parts_[v]) {
        if (multiplies(v)) {
          in_parts_[g_.inputs_of(v)[0].node] |= 1;
          whole_[g_.inputs_of(v)[1].node] = 1;
        } else if (is_op(*n.kind, ops::pack) || (is_join(*n.kind) && whole_[v])) {
          read_whole(v);
        } else {
          read_parts(v, 1 << from_end_[v]);
        }
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
  constexpr void know_neighbours_of_product(int v) {
    const auto inputs = g_.inputs_of(v);
    const tensor_spec spec = g_.data(v).spec;
    const bool transposed = axis_of_product(g_, v, 1) == 1;
    for (index j = 0; j < spec.shape[1]; ++j) {
      edge sum;
      for (index k = 0; k < length_of_few(g_, v); ++k) {
        const edge factors[] = {neighbour(inputs[0].node, 0, k, false), transposed ? element(inputs[1], j, k) : element(inputs[1], k, j)};
        tensor_spec of_column{spec.dtype, {}};
        of_column.shape.push_back(spec.shape[0]);
        const edge next[] = {sum, out_.add(ops::multiply, of_column, factors)};
        sum = k == 0 ? next[1] : out_.add(ops::add, of_column, next);
      }
      know_neighbour(v, 0, j, sum);
    }
  }
  constexpr edge element(const edge& matrix, index i, index j) {
    slice_positions p;
    p.add(i, 1, 1, true);
    p.add(j, 1, 1, true);
    const edge from = renamed(matrix);
    const tensor_spec spec{g_.spec(matrix).dtype, {}};
    return with_attributes(p, [&](stretch<attribute_view> with) { return out_.add(ops::strided_slice, spec, {&from, 1}, with); });
  }
  constexpr int whole(int v) {
    const int from_end = from_end_[v];
    const tensor_spec spec = g_.data(v).spec;
    const index axis = spec.shape.rank - 1 - from_end;
    switch (kind_[v]) {
      case kind::taken: {
        const int of = g_.inputs_of(v)[0].node;
        const slice_of_value slice(g_, v);
        const int along = slice.from.rank - 1 - from_end;
        return neighbour(of, from_end, first_place(slice.axes[along], slice.from[along]), false).node;
      }
      case kind::stacked:
      case kind::shown:
      case kind::reduced:
      case kind::alone: {
        if (is_join(*g_.data(v).kind)) break;
        list<edge> made;
        for (index k = 0; k < spec.shape[static_cast<int>(axis)]; ++k) made.push_back(neighbour(v, from_end, k, false));
        const attribute_view along{made.size() == 1 ? "dim" : "axis", attribute_kind::integer, {&axis, 1}, {}, {}};
        return out_.add(made.size() == 1 ? ops::expand_dims : ops::pack, spec, made, {&along, 1}).node;
      }
      case kind::undivided: break;
    }
    return copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); });
  }

  given_extents given_;
  list<int> uses_;
  list<kind> kind_;
  list<int> from_end_, in_parts_;
  list<char> whole_, taken_apart_, in_functions_;
  index budget_ = 96;  // how many parts of elementwise ops there may be: compilers follow all of them
};

}  // namespace jig::detail
