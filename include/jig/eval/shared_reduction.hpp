// SPDX-License-Identifier: MIT
#pragma once
// Reductions of everything in blocks that threads may share.

#include <jig/eval/reduce.hpp>

namespace jig::detail {

template <class Step, int L>
const void* leaf_from(const void* leaf, index first) {
  if constexpr (Step::table.invariant[L]) return leaf;
  else return static_cast<const type_of<Step::table.type[L]>*>(leaf) + first;
}

template <class Root>
void combine_parts(void* to, const char* totals, const char* lost, index parts, index count) {
  using T = typename Root::T;
  [[maybe_unused]] auto *part = reinterpret_cast<const T*>(totals), *rest = reinterpret_cast<const T*>(lost);
  T total = part[0], missing{};
  // Parts write what was lost only where anything can be.
  if constexpr (Root::compensated) missing = rest[0];
  for (index k = 1; k < parts; ++k) {
    Root::add_part(total, missing, part[k]);
    if constexpr (Root::compensated) missing += rest[k];
  }
  *static_cast<T*>(to) = Root::finished(total, missing, count);
}

/// As reduce_all, in blocks that threads may share.
template <class Step, class Leaves = std::make_integer_sequence<int, Step::leaves>, class Roots = reduced_numbers<Step>>
struct shared_reduction;
template <class Step, int... L, int... R>
struct shared_reduction<Step, std::integer_sequence<int, L...>, std::integer_sequence<int, R...>> {
  template <int>
  using leaf_pointer = const void*;
  template <int>
  using root_pointer = void*;

  [[gnu::noinline, gnu::cold]] static void run(index n, root_pointer<R>... root, leaf_pointer<L>... leaf) {
    const index parts = n / shared_length;
    // Totals of up to 8 bytes, and what rounding lost of each.
    const auto bytes = aligned_size(static_cast<std::size_t>(parts) * 8);
    workspace memory(*current_threads->memory, 2 * sizeof...(R) * bytes);
    auto place = [&](int r, bool lost) { return memory.data() + static_cast<std::size_t>(2 * r + lost) * bytes; };
    parallel_for(n, shared_length, [&](index first, index length) {
      const void* leaves[] = {leaf_from<Step, L>(leaf, first)..., nullptr};
      void* totals[] = {reinterpret_cast<root_type<Step, R>*>(place(R, false)) + first / shared_length...};
      void* lost[] = {reinterpret_cast<root_type<Step, R>*>(place(R, true)) + first / shared_length...};
      reduce_part<Step>(leaves, totals, lost, length, {true, false, 0});
    });
    (combine_parts<reduced_root<Step, R>>(root, place(R, false), place(R, true), parts, n), ...);
  }
  [[gnu::always_inline]] static void spread(const void* const* leaf, void* const* root, index n) { run(n, root[R]..., leaf[L]...); }
};

}  // namespace jig::detail
