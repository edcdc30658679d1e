// SPDX-License-Identifier: MIT
#pragma once
// What is computed of tensors that are joined along an axis is computed of their parts, and joined last: of `x - concat<0>(last, others)`,
// which takes from every place the one before it, no loop stores what is joined.

#include <jig/passes/constant_positions.hpp>
#include <jig/passes/extents.hpp>
#include <jig/passes/joined_rows.hpp>
#include <jig/passes/neighbours.hpp>

#include <algorithm>

namespace jig::detail {

constexpr bool may_have_joined_results(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    if (!g.data(v).kind->is(fact::elementwise)) continue;
    for (const auto& e : g.inputs_of(v))
      if (is_op(*g.data(e.node).kind, ops::concat) && has_many_results(g, e.node)) return true;
  }
  return false;
}

/// Makes a graph anew in which what is computed of joins along one axis, and of nothing but that a result, is computed of parts.
template <class Graph>
class joined_results {
 public:
  constexpr joined_results(const Graph& g, const given_extents& given)
      : g_(g), found_(find_extents<Graph>(g, given)), in_parts_(g.size()), pieces_(g.size()) {}

  /// The graph anew; an empty one if there is nothing to do.
  constexpr graph run() {
    find_axis();
    if (from_end_ < 0) return {};
    for (int v = 0; v < g_.size(); ++v) in_parts_[v] = joins(v) || computes(v);
    while (drop()) {
    }
    if (!find_cuts()) return {};
    for (int v = 0; v < g_.size(); ++v) {
      if (!in_parts_[v]) renamed_.push_back(copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); }));
      else renamed_.push_back(is_join_of(v) ? -1 : computed(v));
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    if (!fine_) return {};
    return std::move(out_);
  }

 private:
  // A place between two elements along the axis, counted from the start or from the end.
  struct place {
    index offset = 0;
    bool from_end = false;
    constexpr bool operator==(const place&) const = default;
  };
  static constexpr std::size_t most_parts = 4, most_pieces = 5;

  constexpr edge renamed(const edge& e) const { return {renamed_[at(e.node)], e.port}; }
  constexpr bool is_join_of(int v) const { return is_op(*g_.data(v).kind, ops::concat); }
  // The extent of a value along the axis that is so many before the last one; 1 if there is no such axis.
  constexpr index extent_of(int v) const {
    const shape& s = found_.shapes[v];
    return s.rank > from_end_ ? s[s.rank - 1 - from_end_] : 1;
  }

  // The axis along which, and of what extent, something is joined that others are computed of.
  constexpr void find_axis() {
    for (int v = 0; v < g_.size() && from_end_ < 0; ++v) {
      if (!g_.data(v).kind->is(fact::elementwise)) continue;
      for (const auto& e : g_.inputs_of(v)) {
        if (!is_join_of(e.node) || !has_many_results(g_, e.node)) continue;
        const int axis = joining_axis(g_, e.node);
        const index run = row_elements(g_.spec(e).shape, axis);
        if (axis > 0 && run > 0 && run < fewest_joined) continue;
        from_end_ = g_.spec(e).shape.rank - 1 - axis;
        extent_ = extent_of(e.node);
        break;
      }
    }
  }
  constexpr bool joins(int v) const {
    const auto parts = g_.inputs_of(v);
    if (!is_join_of(v) || parts.size() > most_parts || g_.data(v).spec.shape.rank - 1 - joining_axis(g_, v) != from_end_) return false;
    int unknown = 0;
    for (const auto& e : parts) {
      if (e.port != 0) return false;
      unknown += !is_static_extent(extent_of(e.node));
    }
    return unknown == (is_static_extent(extent_) ? 0 : 1) && extent_of(v) == extent_;
  }
  constexpr bool computes(int v) const {
    const node_data& n = g_.data(v);
    if (!n.kind->is(fact::elementwise) || n.kind->is(fact::stateful) || n.more_specs.count > 0 || extent_of(v) != extent_) return false;
    for (const auto& e : g_.inputs_of(v))
      if (e.port != 0 || (extent_of(e.node) != 1 && extent_of(e.node) != extent_)) return false;
    return true;
  }
  // Takes values out that others need whole, and results that are computed of nothing that is joined. Whether there were any.
  constexpr bool drop() {
    list<char> whole(g_.size()), of_joins(g_.size());
    for (int v = 0; v < g_.size(); ++v)
      if (!in_parts_[v] || is_join_of(v))
        for (const auto& e : g_.inputs_of(v)) whole[e.node] = 1;
    list<char> read(g_.size());
    for (int v = 0; v < g_.size(); ++v)
      for (const auto& e : g_.inputs_of(v)) read[e.node] = 1;
    for (int v = 0; v < g_.size(); ++v) {
      if (!in_parts_[v]) continue;
      of_joins[v] = is_join_of(v);
      for (const auto& e : g_.inputs_of(v)) of_joins[v] |= of_joins[e.node];
    }
    for (const auto& e : g_.outputs()) {
      read[e.node] = 1;
      if (is_join_of(e.node) || !of_joins[e.node]) whole[e.node] = 1;
    }
    bool any = false;
    for (int v = 0; v < g_.size(); ++v) {
      if (!in_parts_[v] || (read[v] && !whole[v])) continue;
      in_parts_[v] = 0;
      any = true;
    }
    return any;
  }

  // How much of the axis the parts of a join take whose extents are known.
  constexpr index known_of(int join) const {
    index all = 0;
    for (const auto& e : g_.inputs_of(join))
      if (is_static_extent(extent_of(e.node))) all += extent_of(e.node);
    return all;
  }
  // Where the parts of a join meet, its ends included. What only the call knows is reached from the end.
  constexpr list<place> bounds_of(int join) const {
    list<place> out;
    place now;
    out.push_back(now);
    for (const auto& e : g_.inputs_of(join)) {
      const index n = extent_of(e.node);
      if (!is_static_extent(n)) now = {known_of(join) - now.offset, true};
      else now.offset += now.from_end ? -n : n;
      out.push_back(now);
    }
    return out;
  }
  // All places where parts meet, in their order; whether there is anything to do.
  constexpr bool find_cuts() {
    index most = 0, first = 0, last = 0;
    for (int v = 0; v < g_.size(); ++v) {
      if (!in_parts_[v] || !is_join_of(v)) continue;
      for (const place& p : bounds_of(v)) {
        if (std::find(cuts_.begin(), cuts_.end(), p) == cuts_.end()) cuts_.push_back(p);
        (p.from_end ? last : first) = (std::max)(p.from_end ? last : first, p.offset);
      }
      most = (std::max)(most, known_of(v));
    }
    std::sort(cuts_.begin(), cuts_.end(), [](const place& a, const place& b) {
      return a.from_end != b.from_end ? b.from_end : a.from_end ? a.offset > b.offset : a.offset < b.offset;
    });
    // Those from the end lie behind those from the start.
    const bool in_order = is_static_extent(extent_) || first + last <= (std::max)(most, found_.fact_of(extent_).least);
    return in_order && cuts_.size() > 2 && cuts_.size() <= most_pieces + 1;
  }
  // Piece k of what v has along the axis.
  constexpr edge piece(const edge& e, std::size_t k) {
    if (extent_of(e.node) == 1) return renamed(e);
    if (!in_parts_[e.node]) return slice(renamed(e), cuts_[0], cuts_[cuts_.size() - 1], k);
    if (!is_join_of(e.node)) return pieces_[e.node][k];
    const list<place> bounds = bounds_of(e.node);
    std::size_t part = 0;
    while (position(bounds[part + 1]) <= k) ++part;
    return slice(renamed(g_.inputs_of(e.node)[part]), bounds[part], bounds[part + 1], k);
  }
  constexpr std::size_t position(const place& p) const {
    return static_cast<std::size_t>(std::find(cuts_.begin(), cuts_.end(), p) - cuts_.begin());
  }
  // Piece k as a slice of a value that lies between two places.
  constexpr edge slice(const edge& from, const place& begin, const place& end, std::size_t k) {
    const place low = cuts_[k], high = cuts_[k + 1];
    if (low == begin && high == end) return from;
    tensor_spec spec = out_.view().spec(from);
    const int axis = spec.shape.rank - 1 - from_end_;
    const index whole = spec.shape[axis];
    slice_positions with;
    for (int a = 0; a < spec.shape.rank; ++a) {
      if (a != axis) with.add_whole(spec.shape[a]);
      else
        with.add_between(low.from_end ? low.offset - end.offset : low.offset - begin.offset, low.from_end,
                         high.from_end ? high.offset - end.offset : high.offset - begin.offset, high.from_end);
    }
    if (is_static_extent(whole)) {
      const auto number = [&](const place& p) { return p.from_end ? whole - (p.offset - end.offset) : p.offset - begin.offset; };
      spec.shape[axis] = number(high) - number(low);
    }
    return with_attributes(with, [&](stretch<attribute_view> a) { return out_.add(ops::strided_slice, spec, {&from, 1}, a); });
  }
  // Node v of pieces, and those joined where it is a result.
  constexpr int computed(int v) {
    const node_data& n = g_.data(v);
    const int axis = n.spec.shape.rank - 1 - from_end_;
    out_.here = n.at;
    index sum = 0;
    for (std::size_t k = 0; k + 1 < cuts_.size(); ++k) {
      list<edge> inputs;
      index extent = 1;
      for (const auto& e : g_.inputs_of(v)) {
        inputs.push_back(piece(e, k));
        const shape s = out_.view().spec(inputs.back()).shape;
        const index own = s.rank > from_end_ ? s[s.rank - 1 - from_end_] : 1;
        if (own != 1 && !(is_static_extent(extent) && extent != 1)) extent = own;
      }
      tensor_spec spec = n.spec;
      spec.shape[axis] = extent;
      sum = is_static_extent(sum) && is_static_extent(extent) ? sum + extent : dyn;
      pieces_[v].push_back(out_.add(*n.kind, spec, inputs, g_.node(v).attributes()));
    }
    int joined = -1;
    for (const auto& e : g_.outputs()) {
      if (e.node != v || joined >= 0) continue;
      // Of a known extent that only the call tells of some operands.
      fine_ = fine_ && sum == n.spec.shape[axis];
      const index along = axis;
      const attribute_view with{"axis", attribute_kind::integer, {&along, 1}, {}, {}};
      joined = out_.add(ops::concat, n.spec, pieces_[v], {&with, 1}).node;
    }
    out_.here = {};
    return joined;
  }

  const Graph& g_;
  graph_extents found_;
  graph out_;
  int from_end_ = -1;
  index extent_ = 0;
  bool fine_ = true;  // whether joined pieces have the shape that types tell
  list<char> in_parts_;
  list<list<edge>> pieces_;
  list<place> cuts_;
  list<int> renamed_;
};

}  // namespace jig::detail
