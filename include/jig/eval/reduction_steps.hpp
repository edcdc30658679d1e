// SPDX-License-Identifier: MIT
#pragma once
// Reductions: of everything in one run of memory, or over some axes of operands that lie anywhere.

#include <jig/eval/accumulate_rows.hpp>
#include <jig/eval/nest_reduce.hpp>
#include <jig/eval/shared_reduction.hpp>

namespace jig::detail {

// The roots of a reduction of nothing.
template <class Step>
[[gnu::cold, gnu::noinline]] void reduce_nothing(const frame<typename Step::program>& fr) {
  [&]<int... R>(std::integer_sequence<int, R...>) {
    (
        [&] {
          using root = reduced_root<Step, R>;
          auto* to = static_cast<typename root::T*>(const_cast<void*>(data_of<typename Step::program, Step::root(R)>(fr)));
          const index n = fr.template size_of<Step::root(R)>();
          for (index i = 0; i < n; ++i) to[i] = root::finished(root::template neutral<typename root::T>(), {}, 0);
        }(),
        ...);
  }(root_numbers<Step>());
}

// The last axis of a step's space that may have more than one element, or -1.
template <class Step>
inline constexpr int last_moving_axis = [] {
  const shape& space = Step::program::extents(Step::plan.space);
  int a = space.rank - 1;
  while (a >= 0 && space[a] == 1) --a;
  return a;
}();

template <class Step>
[[gnu::noinline]] void reduce_scattered(const frame<typename Step::program>& fr) {
  constexpr unsigned axes = axes_of_step<Step>();
  scattered_operands<Step> operands(fr, axes);
  alignas(alignment) char memory[any_compensated<Step> ? Step::roots : 1][any_compensated<Step> ? most_lost * 8 : 8];
  void* lost[Step::roots];
  for (int r = 0; r < Step::roots; ++r) lost[r] = memory[any_compensated<Step> ? r : 0];
  constexpr int last = last_moving_axis<Step>;
  if constexpr (last < 0 || (axes >> (last < 0 ? 0 : last) & 1) != 0)
    reduce_over(operands.space, {last, &reduce_part<Step>, nullptr, 0}, lost);
  else reduce_over(operands.space, {last, nullptr, &accumulate_rows<Step>, rows_together}, lost);
}

template <class Step>
[[gnu::always_inline]] inline void run_reduction_step(const frame<typename Step::program>& fr) {
  using P = typename Step::program;
  constexpr bool everything = axes_of_step<Step>() == (1u << P::extents(Step::plan.space).rank) - 1;
  using along = alignment_in<Step>;
  const index n = fr.template size_of<Step::plan.space>();
  constexpr bool always_one_run = everything && along::always, may_be_one_run = everything && !along::never;
  static_assert(!Step::has_windows || always_one_run, "jig: a window in a reduction of scattered elements");
  if (always_one_run || (may_be_one_run && along::now(fr))) {
    if constexpr (may_be_one_run) {
      dense_pointers<Step> p(fr);
      if constexpr (Step::known_size < 0 || Step::known_size >= 2 * shared_length)
        if (is_shared(n)) [[unlikely]] return shared_reduction<Step>::spread(p.leaf, p.root, n);
      reduce_all<Step, always_one_run ? Step::known_size : -1>(p.leaf, p.root, n);
    }
  } else if constexpr (!always_one_run) {
    if constexpr (Step::known_size <= 0)
      if (n == 0) [[unlikely]] return call_in_parts<P, &reduce_nothing<Step>>(fr);
    if constexpr (constexpr bool has_nest = nest_of_reduction<Step>::chosen.lanes != reduction_lanes::none; !has_nest || Step::known_size == 0) {
      call_in_parts<P, &reduce_scattered<Step>>(fr);
    } else if constexpr (nest_reduction<Step>::always_fits()) {
      nest_reduction<Step>::run(fr);
    } else {
      if (nest_reduction<Step>::fits(fr)) [[likely]] return nest_reduction<Step>::run(fr);
      call_in_parts<P, &reduce_scattered<Step>>(fr);
    }
  }
}

}  // namespace jig::detail
