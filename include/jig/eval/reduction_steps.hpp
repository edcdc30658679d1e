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
    reduce_over(operands.space, {last, &reduce_part<Step>, nullptr, 0, 0}, lost);
  else reduce_over(operands.space, {last, nullptr, &accumulate_rows<Step>, rows_together, longest_sum<Step>}, lost);
}

// The same by its nest, with copies of what the call broadcasts, where that is possible.
template <class Step>
[[gnu::noinline]] void reduce_spread(const frame<typename Step::program>& fr) {
  using reduction = nest_reduction<Step>;
  if (!reduction::is_long(fr) || !reduction::run_spread(fr)) reduce_scattered<Step>(fr);
}

/// What a reduction has chosen. It runs by that, and text is made from it.
struct reduction_choice {
  bool one_run = false;  // everything is combined, and lies in one run of memory unless the call broadcasts
  bool always = false;   // no call can make it walk in another way
  reduction_nest nest;   // the nest of all others; reduction_lanes::none where elements are gathered
};
template <class Step>
inline constexpr reduction_choice choice_of_reduction = []() -> reduction_choice {
  constexpr bool everything = axes_of_step<Step>() == (1u << Step::program::extents(Step::plan.space).rank) - 1;
  if constexpr (everything && alignment_in<Step>::always) {
    return {true, true, {}};
  } else {
    constexpr reduction_nest nest = nest_of_reduction<Step>::chosen;
    constexpr bool may_be_short = nest.lanes == reduction_lanes::kept && nest_of_reduction<Step>::axes.extent[nest.axis] == known_at_call;
    return {everything && !alignment_in<Step>::never, nest.lanes != reduction_lanes::none && !may_be_short && always_walks_as_planned<Step>,
            nest};
  }
}();

template <class Step>
[[gnu::always_inline]] inline void run_reduction_step(const frame<typename Step::program>& fr) {
  using P = typename Step::program;
  constexpr reduction_choice chosen = choice_of_reduction<Step>;
  const index n = fr.template size_of<Step::plan.space>();
  static_assert(!Step::has_padded_reads || (chosen.one_run && chosen.always), "jig: a padded_read in a reduction of scattered elements");
  if constexpr (chosen.one_run) {
    if (chosen.always || alignment_in<Step>::now(fr)) {
      dense_pointers<Step> p(fr);
      if constexpr (!Step::has_padded_reads && (Step::known_size < 0 || Step::known_size >= 2 * shared_length))
        if (is_shared(n)) [[unlikely]]
          return shared_reduction<Step>::spread(p.leaf, p.root, n);
      return reduce_all<Step, chosen.always ? Step::known_size : -1>(p.leaf, p.root, n);
    }
  }
  if constexpr (!(chosen.one_run && chosen.always)) {
    if constexpr (Step::known_size <= 0)
      if (n == 0) [[unlikely]]
        return call_in_parts<P, &reduce_nothing<Step>>(fr);
    if constexpr (chosen.always) return nest_reduction<Step>::run(fr);
    if constexpr (chosen.nest.lanes != reduction_lanes::none) {
      if (nest_reduction<Step>::fits(fr)) [[likely]]
        return nest_reduction<Step>::run(fr);
      if constexpr (!chosen.always && nest_reduction<Step>::spread::possible) return call_in_parts<P, &reduce_spread<Step>>(fr);
    }
    if constexpr (!chosen.always) call_in_parts<P, &reduce_scattered<Step>>(fr);
  }
}

}  // namespace jig::detail
