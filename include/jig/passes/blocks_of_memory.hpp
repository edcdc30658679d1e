// SPDX-License-Identifier: MIT
#pragma once
// Which values lie among the elements of others as one block: rows of a larger tensor, what a slice or a padding has inside.

#include <jig/core/list.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/pad.hpp>
#include <jig/ops/strided_slice.hpp>

namespace jig::detail {

/// Where the elements of a value lie, in row-major order, among those of a larger one: what is neither before nor behind them. Of a larger
/// value whose size only a call knows there may be less than that: then nothing of the smaller one is left.
struct padded_read {
  bool exists = false;
  index before = 0, behind = 0;  // elements of the larger value
  constexpr bool operator==(const padded_read&) const = default;
};

// Where sizes are known, padded reads are parts of loops that threads do not share.
inline constexpr index most_padded_elements = 65536;
// So few elements wait longer for each other in memory than for what is computed twice. Of extents that only a call knows so many rows may
// be around a part: then most is inside if there is much.
inline constexpr index few_padded_elements = 64;

// The elements that one place of the first axis has; 0 where only a call knows, or where there are none.
constexpr index elements_of_row(const shape& s) {
  index row = 1;
  for (int a = 1; a < s.rank; ++a) row *= is_static_extent(s[a]) ? s[a] : 0;
  return row;
}
// A stretch of a row-major tensor with so many places of the first axis before it and behind it.
constexpr padded_read rows_between(const shape& whole, index before, index behind) {
  const index row = elements_of_row(whole), around = before + behind;
  if (row == 0 || around <= 0) return {};
  if (is_static_extent(whole[0]) ? around >= whole[0] || whole[0] * row >= most_padded_elements : around > few_padded_elements) return {};
  return {true, before * row, behind * row};
}

constexpr bool is_padding(const op& kind) { return is_op(kind, ops::pad) || is_op(kind, ops::pad_like); }
/// Whether a graph has nodes that could become parts of loops.
constexpr bool may_have_padded_reads(const graph_view& g) {
  for (const auto& n : g.nodes_)
    if (is_padding(*n.kind) || changes_slice(*n.kind)) return true;
  return false;
}

/// The padded read of a PadV2 or PadLike; `whole` are the extents of its result.
template <class Graph>
constexpr padded_read padded_read_of(const Graph& g, int v, const shape& whole) {
  const auto paddings = g.node(v).attribute("paddings").values;
  for (std::size_t k = 2; k < paddings.size(); ++k)
    if (paddings[k] != 0) return {};
  return paddings.empty() ? padded_read() : rows_between(whole, paddings[0], paddings[1]);
}

// Places of the first axis.
struct rows_around {
  bool exists = false;
  index before = 0, behind = -1;  // negative: only a call knows
};
/// Which rows of a value a StridedSlice or what changes one takes, if they are in one stretch that begins at a known place.
template <class Graph>
constexpr rows_around rows_of_slice(const Graph& g, int v, const shape& whole, const shape& part) {
  const node_facts facts(g, v);
  const auto with = facts.context().attributes;
  const auto given = static_cast<int>(find_attribute(with, "begin").values.size());
  if (given == 0 || whole.rank != part.rank) return {};
  for (int a = 0; a < whole.rank; ++a) {
    if (a > 0 && whole[a] != part[a]) return {};
    if (a >= given) continue;
    const axis_slice s = slice_of_axis(with, a);
    if (s.single || s.step != 1) return {};
  }
  const axis_slice first = slice_of_axis(with, 0);
  const auto places_from_start = [&](axis_position p) {
    if (!p.from_end) return p.offset;
    return is_static_extent(whole[0]) ? place_on_axis(first, p, whole[0]) : index{-1};
  };
  rows_around rows{true, places_from_start(first.low), -1};
  if (first.high.from_end) rows.behind = -first.high.offset;
  else if (is_static_extent(whole[0])) rows.behind = whole[0] - place_on_axis(first, first.high, whole[0]);
  rows.exists = rows.before >= 0;
  return rows;
}

/// The padded read of a StridedSliceGrad or TensorStridedSliceUpdate of values with these extents.
template <class Graph>
constexpr padded_read read_of_slice(const Graph& g, int v, const shape& whole, const shape& part) {
  if (!whole.is_static() || !part.is_static()) {
    const rows_around rows = rows_of_slice(g, v, whole, part);
    return rows.exists && rows.behind >= 0 ? rows_between(whole, rows.before, rows.behind) : padded_read();
  }
  if (part.size() == 0) return {};
  shape strides = part;
  index first = 0;
  const node_facts facts(g, v);
  ops::strided_slice.restride({facts.context().attributes, whole, row_major_strides(whole), part}, first, strides);
  if (part.size() == 1 && whole.rank == 1)
    return {whole.size() > 1 && whole.size() < most_padded_elements, first, whole.size() - first - 1};
  const shape expected = row_major_strides(part);
  if (whole.rank != part.rank) return {};
  for (int a = 0; a < part.rank; ++a)
    if ((part[a] != 1 && strides[a] != expected[a]) || (a > 0 && whole[a] != part[a])) return {};
  const index row = elements_of_row(whole);
  return row == 0 ? padded_read() : rows_between(whole, first / row, whole[0] - first / row - part[0]);
}

/// Whether a view of dense memory shows a dense block of it, such as some rows, and at which element that begins. Of extents that only a
/// call knows there may be nothing to show: then it may begin behind the memory.
template <class Graph>
constexpr bool shows_block(const Graph& g, int v, const shape& from, const shape& to, index& offset) {
  const op& kind = *g.data(v).kind;
  if (!from.is_static() || !to.is_static()) {
    if (!is_op(kind, ops::strided_slice) || elements_of_row(from) == 0) return false;
    const rows_around rows = rows_of_slice(g, v, from, to);
    if (!rows.exists || rows.before > most_bytes / elements_of_row(from)) return false;
    offset = rows.before * elements_of_row(from);
    return true;
  }
  if (to.size() == 0) return false;
  shape strides = to;
  index first = 0;
  const node_facts facts(g, v);
  kind.restride({facts.context().attributes, from, row_major_strides(from), to}, first, strides);
  const shape expected = row_major_strides(to);
  for (int a = 0; a < to.rank; ++a)
    if (to[a] != 1 && strides[a] != expected[a]) return false;
  offset = first;
  return true;
}

/// Whether the elements of a value lie side by side in row-major order, if it is stored; `dense` says that of the nodes before it,
/// `shape_of` tells their extents.
template <class Graph, class Shape>
constexpr bool lies_dense(const Graph& g, int v, const list<char>& dense, Shape shape_of) {
  const op& kind = *g.data(v).kind;
  if (!kind.is(fact::view)) return true;
  const int from = g.inputs_of(v)[0].node;
  if (!dense[from] || kind.is(fact::keeps_order)) return dense[from] != 0;
  index offset = 0;
  return shows_block(g, v, shape_of(from), shape_of(v), offset);
}

/// Whether every loop over a shape runs through all that it reads as through one run of memory. `shape_of` tells the extents of
/// a node, `is_dense` whether it lies so if it is stored.
template <class Graph, class Shape, class Dense>
constexpr bool loops_are_dense(const Graph& g, const shape& space, Shape shape_of, Dense is_dense) {
  for (int v = 0; v < g.size(); ++v) {
    const op& kind = *g.data(v).kind;
    // A loop may store what is stacked, with what it computes.
    if (is_op(kind, ops::pack))
      for (const auto& e : g.inputs_of(v))
        if (shape_of(e.node) == space && !g.data(e.node).kind->is(fact::elementwise) && !is_dense(e.node)) return false;
    if (!kind.is(fact::elementwise | fact::reduction | fact::dynamic_update)) continue;
    const bool own = kind.is(fact::elementwise) && shape_of(v) == space;
    bool reads = false;
    for (const auto& e : g.inputs_of(v)) {
      const shape& s = shape_of(e.node);
      if (s == space) reads = true;
      if (own && s.size() == 1) continue;
      const bool along = s == space && (g.data(e.node).kind->is(fact::elementwise) || is_dense(e.node));
      if ((own || (s == space && kind.is(fact::reduction))) && !along) return false;
    }
    if (!reads || own) continue;
    if (kind.is(fact::dynamic_update) || (kind.is(fact::elementwise) && !shape_of(v).is_static())) return false;
    if (kind.is(fact::reduction) && space.rank > 1 && !g.node(v).attribute("axes").values.empty()) return false;
  }
  return true;
}

}  // namespace jig::detail
