// SPDX-License-Identifier: MIT
#pragma once
// One fused loop over contiguous memory: all leaves and results advance together.

#include <jig/eval/streaming_loop.hpp>

namespace jig {

namespace detail {

// The loop for extents that only the call knows.
template <class Step>
[[gnu::always_inline]] inline void run_any_length(const void* const* leaf, void* const* root, index n) {
  if constexpr (!Step::vectorizable) {
    loop_singles<Step>(leaf, root, n);
  } else {
    if constexpr (streams<Step>)
      if (is_streamed<Step>(n) && can_stream<Step>(leaf, root)) [[unlikely]]
        return loop_streaming<Step>(leaf, root, n);
    if (n >= step_lanes<Step>) return loop_vectors<Step>(leaf, root, n);
    if constexpr (stores_some<Step>) {
      loop_some<Step>(leaf, root, n, root_numbers<Step>());
    } else if constexpr (Step::has_padded_reads || Step::table.varying <= small_body) {
      loop_singles<Step>(leaf, root, n);
    } else if (n > 0) {
      loop_padded<Step>(leaf, root, n);
    }
  }
}

// The places from `i` to `end` of a loop over n: padded reads have to know which of all these are.
template <class Step>
void loop_between(const void* const* leaf, void* const* root, index i, index end, index n) {
  const local_pointers<Step> p(leaf, root);
  if constexpr (Step::vectorizable) {
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    i = loop_registers<Step, reading{}>(r, p, i, end, n);
  }
  registers<Step, false> r;
  evaluate_expression<Step, false, true>(r, p.leaf, 0);
  for (; i < end; ++i) {
    evaluate_expression<Step, false, false>(r, p.leaf, i, n);
    store_roots<Step, false>(r, p.root, i, root_numbers<Step>());
  }
}

// It is in the program once. Pointers travel as parameters: written to memory one by one and read back together they would
// stall the call.
template <class Step, class Leaves, class Roots>
struct any_length;
template <class Step, int... L, int... R>
struct any_length<Step, std::integer_sequence<int, L...>, std::integer_sequence<int, R...>> {
  template <int>
  using leaf_pointer = const void*;
  template <int>
  using root_pointer = void*;
  [[gnu::noinline]] static void run(index n, root_pointer<R>... root, leaf_pointer<L>... leaf) {
    if (is_shared(n)) [[unlikely]]
      return share(n, root..., leaf...);
    const void* leaves[] = {leaf..., nullptr};
    void* roots[] = {root..., nullptr};
    run_any_length<Step>(leaves, roots, n);
  }
  [[gnu::noinline, gnu::cold]] static void share(index n, root_pointer<R>... root, leaf_pointer<L>... leaf) {
    const void* leaves[] = {leaf..., nullptr};
    void* roots[] = {root..., nullptr};
    if constexpr (Step::has_padded_reads)
      return parallel_for(n, shared_length,
                          [&](index first, index length) { loop_between<Step>(leaves, roots, first, first + length, n); });
    static constexpr index bytes[] = {(Step::table.invariant[L] ? 0 : static_cast<index>(sizeof(type_of<Step::table.type[L]>)))...,
                                      static_cast<index>(sizeof(root_type<Step, R>))..., 0};
    run_function in_block = &run_block;
    if constexpr (streams<Step>)
      if (is_streamed<Step>(n) && can_stream<Step>(leaves, roots)) in_block = &loop_streaming<Step>;
    share_run(leaves, Step::leaves, roots, Step::roots, bytes, n, in_block);
  }
  [[gnu::always_inline]] static void spread(const void* const* leaf, void* const* root, index n) { run(n, root[R]..., leaf[L]...); }
  // Has an address, which what is always inline must not need.
  static void run_block(const void* const* leaf, void* const* root, index n) { spread(leaf, root, n); }
};

template <class Step>
[[gnu::always_inline]] inline void run_contiguous(const void* const* leaf, void* const* root, index n) {
  any_length<Step, std::make_integer_sequence<int, Step::leaves>, root_numbers<Step>>::spread(leaf, root, n);
}

}  // namespace detail

/// Runs the body of a step over n contiguous elements of all leaves and roots. Known is n where it is known at compile
/// time, else -1.
template <class Step, index Known = -1>
[[gnu::always_inline]] inline void run_loop(const void* const* leaf, void* const* root, index n) {
  static_assert(!Step::has_padded_reads || Known < 2 * detail::shared_length, "jig: a padded_read in a loop that threads share");
  if constexpr (Known < 0 || Known >= 2 * detail::shared_length || detail::is_streamed<Step>(Known)) {
    detail::run_contiguous<Step>(leaf, root, n);
  } else if constexpr (detail::is_few<Step, Known>) {
    detail::loop_few<Step>(leaf, root, std::make_integer_sequence<index, Known>());
  } else if constexpr (detail::fills_narrow<Step, Known>) {
    detail::loop_narrow<Step, Known>(leaf, root);
  } else if constexpr (detail::is_part<Step, Known>) {
    detail::loop_part<Step, Known>(leaf, root);
  } else if constexpr (!Step::vectorizable || Known == 1 ||
                       (Known < detail::step_lanes<Step> && (Step::has_padded_reads || Known * Step::table.varying <= 256))) {
    detail::loop_singles<Step>(leaf, root, Known);
  } else if constexpr (Known >= detail::step_lanes<Step>) {
    detail::loop_vectors<Step, Known>(leaf, root, Known);
  } else {
    detail::loop_padded<Step>(leaf, root, Known);
  }
}

}  // namespace jig
