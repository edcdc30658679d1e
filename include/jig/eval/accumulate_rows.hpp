// SPDX-License-Identifier: MIT
#pragma once
// Reductions that keep the last axis, of operands that lie anywhere: rows are combined place by place.

#include <jig/eval/reduce.hpp>

namespace jig::detail {

// So many rows are read side by side where a reduction keeps the last axis: each is a stream that processors can foresee.
inline constexpr index rows_together = 8;

// Some columns of some rows of the body, from number i on: `Count` registers or single elements, or, if that is 0, the first `n` lanes of
// one register.
template <class Step, bool Vector, int Count>
[[gnu::always_inline]] inline void accumulate_columns(registers<Step, Vector>& r, const local_pointers<Step>& from, const index* stride,
                                                      void* const* root, void* const* lost, index i, index n, index rows, bool first) {
  local_pointers<Step> p = from;
  accumulators<Step, Vector, Count == 0 ? 1 : Count, true> a;
  a.start();
  for (index row = 0; row < rows; ++row) {
    if constexpr (Count == 0) a.add_some(r, p, i, n);
    else a.template add_several<0>(r, p, i, std::make_integer_sequence<int, Count>());
    for (int l = 0; l < Step::leaves; ++l) p.leaf[l] = static_cast<const char*>(p.leaf[l]) + stride[l];
  }
  if constexpr (Count == 0) a.combine_some(root, lost, i, n, first);
  else a.combine(root, lost, i, first);
}

template <class Root>
void finish_columns(void* root, void* lost, index n, index count) {
  using T = typename Root::T;
  T* to = static_cast<T*>(root);
  T* rest = static_cast<T*>(lost);
  for (index k = 0; k < n; ++k) to[k] = Root::finished(to[k], Root::compensated ? rest[k] : T(), count);
}

/// Combines rows of n contiguous elements of the body with n contiguous elements of the roots, place by place.
/// Units: bytes from row to row of each leaf.
template <class Step>
[[gnu::noinline]] void accumulate_rows(const void* const* leaf, const index* stride, void* const* root, void* const* lost, index n,
                                       index rows, reduction_part part) {
  const local_pointers<Step> p(leaf);
  index i = 0;
  // Fewer columns go one by one.
  constexpr index fewest = simd::cheap_parts ? 0 : parts_are_whole<Step> ? 2 : 4;
  if constexpr (Step::vectorizable) {
    constexpr index width = step_lanes<Step>;
    constexpr int count = Step::table.varying <= 8 && Step::roots == 1 ? 4 : 1;
    registers<Step, true> r;
    evaluate_expression<Step, true, true>(r, p.leaf, 0);
    if constexpr (count > 1)
      for (; i + count * width <= n; i += count * width)
        accumulate_columns<Step, true, count>(r, p, stride, root, lost, i, n - i, rows, part.first);
    for (; i + width <= n; i += width) accumulate_columns<Step, true, 1>(r, p, stride, root, lost, i, n - i, rows, part.first);
    if constexpr (reads_some<Step>) {
      if (i < n && n - i >= fewest) {
        accumulate_columns<Step, true, 0>(r, p, stride, root, lost, i, n - i, rows, part.first);
        i = n;
      }
    }
  }
  if constexpr (!reads_some<Step> || fewest > 0) {
    registers<Step, false> r;
    evaluate_expression<Step, false, true>(r, p.leaf, 0);
    for (; i < n; ++i) accumulate_columns<Step, false, 1>(r, p, stride, root, lost, i, n - i, rows, part.first);
  }
  if (part.last)
    [&]<int... R>(std::integer_sequence<int, R...>) {
      (finish_columns<reduced_root<Step, R>>(root[R], lost[R], n, part.count), ...);
    }(root_numbers<Step>());
}

}  // namespace jig::detail
