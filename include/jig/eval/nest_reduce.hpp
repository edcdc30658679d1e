// SPDX-License-Identifier: MIT
#pragma once
// Runs reductions over any axes by their nests.

#include <jig/eval/block_lanes.hpp>
#include <jig/eval/kept_lanes.hpp>
#include <jig/eval/narrow_rows.hpp>
#include <jig/eval/reduction_nest.hpp>
#include <jig/eval/row_lanes.hpp>
#include <jig/eval/rows_at_call.hpp>
#include <jig/eval/spread_leaves.hpp>
#include <jig/eval/twin_leaves.hpp>

namespace jig::detail {

/// Runs a reduction by its nest, which is not empty.
template <class Step>
struct nest_reduction {
  /// Whether it does so in this call.
  [[gnu::always_inline]] static bool fits(const frame<typename Step::program>& fr) { return is_long(fr) && walks_as_planned<Step>(fr); }
  [[gnu::always_inline]] static bool is_long(const frame<typename Step::program>& fr) {
    if constexpr (chosen.lanes == reduction_lanes::kept && !kept::takes_few)
      return is_as_long<Step, chosen.axis, kept::least>(fr, axes) || kept::takes_few_of(reduced_count(Axes(fr)));
    else return true;
  }

  using P = typename Step::program;
  static constexpr reduction_nest chosen = nest_of_reduction<Step>::chosen;
  static constexpr unsigned reduced = axes_of_step<Step>();
  using Axes = nest_extents<Step, reduced>;
  static constexpr auto& axes = Axes::axes;
  // What is the same all along a row is computed once for it.
  static constexpr bool by_row = chosen.lanes == reduction_lanes::row;
  static constexpr int outer = by_row ? axes.last[axes.rank - 1] - axes.count[axes.rank - 1] + 1 : 0;
  using rows = step<P, Step::number, outer>;
  using walk = nest_walk<rows, Axes>;
  using spread = spread_leaves<Step, Axes, walk::first_kept>;
  using kept = kept_lanes<rows, Axes, chosen.axis>;
  using block = block_lanes<rows, Axes, chosen.axis, chosen.rows>;
  using bundle = std::conditional_t<rows_at_call<rows, Axes>::possible, rows_at_call<rows, Axes>,
                                    std::conditional_t<narrow_rows<rows, Axes>::possible, narrow_rows<rows, Axes>, row_bundle<rows, Axes>>>;
  static constexpr bool bundled = by_row && bundle::possible;

  /// Places along the axis of the lanes that may be run as a part of others.
  static constexpr index least_places = [] {
    if constexpr (chosen.lanes == reduction_lanes::kept) return kept::least;
    else return index{chosen.rows};
  }();

  // All kept axes but that of the lanes, of the first one `n` places.
  [[gnu::always_inline]] static void run_part(const Axes& e, const nest_pointers<rows>& p, index n, index count) {
    if constexpr (nest_runs_in_place<Axes>) run_here(e, p, n, count);
    else run_apart(e, p, n, count);
  }
  // Threads and calls share the code. It reads copies of the extents, which results of bytes could alias.
  static void run_apart(const Axes& e, const nest_pointers<rows>& p, index n, index count) {
    const Axes own = e;
    run_here(own, with_twins<rows, Axes, walk::first_kept>(p), n, count);
  }
  [[gnu::always_inline]] static void run_here(const Axes& e, nest_pointers<rows> p, index n, index count) {
    if constexpr (!by_row && walk::first_kept == chosen.axis) {
      run_lanes(e, p, n, count);
    } else if constexpr (bundled && walk::first_kept == axes.rank - 2) {
      bundle::run(e, p, n);
    } else if constexpr (chosen.columns && walk::first_kept == chosen.axis - 1) {
      kept::run_columns(e, p, n, count);
    } else if constexpr (chosen.columns) {
      for (; n > 0; --n) {
        walk::template for_each<walk::first_kept + 1, chosen.axis - 1, false>(
            e, p, [&](const nest_pointers<rows>& at) __attribute__((always_inline)) {
              kept::run_columns(e, at, e.template extent<chosen.axis - 1>(), count);
            });
        walk::template move<walk::first_kept>(e, p, 1);
      }
    } else {
      constexpr int last = by_row ? axes.rank - bundled - bundled : chosen.axis;
      if constexpr (walk::first_kept >= last) {
        run_kept(e, p, count);
      } else {
        for (; n > 0; --n) {
          walk::template for_each<walk::first_kept + 1, last, false>(
              e, p, [&](const nest_pointers<rows>& at) __attribute__((always_inline)) { run_kept(e, at, count); });
          walk::template move<walk::first_kept>(e, p, 1);
        }
      }
    }
  }
  [[gnu::always_inline]] static void run_lanes(const Axes& e, const nest_pointers<rows>& p, index n, index count) {
    if constexpr (chosen.lanes == reduction_lanes::kept) kept::run(e, p, n, count);
    else block::run(e, p, n, count);
  }
  [[gnu::always_inline]] static void run_kept(const Axes& e, const nest_pointers<rows>& p, index count) {
    if constexpr (!by_row) run_lanes(e, p, e.template extent<chosen.axis>(), count);
    else if constexpr (bundled) bundle::run(e, p, e.template extent<axes.rank - 2>());
    else row_lanes<rows, Axes>::run(e, p, count);
  }
  static index reduced_count(const Axes& e) {
    index n = 1;
    [&]<int... A>(std::integer_sequence<int, A...>) {
      ((n *= axes.reduced[A] ? e.template extent<A>() : 1), ...);
    }(std::make_integer_sequence<int, axes.rank>());
    return n;
  }

  [[gnu::always_inline]] static void run(const frame<P>& fr) {
    const Axes e(fr);
    const nest_pointers<rows> p = pointers_of<rows>(dense_pointers<Step>(fr));
    const index count = reduced_count(e);
    if constexpr (walk::first_kept < axes.rank) {
      if constexpr (walk::template may_be_shared<walk::first_kept>)
        if (is_shared(e.size())) [[unlikely]]
          return share(e, p, count);
      run_part(e, p, e.template extent<walk::first_kept>(), count);
    } else {
      run_part(e, p, 1, count);
    }
  }
  // Longer rows are better copied one by one, in what is always the same memory.
  static constexpr index longest_spread = 1024;
  // With copies of what the call broadcasts. Whether that was possible.
  static bool run_spread(const frame<P>& fr) {
    // Places along the axis of the lanes are cut where registers are full.
    constexpr index least = !by_row && walk::first_kept == chosen.axis ? 64 : 1;
    const index all = spread::places(fr), most = spread::places_at_once(fr, least);
    if (most == 0 || (by_row && most < all && Axes(fr).template extent<axes.rank - 1>() > longest_spread)) return false;
    const index parts = all / most;
    if (parts > 1 && is_shared(fr.template size_of<Step::plan.space>())) [[unlikely]]
      parallel_for(parts, (std::max)(shared_length * parts / fr.template size_of<Step::plan.space>(), index{1}),
                   [&](index first, index count) { run_spread_parts(fr, *current_threads->memory, most, first, count); });
    else run_spread_parts(fr, *fr.memory, most, 0, parts);
    return true;
  }
  // So many parts of `most` places, the last one with what is left behind it: fewer could fill no register.
  static void run_spread_parts(const frame<P>& fr, memory_source& source, index most, index part, index count) {
    const index all = spread::places(fr), unit = spread::unit(fr), longest = most + all % most;
    Axes e(fr);
    spread::stay(fr, e);
    const nest_pointers<rows> begin = pointers_of<rows>(dense_pointers<Step>(fr));
    const index combined = reduced_count(e);
    const workspace memory(source, spread::bytes(fr, longest));
    const index end = part + count;
    for (bool follows = false; part < end; ++part, follows = true) {
      const index first = part * most, places = part + 1 == all / most ? all - first : most;
      nest_pointers<rows> p = begin;
      if constexpr (walk::first_kept < axes.rank) walk::template move<walk::first_kept>(e, p, first * unit);
      spread::set(fr, e, p, memory.data(), longest, {first, places, follows && places == most});
      run_part(e, p, places * unit, combined);
    }
  }
  [[gnu::noinline, gnu::cold]] static void share(Axes e, nest_pointers<rows> p, index count) {
    const index n = e.template extent<walk::first_kept>(), others = e.size() / n;
    const index least = others < shared_length ? shared_length / others : 1;
    parallel_for(n, (least + 63) / 64 * 64, [&](index first, index length) {
      nest_pointers<rows> part = p;
      walk::template move<walk::first_kept>(e, part, first);
      run_part(e, part, length, count);
    });
  }
};

}  // namespace jig::detail
