// SPDX-License-Identifier: MIT
#pragma once
// Reductions of rows whose length only the call knows: as many at a time as a register has lanes, with the bits of one after another.

#include <jig/eval/row_lanes.hpp>

namespace jig::detail {

template <class Step, class Axes, class Roots = root_numbers<Step>>
class rows_at_call;
template <class Step, class Axes, int... R>
class rows_at_call<Step, Axes, std::integer_sequence<int, R...>> {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int inner = axes.rank - 1;
  static constexpr index lanes = step_lanes<Step>;
  // Of longer rows it matters little how the lanes of a total come together.
  static constexpr index longest = 16 * lanes < block_of_run<Step> ? 16 * lanes : block_of_run<Step>;

  template <int Root>
  using of = reduced_root<Step, Root>;
  template <int Root>
  struct registers_of_root {
    typename of<Root>::vector at[static_cast<std::size_t>(lanes)];
  };
  // No tuple: that would set all of them to zero.
  struct all_registers : registers_of_root<R>... {};

  // Accumulators that wait for one another less than all of them where rows fill fewer registers than half of them: the same tree.
  static constexpr int all = accumulators_of_run<Step>, half = all > 2 ? all / 2 : all;

  // What the lanes of a row combine, in so many accumulators; in none where a row fills no more than a register.
  template <int Count>
  [[gnu::always_inline]] static void set_row(all_registers& x, index row, const nest_pointers<Step>& at, index n) {
    const local_pointers<Step> p(at.leaf);
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    if constexpr (Count == 0) {
      evaluate_expression<Step, true, false, reading{.some = true}>(r, p.leaf, 0, n);
      ((x.registers_of_root<R>::at[row] = first_of_root<Step, R>(r, n)), ...);
    } else {
      accumulators<Step, true, Count> a;
      accumulate_vectors(a, r, p, n);
      ((x.registers_of_root<R>::at[row] = static_cast<typename accumulators<Step, true, Count>::template of<R>&>(a).total), ...);
    }
  }
  template <int Root>
  [[gnu::always_inline]] static void store(const all_registers& x, void* to, index rows, index n) {
    using V = typename of<Root>::vector;
    const V folded = simd::fold_each(x.registers_of_root<Root>::at, [](const V& a, const V& b) __attribute__((always_inline)) {
      return of<Root>::template both<V>(a, b);
    });
    store_first_lanes<Step, Root>(folded, to, rows, n);
  }
  // So many rows, of `Longest` elements at most.
  template <int Count, index Longest>
  [[gnu::always_inline]] static void set_rows(all_registers& x, const Axes& e, nest_pointers<Step> p, index rows, index n) {
    if (n > Longest) __builtin_unreachable();
    for (index row = 0; row < rows; ++row) {
      set_row<Count>(x, row, p, n);
      walk::template move<inner - 1>(e, p, 1);
    }
  }
  [[gnu::always_inline]] static void run_together(const Axes& e, nest_pointers<Step> p, index rows, index n) {
    for (; rows > 0; rows -= lanes) {
      const index now = rows < lanes ? rows : lanes;
      all_registers x;
      if (n <= lanes) set_rows<0, lanes>(x, e, p, now, n);
      else if (n < half * lanes) set_rows<half, half * lanes - 1>(x, e, p, now, n);
      else set_rows<all, longest>(x, e, p, now, n);
      for (index row = now; row < lanes; ++row) ((x.registers_of_root<R>::at[row] = x.registers_of_root<R>::at[0]), ...);
      (store<R>(x, p.root[R], now, n), ...);
      walk::template move<inner - 1>(e, p, lanes);
    }
  }

 public:
  static constexpr bool possible = [] {
    if constexpr (inner < 1 || !Step::vectorizable || !reads_some<Step>) return false;
    else
      return walk::last_reduced(inner) < 0 && axes.extent[inner] == known_at_call && expression_work<Step> <= most_work &&
             (... && fills_registers<Step, R>) && !adds_narrow<Step>;
  }();

  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index rows) {
    const index n = e.template extent<inner>();
    if (n > 0 && n <= longest) return run_together(e, p, rows, n);
    for (; rows > 0; --rows) {
      row_lanes<Step, Axes>::run(e, p, n);
      walk::template move<inner - 1>(e, p, 1);
    }
  }
};

}  // namespace jig::detail
