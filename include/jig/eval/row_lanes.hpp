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
    t.start();
    ((evaluate_expression<Step, true, false>(r, flat_reader<Step, Axes, inner, static_cast<int>(n), Q>{p}),
      t.template add<(n - Q * lanes < lanes ? n - Q * lanes : lanes)>(0, r)),
     ...);
    return t;
  }
  template <int Root>
  using of = reduced_root<Step, Root>;
  template <int Root>
  struct registers_of_root {
    typename of<Root>::vector at[static_cast<std::size_t>(lanes)];
  };
  template <int Root>
  [[gnu::always_inline]] static auto grouped(const registers_of_root<Root>& x) {
    using V = typename of<Root>::vector;
    return simd::combine_groups<static_cast<int>(lanes)>(
        x.at, [](const V& a, const V& b) __attribute__((always_inline)) { return of<Root>::template both<V>(a, b); });
  }

 public:
  static constexpr bool possible = inner > 0 && walk::last_reduced(inner) < 0 && n > 0 && n <= (8 * lanes) &&
                                   (registers_of_row * expression_work<Step>) <= most_work && (... && fills_registers<Step, R>) &&
                                   !adds_narrow_rows<Step, n>;

  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index rows) {
    for (index i = 0; i < rows; i += lanes) {
      const index now = rows - i < lanes ? rows - i : lanes;
      nest_pointers<Step> at = p;
      std::tuple<registers_of_root<R>...> x;
      for (index row = 0; row < now; ++row) {
        auto t = total_of_row(at, std::make_integer_sequence<int, registers_of_row>());
        ((std::get<R>(x).at[row] = static_cast<lane_totals<Step, R, 1>&>(t).part[0]), ...);
        walk::template move<inner - 1>(e, at, 1);
      }
      for (index row = now; row < lanes; ++row) ((std::get<R>(x).at[row] = of<R>::template neutral<typename of<R>::vector>()), ...);
      if (now == lanes) {
        (store_lanes<Step, R, lanes>(grouped<R>(std::get<R>(x)), p.root[R], n), ...);
      } else {
        alignas(alignment) char memory[sizeof...(R)][alignment];
        (store_lanes<Step, R, lanes>(grouped<R>(std::get<R>(x)), memory[R], n), ...);
        (std::memcpy(p.root[R], memory[R], static_cast<std::size_t>(now) * sizeof(root_type<Step, R>)), ...);
      }
      walk::template move<inner - 1>(e, p, lanes);
    }
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
