// SPDX-License-Identifier: MIT
#pragma once
// A loop whose results are so large that they go past the caches.

#include <jig/eval/loop_registers.hpp>

namespace jig::detail {

// Whether the results of a step go past the caches where they are large: all are results of the call, and no other step
// reads them.
template <class Step>
inline constexpr bool streams = [] {
  using P = typename Step::program;
  if (!simd::has_streaming || !Step::vectorizable || stores_wider<Step> || P::is_body || Step::roots == 0 || Step::has_stacks ||
      Step::has_padded_reads)
    return false;
  for (int r = 0; r < Step::roots; ++r) {
    const int v = Step::root(r);
    const dtype d = P::dtype_at(v);
    if (P::value(v).place != place::result || d == dtype::boolean || is_storage(d) || size_of(d) != size_of(P::dtype_at(Step::root(0))))
      return false;
    if (static_cast<std::size_t>(step_lanes<Step>) * size_of(d) < simd::detail::narrowest) return false;
    for (int i = 0; i < P::plan.size.leaves; ++i)
      if (P::base(P::plan.leaves.items[i]) == v) return false;
  }
  return true;
}();

// Results of so many bytes are streamed. Smaller ones may still be in a cache when somebody reads them: with 32 MiB of it,
// streaming was slower up to 12 MiB if the result was read at once, and faster from 1 MiB on if not.
inline constexpr index streamed_bytes = index{16} << 20;

template <class Step>
constexpr bool is_streamed(index n) {
  if constexpr (streams<Step>) return n * static_cast<index>(sizeof(root_type<Step, 0>)) >= streamed_bytes;
  else return false;
}

// Units: bytes of a register full of a root, of a step that streams.
template <class Step>
inline constexpr std::size_t streamed_register = static_cast<std::size_t>(step_lanes<Step>) * sizeof(root_type<Step, 0>);

// Whether the roots begin at one offset from a multiple of the register size, and none of them on top of a leaf.
template <class Step>
inline bool can_stream(const void* const* leaf, void* const* root) {
  constexpr auto mask = static_cast<std::uintptr_t>(streamed_register<Step>) - 1;
  const auto offset = reinterpret_cast<std::uintptr_t>(root[0]) & mask;
  bool can = offset % sizeof(root_type<Step, 0>) == 0;
  for (int r = 0; r < Step::roots; ++r) {
    can = can && (reinterpret_cast<std::uintptr_t>(root[r]) & mask) == offset;
    for (int l = 0; l < Step::leaves; ++l) can = can && leaf[l] != root[r];
  }
  return can;
}

template <class Step, int... R>
[[gnu::always_inline]] inline void stream_roots(registers<Step, true>& r, void* const* to, index i, std::integer_sequence<int, R...>) {
  (simd::stream(static_cast<root_type<Step, R>*>(to[R]) + i, r.template get<Step::stored_entry(R)>()), ...);
}

// As loop_vectors. The first register full reaches up to where the roots are aligned, the last one to their end.
template <class Step>
[[gnu::noinline]] void loop_streaming(const void* const* leaf, void* const* root, index n) {
  constexpr index width = step_lanes<Step>;
  const local_pointers<Step> p(leaf, root);
  const auto offset = reinterpret_cast<std::uintptr_t>(root[0]) % streamed_register<Step>;
  const index first = offset == 0 ? 0 : static_cast<index>((streamed_register<Step> - offset) / sizeof(root_type<Step, 0>));
  registers<Step, true> r;
  evaluate_expression<Step, true, true>(r, p.leaf, 0);
  for (index end : {index{0}, n - width}) {
    evaluate_expression<Step, true, false>(r, p.leaf, end);
    store_roots<Step, true>(r, p.root, end, root_numbers<Step>());
  }
  for (index i = first; i + width <= n; i += width) {
    evaluate_expression<Step, true, false>(r, p.leaf, i);
    stream_roots<Step>(r, p.root, i, root_numbers<Step>());
  }
  simd::end_streaming();
}

}  // namespace jig::detail
