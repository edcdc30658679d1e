// SPDX-License-Identifier: MIT
#pragma once
// How a loop or reduction of a region runs on some of its places: on all of them as one run of memory, one after the other, or by its nest.

#include <jig/eval/chunk_operands.hpp>
#include <jig/eval/nest_reduce.hpp>

namespace jig::detail {

/// A loop whose leaves are one element or lie as its space does: all places are one run.
template <class P, int Region, int S>
struct run_of_places {
  using at = chunk_operands<P, Region>;
  using own = step<P, S>;

  run_of_places(const frame<P>&, char*, index) {}
  [[gnu::always_inline]] static void run(const frame<P>& fr, char* memory, index first, index n) {
    const nest_pointers<own> p = at::template all<own>(fr, memory, first);
    run_loop<own>(p.leaf, p.root, n * at::template size<own::plan.space>(fr));
  }
};

/// A step whose operands are contiguous at each place.
template <class P, int Region, int S>
struct place_by_place {
  using at = chunk_operands<P, Region>;
  using own = step<P, S, at::axes>;

  // Whether rows of a chunk are reduced together, whose length the call tells.
  static constexpr bool totals_together = [] {
    if constexpr (own::plan.kind == step_kind::loop || own::known_size >= 0 || at::most_rows == 1) return false;
    else return row_totals<own>::possible;
  }();

  // Whether rows go through a loop that is here, whose length the call tells: a call for each would cost more than short ones do.
  static constexpr bool rows_in_place = own::plan.kind == step_kind::loop && own::known_size < 0 && stores_some<own>;
  static constexpr index longest_in_place = reads_some<own> ? 4 * step_lanes<own> : step_lanes<own>;

  place_by_place(const frame<P>&, char*, index) {}
  [[gnu::always_inline]] static void run(const frame<P>& fr, char* memory, index first, index n) {
    const index size = at::template size<own::plan.space>(fr);
    const auto row = [&](index k) __attribute__((always_inline)) { return at::template all<own>(fr, memory, first + k, k); };
    if constexpr (rows_in_place) {
      if (size <= longest_in_place) {
        for (index k = 0; k < n; ++k) {
          const nest_pointers<own> p = row(k);
          loop_some<own>(p.leaf, p.root, size, root_numbers<own>());
        }
        return;
      }
    }
    index done = 0;
    if constexpr (totals_together) done = row_totals<own>::run(row, n, size);
    for (index k = done; k < n; ++k) {
      const nest_pointers<own> p = row(k);
      if constexpr (own::plan.kind == step_kind::loop) run_loop<own, own::known_size>(p.leaf, p.root, size);
      else reduce_all<own, own::known_size>(p.leaf, p.root, size);
    }
  }
};

/// A step whose nest goes through many places at a time.
template <class P, int Region, int S>
struct nest_of_places {
  using at = chunk_operands<P, Region>;
  using own = step<P, S>;
  static constexpr bool is_loop = own::plan.kind == step_kind::loop;
  using nested = typename std::conditional_t<is_loop, std::type_identity<loop_of_nest<own>>, std::type_identity<nest_reduction<own>>>::type;
  using rows = typename nested::rows;
  using Axes = typename nested::Axes;
  static constexpr auto& axes = Axes::axes;

  /// Places along the first axis of the nest at one of the region.
  static constexpr index places = [] {
    index n = 1;
    for (int a = at::axes; axes.rank > 0 && a <= axes.last[0]; ++a) n *= P::extents(own::plan.space)[a];
    return n;
  }();
  /// Whether all axes of the region are the first axis of the nest, with or without axes inside of them.
  static constexpr bool has_axes = [] {
    if (axes.rank == 0 || axes.reduced[0] || axes.stride[0][0] == known_at_call) return false;
    for (int a = 0; a < axes.last[0] - axes.count[0] + 1; ++a)
      if (P::extents(own::plan.space)[a] != 1) return false;
    for (int a = axes.last[0] + 1; a < at::axes; ++a)
      if (P::extents(own::plan.space)[a] != 1) return false;
    for (int o = 0; o < own::leaves + own::roots; ++o)
      for (int a = 0; a < axes.rank; ++a)
        if (axes.stride[o][a] == known_at_call) return false;
    return true;
  }();
  /// Whether so many places can run at a time, and more.
  static constexpr bool takes(index least) {
    if constexpr (!has_axes) return false;
    else if constexpr (is_loop)
      return flat_nest<own>::block.registers > 0 && flat_nest<own>::block.axis >= 0 && flat_nest<own>::block.rows <= least;
    else return nested::chosen.lanes != reduction_lanes::none && (nested::chosen.axis > 0 || nested::least_places <= least * places);
  }

  /// So many places, or more, run by it if it takes them at all.
  static constexpr index fewest() {
    index n = 1;
    if constexpr (is_loop) {
      if (flat_nest<own>::block.axis == 0 && !nested::loop::takes_few) n = flat_nest<own>::block.rows;
    } else {
      if (nested::chosen.axis == 0 && nested::chosen.lanes == reduction_lanes::kept) n = nested::least_places;
    }
    return (n + places - 1) / places;
  }

  nest_of_places(const frame<P>&, char*, index) {}
  [[gnu::always_inline]] static void run(const frame<P>& fr, char* memory, index first, index n) {
    const Axes extents(fr);
    const nest_pointers<rows> p = at::template all<rows>(fr, memory, first);
    if constexpr (is_loop) nested::run_part(extents, p, n * places);
    else nested::run_part(extents, p, n * places, nested::reduced_count(extents));
  }
};

}  // namespace jig::detail
