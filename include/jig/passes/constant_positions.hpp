// SPDX-License-Identifier: MIT
#pragma once
// Parts at positions that are constants, in the one form that says where they lie: `x[1]`, `element(x, 1)`, `gather<0>(x, 1)`,
// `slice<1>(x, 1)` and `strided_slice` differ no more.

#include <jig/ops/gather.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/slice.hpp>
#include <jig/ops/slice_positions.hpp>
#include <jig/ops/source.hpp>
#include <jig/passes/evaluate.hpp>

namespace jig::detail {

/// Whether a node reads, or adds to, a part of its first input at positions that are another one.
constexpr bool slices_at_positions(const op& kind) { return is_op(kind, ops::gather) || is_op(kind, ops::slice); }
constexpr bool adds_at_positions(const op& kind) { return is_op(kind, ops::gather_add) || is_op(kind, ops::slice_add); }

constexpr bool takes_whole_axis(stretch<index> sizes, int axis) {
  return static_cast<std::size_t>(axis) < sizes.size() && sizes[static_cast<std::size_t>(axis)] == dyn;
}

/// A constant of integers as numbers; none if it is no such constant.
constexpr list<index> constant_numbers(const graph_view& g, const edge& e) {
  list<index> out;
  if (!g.data(e.node).kind->is(fact::constant) || !is_integer(g.spec(e).dtype)) return out;
  for (const auto w : g.node(e.node).attribute("value").words) out.push_back(static_cast<index>(w));
  return out;
}

/// What a node that picks, adds to or replaces a part does as a StridedSlice: if its positions are constants within the axes, one step
/// apart from each other. Of an axis whose extent only the call knows that is all of it.
constexpr slice_positions constant_positions(const graph_view& g, int v) {
  const auto inputs = g.inputs_of(v);
  const op& kind = *g.data(v).kind;
  const bool adds = adds_at_positions(kind), replaces = is_op(kind, ops::slice_update);
  const edge& at = inputs[adds ? 2 : 1];
  const shape &from = g.spec(inputs[0]).shape, &part = adds       ? g.spec(inputs[1]).shape
                                                       : replaces ? g.spec(inputs[2]).shape
                                                                  : g.data(v).spec.shape;
  slice_positions out;
  const list<index> numbers = constant_numbers(g, at);
  if (numbers.empty() || from.size() == 0 || part.size() == 0) return out;
  if (is_op(kind, ops::slice) || is_op(kind, ops::slice_add) || replaces) {
    const auto sizes = g.node(v).attribute("size").values;
    for (int a = 0; a < from.rank; ++a) {
      const index first = numbers[from.rank == 1 ? 0 : a];
      if (first == 0 && takes_whole_axis(sizes, a)) {
        out.add_whole(from[a]);
        continue;
      }
      if (!is_static_extent(from[a]) || !is_static_extent(part[a]) || first < 0 || first > from[a] - part[a]) return {};
      out.add(first, 1, part[a]);
    }
    out.exists = true;
    return out;
  }
  const index given = g.node(v).attribute("axis").values[0], axis = given < 0 ? given + from.rank : given;
  const bool single = g.spec(at).shape.rank == 0;
  const index count = static_cast<index>(numbers.size()), step = count == 1 ? 1 : numbers[1] - numbers[0];
  // Items of a batch have positions of their own.
  const bool batched = !g.node(v).attribute("batch_dims").key.empty();
  if (g.spec(at).shape.rank > 1 || step == 0 || batched || !is_static_extent(from[static_cast<int>(axis)])) return out;
  for (index k = 0; k < count; ++k) {
    if (numbers[k] < 0 || numbers[k] >= from[static_cast<int>(axis)] || numbers[k] != numbers[0] + k * step) return out;
  }
  for (int a = 0; a < axis; ++a) out.add_whole(from[a]);
  out.add(numbers[0], step, count, single);
  out.exists = true;
  return out;
}

/// The value that a node shows of a Pack, where it shows one of those that are side by side there; the edge itself otherwise. `way` gets
/// what is between, beginning with the edge.
constexpr edge seen_in_pack(const graph_view& g, edge e, list<edge>& way) {
  while (true) {
    const op& kind = *g.data(e.node).kind;
    if (!is_op(kind, ops::strided_slice) && !slices_at_positions(kind)) return e;
    const edge pack = g.inputs_of(e.node)[0];
    if (!is_op(*g.data(pack.node).kind, ops::pack)) return e;
    const shape& whole = g.spec(pack).shape;
    const index given = g.node(pack).attribute("axis").values[0];
    const int axis = static_cast<int>(given < 0 ? given + whole.rank : given);
    const auto place = [&](stretch<attribute_view> with) {
      const int axes = static_cast<int>(find_attribute(with, "begin").values.size());
      if (axis >= axes || !slice_of_axis(with, axis).single) return index{-1};
      for (int a = 0; a < axes; ++a) {
        const axis_slice s = slice_of_axis(with, a);
        const bool to_end = s.high.from_end ? s.high.offset == 0 : s.high.offset == whole[a];
        if (a != axis && (s.single || s.step != 1 || s.low.from_end || s.low.offset != 0 || !to_end)) return index{-1};
      }
      return place_on_axis(slice_of_axis(with, axis).low, whole[axis]);
    };
    index k = -1;
    if (is_op(kind, ops::strided_slice)) {
      k = place(g.node(e).attributes());
    } else if (const slice_positions p = constant_positions(g, e.node); p.exists) {
      k = with_attributes(p, place);
    }
    if (k < 0 || k >= whole[axis]) return e;
    way.push_back(e);
    way.push_back(pack);
    e = g.inputs_of(pack.node)[static_cast<std::size_t>(k)];
  }
}

}  // namespace jig::detail
