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

  // What the lanes of a row combine, in so many accumulators; in none where a row fills no more than a register.
  template <int Count>
  [[gnu::always_inline]] static void set_row(all_registers& x, index row, const void* const* leaf, index n) {
    const local_pointers<Step> p(leaf);
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
  // So many rows, of `Longest` elements at most.
  template <int Count, index Longest, class Row>
  [[gnu::always_inline]] static void set_rows(all_registers& x, const Row& row, index rows, index n) {
    if (n > Longest) __builtin_unreachable();
    for (index k = 0; k < rows; ++k) set_row<Count>(x, k, row(k).leaf, n);
  }
  template <int Root>
  [[gnu::always_inline]] static void store(const all_registers& x, void* to, index rows, index n) {
    using V = typename of<Root>::vector;
    const V folded = simd::fold_each(x.registers_of_root<Root>::at, [](const V& a, const V& b) __attribute__((always_inline)) {
      return of<Root>::template both<V>(a, b);
    });
    store_first_lanes<Step, Root>(folded, to, rows, n);
  }

 public:
  static constexpr bool possible = [] {
    if constexpr (!Step::vectorizable || Step::reduced != Step::roots || !reads_some<Step>) return false;
    else return expression_work<Step> <= most_work && (... && fills_registers<Step, R>) && !adds_narrow<Step>;
  }();
  /// So many rows at a time, which have up to so many elements. Of longer ones it matters little how the lanes of a total come together.
  static constexpr index most_rows = step_lanes<Step>, longest = (std::min)(16 * step_lanes<Step>, block_of_run<Step>);

  /// Of rows of n elements, one at least; row(k) has the pointers to those of number k.
  template <class Row>
  [[gnu::always_inline]] static void run(const Row& row, void* const* root, index rows, index n) {
    all_registers x;
    if (n <= most_rows) set_rows<0, most_rows>(x, row, rows, n);
    else if (n < half * most_rows) set_rows<half, half * most_rows - 1>(x, row, rows, n);
    else set_rows<all, longest>(x, row, rows, n);
    for (index k = rows; k < most_rows; ++k) ((x.registers_of_root<R>::at[k] = x.registers_of_root<R>::at[0]), ...);
    (store<R>(x, root[R], rows, n), ...);
  }
};

/// Rows along the last axis of a nest, which the call measures.
template <class Step, class Axes>
class rows_at_call {
  using walk = nest_walk<Step, Axes>;
  using totals = row_totals<Step>;
  static constexpr auto& axes = Axes::axes;
  static constexpr int inner = axes.rank - 1;

 public:
  static constexpr bool possible = [] {
    if constexpr (inner < 1) return false;
    else return walk::last_reduced(inner) < 0 && axes.extent[inner] == known_at_call && totals::possible;
  }();

  [[gnu::always_inline]] static void run(const Axes& e, nest_pointers<Step> p, index rows) {
    const index n = e.template extent<inner>();
    if (n == 0 || n > totals::longest) {
      for (; rows > 0; --rows) {
        row_lanes<Step, Axes>::run(e, p, n);
        walk::template move<inner - 1>(e, p, 1);
      }
      return;
    }
    for (; rows > 0; rows -= totals::most_rows) {
      nest_pointers<Step> at = p;
      const auto next = [&](index k) __attribute__((always_inline)) {
        if (k > 0) walk::template move<inner - 1>(e, at, 1);
        return at;
      };
      totals::run(next, p.root, (std::min)(rows, totals::most_rows), n);
      walk::template move<inner - 1>(e, p, totals::most_rows);
    }
  }
};

}  // namespace jig::detail
