// SPDX-License-Identifier: MIT
#pragma once
// Parts at positions that are constants, in the one form that says where they lie: `x[1]`, `element(x, 1)`, `gather<0>(x, 1)`,
// `slice<1>(x, 1)` and `strided_slice` differ no more.

#include <jig/ops/gather.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/slice.hpp>
#include <jig/ops/source.hpp>
#include <jig/passes/evaluate.hpp>

namespace jig::detail {

/// The attributes of a StridedSlice.
struct slice_positions {
  bool exists = false;
  index begin[max_rank] = {}, end[max_rank] = {}, strides[max_rank] = {};
  index end_mask = 0, shrink_mask = 0;
  int rank = 0;

  constexpr void add(index first, index step, index count, bool shrinks = false) {
    const index last = first + step * count;
    begin[rank] = first;
    strides[rank] = step;
    end[rank] = last < 0 ? 0 : last;
    if (last < 0) end_mask |= index{1} << rank;
    if (shrinks) shrink_mask |= index{1} << rank;
    ++rank;
  }
  /// What a StridedSlice takes of an axis.
  constexpr void add_of(stretch<attribute_view> attributes, int axis) {
    const auto value = [&](const char* key) { return find_attribute(attributes, key).values[static_cast<std::size_t>(axis)]; };
    const auto mask = [&](const char* key) { return find_attribute(attributes, key).values[0] >> axis & 1; };
    strides[rank] = value("strides");
    begin[rank] = mask("begin_mask") == 0 ? value("begin") : strides[rank] > 0 ? 0 : -1;
    end[rank] = value("end");
    end_mask |= mask("end_mask") << rank;
    shrink_mask |= mask("shrink_axis_mask") << rank;
    ++rank;
  }
  /// All but so many places before and behind.
  constexpr void add_within(index before, index behind) { add_between(before, false, behind, true); }
  /// From one place to another one, each counted from the start or from the end.
  constexpr void add_between(index low, bool low_from_end, index high, bool high_from_end) {
    begin[rank] = low_from_end ? -low : low;
    end[rank] = high_from_end ? -high : high;
    strides[rank] = 1;
    if (high_from_end && high == 0) end_mask |= index{1} << rank;
    ++rank;
  }
  constexpr void add_whole(index extent) {
    add(0, 1, is_static_extent(extent) ? extent : 0);
    if (!is_static_extent(extent)) end_mask |= index{1} << (rank - 1);
  }
};

/// Calls f with the attributes, as long as they last.
template <class F>
constexpr auto with_attributes(const slice_positions& p, F f) {
  const auto count = static_cast<std::size_t>(p.rank);
  constexpr index none = 0;
  const attribute_view with[] = {{"begin", attribute_kind::integers, {p.begin, count}, {}, {}},
                                 {"end", attribute_kind::integers, {p.end, count}, {}, {}},
                                 {"strides", attribute_kind::integers, {p.strides, count}, {}, {}},
                                 {"begin_mask", attribute_kind::integer, {&none, 1}, {}, {}},
                                 {"end_mask", attribute_kind::integer, {&p.end_mask, 1}, {}, {}},
                                 {"shrink_axis_mask", attribute_kind::integer, {&p.shrink_mask, 1}, {}, {}}};
  return f(stretch<attribute_view>(with));
}

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
