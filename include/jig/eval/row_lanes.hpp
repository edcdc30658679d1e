// SPDX-License-Identifier: MIT
#pragma once
// Reductions of whole rows: short ones as many at a time as a register has lanes, others one after another.

#include <jig/eval/interleave.hpp>
#include <jig/eval/lane_totals.hpp>
#include <jig/eval/nest_loop.hpp>
#include <jig/eval/strided.hpp>

namespace jig::detail {

/// Short rows along the last axis, as many at a time as a register has lanes.
template <class Step, class Axes, class Roots = root_numbers<Step>>
class row_bundle;
template <class Step, class Axes, int... R>
class row_bundle<Step, Axes, std::integer_sequence<int, R...>> {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr index lanes = step_lanes<Step>, n = axes.extent[inner] == known_at_call ? 0 : axes.extent[inner];
  static constexpr int registers_of_row = static_cast<int>((n + lanes - 1) / lanes);

  template <int... Q>
  [[gnu::always_inline]] static auto total_of_row(const nest_pointers<Step>& p, std::integer_sequence<int, Q...>) {
    all_lane_totals<Step, 1> t;
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    if constexpr (n < lanes) t.start();
    (
        [&]() __attribute__((always_inline)) {
          evaluate_expression<Step, true, false>(r, flat_reader<Step, Axes, inner, static_cast<int>(n), Q>{p});
          if constexpr (Q == 0 && n >= lanes) t.set(0, r);
          else t.template add<(n - Q * lanes < lanes ? n - Q * lanes : lanes)>(0, r);
        }(),
        ...);
    return t;
  }
  template <int Root>
  using of = reduced_root<Step, Root>;
  template <int Root>
  struct registers_of_root {
    typename of<Root>::vector at[static_cast<std::size_t>(lanes)];
  };
  template <int Root, int Rows>
  [[gnu::always_inline]] static auto grouped(const registers_of_root<Root>& x) {
    using V = typename of<Root>::vector;
    const V all = simd::combine_groups<static_cast<int>(lanes), Rows>(
        x.at, [](const V& a, const V& b) __attribute__((always_inline)) { return of<Root>::template both<V>(a, b); });
    // Sums begin with 0, which makes 0 of -0.
    if constexpr (of<Root>::compensated && n >= lanes) return of<Root>::template both<V>(of<Root>::template neutral<V>(), all);
    else return all;
  }
  // A std::tuple would fill them with zeros.
  struct all_registers : registers_of_root<R>... {};
  template <int Root>
  [[gnu::always_inline]] static registers_of_root<Root>& of_root(all_registers& x) {
    return x;
  }
  [[gnu::always_inline]] static void set_row(all_registers& x, index row, const nest_pointers<Step>& at) {
    auto t = total_of_row(at, std::make_integer_sequence<int, registers_of_row>());
    ((of_root<R>(x).at[row] = static_cast<lane_totals<Step, R, 1>&>(t).part[0]), ...);
  }
  // The first `now` of Rows rows.
  template <int Rows>
  [[gnu::always_inline]] static void store_rows(all_registers& x, void* const* root, index now) {
    (store_first_lanes<Step, R>(grouped<R, Rows>(of_root<R>(x)), root[R], now, n), ...);
  }
  // The last rows, if there are so few that most registers would hold none: as many as numbers `Row`, or less, of which the last one is
  // repeated. Each is added up as it is among many.
  template <int... Row>
  [[gnu::always_inline]] static void run_few(const Axes& e, const nest_pointers<Step>& p, index now, std::integer_sequence<int, Row...>) {
    nest_pointers<Step> at = p;
    all_registers x;
    (
        [&]() __attribute__((always_inline)) {
          set_row(x, Row, at);
          if (Row + 1 < now) walk::template move<inner - 1>(e, at, 1);
        }(),
        ...);
    store_rows<static_cast<int>(sizeof...(Row))>(x, p.root, now);
  }
  // As many rows as a register has lanes. Where little is computed of them they are in the program one by one: what a loop sets goes
  // through memory.
  [[gnu::always_inline]] static void set_rows(all_registers& x, const Axes& e, nest_pointers<Step> p) {
    constexpr index most_unrolled = 64;
    const auto next = [&](index row) __attribute__((always_inline)) {
      set_row(x, row, p);
      walk::template move<inner - 1>(e, p, 1);
    };
    if constexpr (lanes * registers_of_row * (expression_work<Step> + static_cast<int>(sizeof...(R))) <= most_unrolled) {
      [&]<index... Row>(std::integer_sequence<index, Row...>)
          __attribute__((always_inline)) { (next(Row), ...); }(std::make_integer_sequence<index, lanes>());
    } else {
      for (index row = 0; row < lanes; ++row) next(row);
    }
  }
  static constexpr int few = lanes > 4 ? 4 : 1;
  [[gnu::always_inline]] static void run_last(const Axes& e, nest_pointers<Step> p, index left) {
    for (; left > 0; left -= few) {
      if (few > 1 && left == 1) return run_few(e, p, 1, std::integer_sequence<int, 0>());
      run_few(e, p, left < few ? left : few, std::make_integer_sequence<int, few>());
      walk::template move<inner - 1>(e, p, few);
    }
  }

 public:
  static constexpr bool possible = inner > 0 && walk::last_reduced(inner) < 0 && n > 0 && n <= (8 * lanes) &&
                                   (registers_of_row * expression_work<Step>) <= most_work && (... && fills_registers<Step, R>) &&
                                   !adds_narrow_rows<Step, n>;

  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index rows) {
    for (; rows >= lanes; rows -= lanes) {
      all_registers x;
      set_rows(x, e, p);
      (store_lanes<Step, R, lanes>(grouped<R, static_cast<int>(lanes)>(of_root<R>(x)), p.root[R], n), ...);
      walk::template move<inner - 1>(e, p, lanes);
    }
    run_last(e, p, rows);
  }
};

/// Rows along the last axis, one after another.
template <class Step, class Axes>
class row_lanes {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr bool one_row = walk::last_reduced(inner) < 0;
  static constexpr index known = axes.extent[inner] == known_at_call ? -1 : axes.extent[inner];

 public:
  [[gnu::always_inline]] static void run(const Axes& e, const nest_pointers<Step>& p, index count) {
    const index n = e.template extent<inner>();
    if constexpr (one_row) {
      reduce_all<Step, known>(p.leaf, p.root, n);
    } else {
      alignas(8) char memory[Step::roots][8] = {};
      void* lost[Step::roots];
      for (int r = 0; r < Step::roots; ++r) lost[r] = memory[r];
      index left = count / n;
      walk::template for_each<0, inner, true>(e, p, [&](const nest_pointers<Step>& at) __attribute__((always_inline)) {
        const reduction_part part{left == count / n, left == 1, count};
        store_totals<Step>(reduce_run<Step, known>(at.leaf, at.root, n), at.root, lost, part, reduced_numbers<Step>());
        --left;
      });
    }
  }
};

}  // namespace jig::detail
