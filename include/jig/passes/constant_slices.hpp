// SPDX-License-Identifier: MIT
#pragma once
// Parts at constant positions, and what drops their axes of one element, as slices that are views: `x(jig::all, 0)` of rows whose number
// only the call knows is read where it lies. Slices of slices are one slice, and those of one of several values that are stacked are of
// that one. This comes before all passes that look through views.

#include <jig/ops/join.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/passes/constant_positions.hpp>
#include <jig/passes/extents.hpp>
#include <jig/passes/prune.hpp>
#include <jig/passes/slice_of_value.hpp>

namespace jig::detail {

constexpr bool slices_slice(const graph_view& g, int v) {
  return is_op(*g.data(v).kind, ops::strided_slice) && is_op(*g.data(g.inputs_of(v)[0].node).kind, ops::strided_slice);
}
/// What a StridedSlice takes, every axis of its input by itself.
constexpr slice_positions positions_of_slice(const graph_view& g, int v) {
  const slice_of_value of(g, v);
  slice_positions out;
  out.exists = true;
  for (int a = 0; a < of.from.rank; ++a) {
    if (of.takes_all(a)) out.add_whole(of.from[a]);
    else out.add_of(g.node(v).attributes(), a);
  }
  return out;
}
constexpr bool takes_all(const slice_positions& p, const shape& of) {
  for (int a = 0; a < p.rank; ++a) {
    const bool to_end = (p.end_mask >> a & 1) != 0 || (is_static_extent(of[a]) && p.end[a] >= of[a]);
    if ((p.shrink_mask >> a & 1) != 0 || p.begin[a] != 0 || p.strides[a] != 1 || !to_end) return false;
  }
  return true;
}
constexpr slice_positions without_axis(const slice_positions& p, int axis) {
  slice_positions out;
  out.exists = true;
  for (int a = 0; a < p.rank; ++a) {
    if (a == axis) continue;
    out.begin[out.rank] = p.begin[a];
    out.end[out.rank] = p.end[a];
    out.strides[out.rank] = p.strides[a];
    out.end_mask |= (p.end_mask >> a & 1) << out.rank;
    out.shrink_mask |= (p.shrink_mask >> a & 1) << out.rank;
    ++out.rank;
  }
  return out;
}
/// The axis along which values are stacked, if a slice takes one of them; otherwise -1.
constexpr int axis_of_part(const graph_view& g, int pack, const slice_positions& p) {
  if (!is_op(*g.data(pack).kind, ops::pack)) return -1;
  const index given = g.node(pack).attribute("axis").values[0];
  const int axis = static_cast<int>(given < 0 ? given + g.data(pack).spec.shape.rank : given);
  const index parts = static_cast<index>(g.inputs_of(pack).size()), place = p.begin[axis];
  return (p.shrink_mask >> axis & 1) != 0 && place >= -parts && place < parts ? axis : -1;
}
constexpr bool may_have_constant_slices(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (slices_at_positions(*g.data(v).kind) ? g.data(g.inputs_of(v)[1].node).kind->is(fact::constant)
        : is_op(*g.data(v).kind, ops::strided_slice)
            ? slices_slice(g, v) || axis_of_part(g, g.inputs_of(v)[0].node, positions_of_slice(g, v)) >= 0
            : false)
      return true;
  return false;
}

// Whether a slice takes all but so many places at both ends, however long the axis is.
constexpr bool is_within(const axis_slice& s) { return !s.single && s.step == 1 && !s.low.from_end && s.high.from_end; }
/// What a slice of a slice takes of what that one is of, if attributes of one slice can say so.
constexpr slice_positions composed_slice(const graph_view& g, int inner, const slice_of_value& outer, stretch<attribute_view> with) {
  const slice_of_value of(g, inner);
  const list<attribute_view> own = g.node(inner).attributes();
  slice_positions out;
  int to = 0;
  for (int a = 0; a < of.from.rank; ++a) {
    const axis_slice &s = of.axes[a], &t = outer.axes[to];
    if (s.single) {
      out.add_of(own, a);
      continue;
    }
    if (of.takes_all(a) && outer.takes_all(to)) {
      out.add_whole(of.from[a]);
    } else if (outer.takes_all(to)) {
      out.add_of(own, a);
    } else if (of.takes_all(a)) {
      out.add_of(with, to);
    } else if (is_static_extent(of.from[a])) {
      // Of a stretch whose type has a wildcard, x(range_of(1, 5)), the length is known all the same.
      const index length = places_of_slice(s, of.from[a]), low = place_on_axis(t, t.low, length), high = place_on_axis(t, t.high, length);
      const index step = t.step < 0 ? -t.step : t.step;
      if (low < 0 || high > length || high <= low) return {};
      out.add(first_place(s, of.from[a]) + first_place(t, length) * s.step, s.step * t.step, (high - low - 1) / step + 1, t.single);
    } else if (is_within(s) && !t.single && t.step == 1 && (t.high.from_end || s.high.offset == 0) &&
               (!t.low.from_end || s.low.offset == 0)) {
      // Where less is left than that, both take nothing.
      const auto place = [&](const axis_position& p) { return p.from_end ? -p.offset - s.high.offset : p.offset + s.low.offset; };
      out.add_between(place(t.low), t.low.from_end, place(t.high), t.high.from_end);
    } else {
      return {};
    }
    ++to;
  }
  out.exists = true;
  return out;
}

/// Makes a graph anew in which parts at constant positions are slices.
template <class Graph>
class constant_slices {
 public:
  constexpr explicit constant_slices(const Graph& g) : g_(g) {}

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      renamed_.push_back(-1);
      if (slices_at_positions(*g_.data(v).kind) && constant_positions(g_, v).exists) continue;  // when somebody needs it
      if (is_op(*g_.data(v).kind, ops::squeeze) && squeezes_slice(v)) continue;
      for (const auto& e : g_.inputs_of(v)) (void)now(e);
      if (!slices_slice_anew(v)) renamed_.back() = copy_node(out_, g_, v, [&](const edge& e) { return now(e); });
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(now(e));
    return std::move(out_);
  }

 private:
  constexpr edge now(const edge& e) {
    if (renamed_[at(e.node)] < 0) add_slice(e.node, now(g_.inputs_of(e.node)[0]), constant_positions(g_, e.node));
    return {renamed_[at(e.node)], e.port};
  }
  // Node v as a slice; of one of several values that are stacked as what that slice shows of it.
  constexpr void add_slice(int v, const edge& from, const slice_positions& p) {
    if (const int axis = axis_of_part(out_.view(), from.node, p); axis >= 0 && parts_agree(from.node)) {
      const auto parts = out_.view().inputs_of(from.node);
      const index place = p.begin[axis];
      const edge part = parts[static_cast<std::size_t>(place < 0 ? place + static_cast<index>(parts.size()) : place)];
      const slice_positions rest = without_axis(p, axis);
      if (part.port != 0 || !takes_all(rest, out_.view().spec(part).shape)) return add_slice(v, part, rest);
      renamed_[at(v)] = part.node;
      return;
    }
    out_.here = g_.data(v).at;
    renamed_[at(v)] = with_attributes(
        p, [&](stretch<attribute_view> with) { return out_.add(ops::strided_slice, g_.data(v).spec, {&from, 1}, with).node; });
    out_.here = {};
  }
  constexpr bool slices_slice_anew(int v) {
    if (!is_op(*g_.data(v).kind, ops::strided_slice)) return false;
    const edge inner = now(g_.inputs_of(v)[0]);
    const graph_view made = out_.view();
    if (const slice_positions own = positions_of_slice(g_, v); axis_of_part(made, inner.node, own) >= 0 && parts_agree(inner.node)) {
      add_slice(v, inner, own);
      return true;
    }
    if (!is_op(*made.data(inner.node).kind, ops::strided_slice)) return false;
    const slice_positions p = composed_slice(made, inner.node, slice_of_value(g_, v), g_.node(v).attributes());
    if (!p.exists) return false;
    const edge from = made.inputs_of(inner.node)[0];
    add_slice(v, from, p);
    return true;
  }
  constexpr bool squeezes_slice(int v) {
    const int slice = g_.inputs_of(v)[0].node;
    const auto axes = g_.node(v).attribute("squeeze_dims").values;
    if (!is_op(*g_.data(slice).kind, ops::slice) || axes.empty()) return false;
    slice_positions p = constant_positions(g_, slice);
    if (!p.exists) return false;
    const shape& part = g_.data(slice).spec.shape;
    for (index listed : axes) {
      const auto a = static_cast<int>(listed < 0 ? listed + part.rank : listed);
      if (part[a] != 1) return false;
      p.shrink_mask |= index{1} << a;
    }
    add_slice(v, now(g_.inputs_of(slice)[0]), p);
    return true;
  }

  // Whether values that are stacked have one shape, as far as is known before a call: else it is a Pack that refuses those that have not.
  constexpr bool parts_agree(int pack) {
    if (out_.view().data(pack).spec.shape.is_static()) return true;
    if (shapes_.size() == 0) shapes_ = find_extents<Graph>(g_, {}).shapes;
    for (int u = 0; u < static_cast<int>(renamed_.size()); ++u) {
      if (renamed_[at(u)] != pack || !is_op(*g_.data(u).kind, ops::pack)) continue;
      const auto parts = g_.inputs_of(u);
      for (const auto& e : parts)
        if (e.port != 0 || !(shapes_[at(e.node)] == shapes_[at(parts[0].node)])) return false;
      return true;
    }
    return false;
  }

  const Graph& g_;
  graph out_;
  list<int> renamed_;
  list<shape> shapes_;  // of the nodes of g, when somebody needs them
};

}  // namespace jig::detail
