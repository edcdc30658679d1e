// SPDX-License-Identifier: MIT
#pragma once
// Where the operands of the steps of a region lie for some of its places: rows, or items of a batch.

#include <jig/eval/nest.hpp>

#include <algorithm>

namespace jig::detail {

/// Region Region of a program, as a row of places that its steps walk through in chunks.
template <class P, int Region>
struct chunk_operands {
  static constexpr planned_region region = P::region(Region);
  /// Places lie along so many leading axes. A tile begins in the middle of a row.
  static constexpr int axes = region.kind == region_kind::epilogue ? region.axes - 1 : region.axes;
  static constexpr int space = P::plan.steps.items[region.first].space;

  /// How many places there are; negative: the call knows.
  static constexpr index known_places = [] {
    index n = 1;
    for (int a = 0; a < axes; ++a) n = n < 0 || P::extents(space)[a] < 0 ? -1 : n * P::extents(space)[a];
    return n;
  }();
  static index places(const frame<P>& fr) {
    index n = 1;
    for (int a = 0; a < axes; ++a) n *= fr(P::extents(space)[a]);
    return n;
  }
  /// The elements that a value has at a place; negative: the call knows.
  static constexpr index known_size(int v) {
    index n = 1;
    for (int a = axes; a < P::extents(v).rank; ++a) n = n < 0 || P::extents(v)[a] < 0 ? -1 : n * P::extents(v)[a];
    return n;
  }
  template <int Node>
  [[gnu::always_inline]] static index size(const frame<P>& fr) {
    if constexpr (known_size(Node) >= 0) return known_size(Node);
    index n = 1;
    for (int a = axes; a < P::extents(Node).rank; ++a) n *= fr(P::extents(Node)[a]);
    return n;
  }

  /// Whether what step S reads goes along with the places; else it is the same at all of them.
  static constexpr bool moves(int s, int v) {
    const shape& own = P::extents(v);
    const int missing = P::extents(P::plan.steps.items[s].space).rank - own.rank;
    for (int a = missing; a < axes; ++a)
      if (own[a - missing] != 1) return true;
    return false;
  }
  static constexpr bool is_local(int v) { return P::value(v).place != place::immediate && P::local_offset(Region, v) >= 0; }

  /// Whether a leaf of a step of rows is contiguous memory at each place, and goes from place to place as the step does or not at all.
  template <class Step>
  static constexpr bool is_plain(int leaf) {
    const int v = Step::node(leaf);
    const planned_value& value = P::value(v);
    const shape &own = P::extents(v), &whole = P::extents(Step::plan.space);
    if (value.place == place::immediate || is_local(v) || own.size() == 1) return true;
    const int missing = whole.rank - own.rank;
    bool same = value.dense && missing == 0, one = value.dense, row = true;
    for (int a = 0; a < whole.rank; ++a) {
      const index e = a < missing ? 1 : own[a - missing];
      same = same && (a >= axes || e == whole[a]);
      one = one && (a >= axes || e == 1);
      row = row && (a < axes || e == whole[a]);
    }
    return (same || one) && (row || Step::table.invariant[leaf]);
  }
  template <class Step>
  static constexpr bool all_plain = []<int... R>(std::integer_sequence<int, R...>) {
    for (int l = 0; l < Step::leaves; ++l)
      if (!is_plain<Step>(l)) return false;
    return (!Step::is_put(R) && ...);
  }(root_numbers<Step>());

  /// How many rows one by one may be a chunk: no more than there is memory for where values are that only the region needs, which has
  /// room for a row, or for a register full of single elements.
  static constexpr index most_rows = [] {
    index most = 16;
    for (int v = 0; v < P::graph.size(); ++v)
      if (is_local(v)) most = known_size(v) == 1 ? (std::min)(most, static_cast<index>(alignment / size_of(P::dtype_at(v)))) : index{1};
    return most;
  }();
  /// Whether a loop of a region of rows has one element in each, so that several rows are one run of memory.
  template <class Step>
  static constexpr bool is_single = Step::plan.kind == step_kind::loop && all_plain<Step> && known_size(Step::plan.space) == 1 &&
                                    !has_strings<Step> && !Step::has_padded_reads;

  /// The first element of a value at a place. What only the region needs is in the memory of the chunk, where the place has number `k`.
  template <int Node, bool Moves>
  [[gnu::always_inline]] static element_at<P, Node>* begin(const frame<P>& fr, char* memory, [[maybe_unused]] index place,
                                                           [[maybe_unused]] index k = 0) {
    using T = element_at<P, Node>;
    if constexpr (P::value(Node).place == place::immediate) return nullptr;
    else if constexpr (is_local(Node)) return reinterpret_cast<T*>(memory + P::local_offset(Region, Node)) + k * size<Node>(fr);
    else if constexpr (Moves) return static_cast<T*>(const_cast<void*>(data_of<P, Node>(fr))) + place * size<Node>(fr);
    else return const_cast<T*>(first_element<P, Node>(fr));
  }
  /// Pointers to all leaves and roots of a step.
  template <class Step>
  [[gnu::always_inline]] static nest_pointers<Step> all(const frame<P>& fr, char* memory, index place, index k = 0) {
    nest_pointers<Step> p;
    [&]<int... L>(std::integer_sequence<int, L...>) {
      ((p.leaf[L] = begin<Step::node(L), moves(Step::number, Step::node(L))>(fr, memory, place, k)), ...);
    }(std::make_integer_sequence<int, Step::leaves>());
    [&]<int... R>(std::integer_sequence<int, R...>) {
      ((p.root[R] = begin<Step::root(R), true>(fr, memory, place, k)), ...);
    }(root_numbers<Step>());
    return p;
  }
};

}  // namespace jig::detail
