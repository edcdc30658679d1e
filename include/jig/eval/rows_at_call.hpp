// SPDX-License-Identifier: MIT
#pragma once
// Reductions of rows whose length only the call knows: as many at a time as a register has lanes, with the bits of one after another.

#include <jig/eval/row_lanes.hpp>

namespace jig::detail {

/// The totals of some contiguous rows of one length.
template <class Step, class Roots = root_numbers<Step>>
class row_totals;
template <class Step, int... R>
class row_totals<Step, std::integer_sequence<int, R...>> {
  template <int Root>
  using of = reduced_root<Step, Root>;
  template <int Root>
  struct registers_of_root {
    typename of<Root>::vector at[static_cast<std::size_t>(step_lanes<Step>)];
  };
  // No tuple: that would set all of them to zero.
  struct all_registers : registers_of_root<R>... {};

  // Rows of fewer registers full than half of the accumulators need no more than half of them, which combine as all would.
  static constexpr int all = accumulators_of_run<Step>, half = all > 2 ? all / 2 : all;

  // What the lanes of a row combine, in so many accumulators; in none where a row fills no more than a register. Full: the registers that
  // it fills, where they are few; else 0.
  template <int Count, int Full>
  [[gnu::always_inline]] static void set_row(all_registers& x, index row, const void* const* leaf, index n) {
    const local_pointers<Step> p(leaf);
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    if constexpr (Count == 0) {
      evaluate_expression<Step, true, false, reading{.some = true}>(r, p.leaf, 0, n);
      ((x.registers_of_root<R>::at[row] = first_of_root<Step, R>(r, n)), ...);
    } else {
      accumulators<Step, true, Count> a;
      if constexpr (Full > 0) accumulate_few<Full>(a, r, p, n);
      else accumulate_vectors(a, r, p, n);
      ((x.registers_of_root<R>::at[row] = static_cast<typename accumulators<Step, true, Count>::template of<R>&>(a).total), ...);
    }
  }
  // So many rows, of `Longest` elements at most.
  template <int Count, index Longest, int Full = 0, class Row>
  [[gnu::always_inline]] static void set_rows(all_registers& x, const Row& row, index first, index rows, index n) {
    if (n > Longest || rows < 1) __builtin_unreachable();
    for (index k = 0; k < rows; ++k) set_row<Count, Full>(x, k, row(first + k).leaf, n);
  }
  // Rows of `Full` registers and more: with accumulators and without loops, where these are few.
  template <int Full, int Apart, class Row>
  [[gnu::always_inline]] static void set_few_registers(all_registers& x, const Row& row, index first, index rows, index n) {
    if constexpr (Full < Apart) {
      constexpr index most = (Full + 1) * step_lanes<Step> - 1;
      if (n <= most) set_rows<half, most, Full>(x, row, first, rows, n);
      else set_few_registers<Full + 1, Apart>(x, row, first, rows, n);
    } else {
      set_rows<all, longest>(x, row, first, rows, n);
    }
  }
  template <int Root>
  [[gnu::always_inline]] static void store(const all_registers& x, void* to, index rows, index n) {
    using V = typename of<Root>::vector;
    // In the order of reduced_root::across, which decides the sign of a zero.
    V folded = simd::fold_each(x.registers_of_root<Root>::at,
                               [](const V& a, const V& b) __attribute__((always_inline)) { return of<Root>::template both<V>(b, a); });
    if constexpr (of<Root>::looks_for_nan)
      folded = xsimd::select(folded == folded, folded, V(std::numeric_limits<typename of<Root>::T>::quiet_NaN()));
    store_first_lanes<Step, Root>(folded, to, rows, n);
  }

 public:
  static constexpr bool possible = [] {
    if constexpr (!Step::vectorizable || Step::reduced != Step::roots || Step::has_padded_reads || (!reads_some<Step> && half < 2))
      return false;
    else return expression_work<Step> <= most_work && (... && fills_registers<Step, R>) && (!adds_narrow<Step> || adds_flags<Step>);
  }();
  /// Of rows of n elements; row(k) has the pointers to those of number k, and to where its totals go. Returns how many rows that are: none
  /// where they are long, when it matters little how the lanes of a total come together, or too short for registers that cannot be read in
  /// part, nor a few last ones.
  /// Apart: rows of fewer registers full have code of their own, for each number of them.
  template <int Apart = half, class Row>
  [[gnu::always_inline]] static index run(const Row& row, index rows, index n) {
    index done = 0;
    if (n >= shortest && n <= longest && (n >= most_rows || are_many(rows, n)))
      for (; rows - done >= least_rows; done += most_rows) run_block<Apart>(row, done, (std::min)(rows - done, most_rows), n);
    return (std::min)(done, rows);
  }

 private:
  static constexpr index most_rows = step_lanes<Step>, least_rows = (most_rows + 3) / 4,
                         longest = (std::min)(16 * most_rows, block_of_run<Step>);
  // Parts of registers are not cheap everywhere.
  static constexpr index shortest = reads_some<Step> ? 1 : most_rows;

  // Whether rows that fill no register are better together.
  static constexpr bool are_many(index rows, index n) {
    if constexpr (simd::cheap_parts) return true;
    else if constexpr (reduces_pieces<Step>) return rows * (n + 4) >= 4 * most_rows;
    else return rows >= 5;
  }

  template <int Apart, class Row>
  [[gnu::always_inline]] static void run_block(const Row& row, index first, index rows, index n) {
    all_registers x;
    if constexpr (reads_some<Step>) {
      if (n <= most_rows) set_rows<0, most_rows>(x, row, first, rows, n);
      else set_few_registers<1, Apart>(x, row, first, rows, n);
    } else {
      set_few_registers<1, Apart>(x, row, first, rows, n);
    }
    for (index k = rows; k < most_rows; ++k) ((x.registers_of_root<R>::at[k] = x.registers_of_root<R>::at[0]), ...);
    const nest_pointers<Step> p = row(first);
    (store<R>(x, p.root[R], rows, n), ...);
  }
};

/// Rows along the last axis of a nest, which the call measures.
template <class Step, class Axes>
class rows_at_call {
  using walk = nest_walk<Step, Axes>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int inner = axes.rank - 1;

 public:
  static constexpr bool possible = [] {
    if constexpr (inner < 1) return false;
    else return walk::last_reduced(inner) < 0 && axes.extent[inner] == known_at_call && row_totals<Step>::possible;
  }();

  [[gnu::always_inline]] static void run(const Axes& e, const nest_pointers<Step>& p, index rows) {
    const index n = e.template extent<inner>();
    const auto row = [&](index k) __attribute__((always_inline)) {
      nest_pointers<Step> at = p;
      walk::template move<inner - 1>(e, at, k);
      return at;
    };
    for (index k = row_totals<Step>::run(row, rows, n); k < rows; ++k) row_lanes<Step, Axes>::run(e, row(k), n);
  }
};

}  // namespace jig::detail
