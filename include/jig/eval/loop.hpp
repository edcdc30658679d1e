// SPDX-License-Identifier: MIT
#pragma once
// One fused loop over contiguous memory: all leaves and results advance together, a register full at a time.

#include <jig/eval/body.hpp>

namespace jig {

namespace detail {

template <class Step, bool Vector, int R>
[[gnu::always_inline]] inline void store_root(registers<Step, Vector>& r, void* to, index i) {
  using T = element_at<typename Step::program, Step::root(R)>;
  auto& x = r.template get<Step::stored_entry(R)>();
  if constexpr (Vector) spill<T, typename Step::lead_type>(static_cast<T*>(to) + i, x);
  else static_cast<T*>(to)[i] = x;
}

template <class Step, bool Vector, int... R>
[[gnu::always_inline]] inline void store_roots(registers<Step, Vector>& r, void* const* to, index i,
                                               std::integer_sequence<int, R...>) {
  (store_root<Step, Vector, R>(r, to[R], i), ...);
}

template <class Step>
using root_numbers = std::make_integer_sequence<int, Step::roots>;

// Up to this many computed nodes a body is cheap enough to be in the program twice.
inline constexpr int small_body = 32;

template <class Step>
[[gnu::always_inline]] inline void loop_singles(const pointers<Step>& p, index n) {
  pointers<Step> local = p;
  registers<Step, false> r;
  evaluate_body<Step, false, true>(r, local.leaf, 0);
  for (index i = 0; i < n; ++i) {
    evaluate_body<Step, false, false>(r, local.leaf, i);
    store_roots<Step, false>(r, local.root, i, root_numbers<Step>());
  }
}

template <class Step>
inline constexpr index step_lanes = simd::lanes<typename Step::lead_type>;

// Memory for one register of every leaf and root.
template <class Step>
struct padding {
  alignas(alignment) char leaf[Step::leaves == 0 ? 1 : Step::leaves][sizeof(std::uint64_t) * 64];
  alignas(alignment) char root[Step::roots == 0 ? 1 : Step::roots][sizeof(std::uint64_t) * 64];
};

template <class Step, int... L>
void pad_leaves(const pointers<Step>& p, padding<Step>& pad, pointers<Step>& to, index from, index n,
                std::integer_sequence<int, L...>) {
  (
      [&] {
        using T = element_at<typename Step::program, Step::node(L)>;
        to.leaf[L] = p.leaf[L];
        if constexpr (!Step::table.invariant[L]) {
          auto* source = static_cast<const T*>(p.leaf[L]) + from;
          auto* target = reinterpret_cast<T*>(pad.leaf[L]);
          // Lanes beyond the end repeat the last element, so that they raise nothing that it does not.
          for (index k = 0; k < step_lanes<Step>; ++k) target[k] = source[k < n ? k : n - 1];
          to.leaf[L] = target;
        }
      }(),
      ...);
}

// At least one register full. What is left over is computed first, in a register full that ends with the last element, and
// stored last: so results may lie exactly on top of leaves.
template <class Step>
[[gnu::always_inline]] inline void loop_vectors(const pointers<Step>& p, index n) {
  constexpr index width = step_lanes<Step>;
  const pointers<Step> local = p;
  registers<Step, true> r;
  evaluate_body<Step, true, true>(r, local.leaf, 0);
  const index rest = n % width;
  if constexpr (Step::table.varying <= small_body) {
    registers<Step, true> last;
    evaluate_body<Step, true, true>(last, local.leaf, 0);
    if (rest != 0) evaluate_body<Step, true, false>(last, local.leaf, n - width);
    for (index i = 0; i + width <= n; i += width) {
      evaluate_body<Step, true, false>(r, local.leaf, i);
      store_roots<Step, true>(r, local.root, i, root_numbers<Step>());
    }
    if (rest != 0) store_roots<Step, true>(last, local.root, n - width, root_numbers<Step>());
  } else {
    // The same with the body in the program once.
    alignas(alignment) char last[Step::roots == 0 ? 1 : Step::roots][sizeof(std::uint64_t) * 64];
    pointers<Step> to = local;
    bool keep = rest != 0;
    if (keep)
      for (int k = 0; k < Step::roots; ++k) to.root[k] = last[k];
    index i = keep ? n - width : 0;
    while (true) {
      evaluate_body<Step, true, false>(r, local.leaf, i);
      if (keep) {
        store_roots<Step, true>(r, to.root, 0, root_numbers<Step>());
        keep = false;
        i = 0;
        continue;
      }
      store_roots<Step, true>(r, local.root, i, root_numbers<Step>());
      i += width;
      if (i + width > n) break;
    }
    if (rest != 0)
      [&]<int... R>(std::integer_sequence<int, R...>) {
        (std::memcpy(static_cast<element_at<typename Step::program, Step::root(R)>*>(local.root[R]) + (n - width),
                     last[R], sizeof(element_at<typename Step::program, Step::root(R)>) * static_cast<std::size_t>(width)),
         ...);
      }(root_numbers<Step>());
  }
}

// Fewer elements than a register holds, by way of padded memory.
template <class Step>
[[gnu::noinline]] void loop_padded(const pointers<Step>& p, index n) {
  padding<Step> pad;
  pointers<Step> local;
  pad_leaves(p, pad, local, 0, n, std::make_integer_sequence<int, Step::leaves>());
  for (int k = 0; k < Step::roots; ++k) local.root[k] = pad.root[k];
  loop_vectors<Step>(local, step_lanes<Step>);
  [&]<int... R>(std::integer_sequence<int, R...>) {
    (
        [&] {
          using T = element_at<typename Step::program, Step::root(R)>;
          for (index k = 0; k < n; ++k) static_cast<T*>(p.root[R])[k] = reinterpret_cast<const T*>(pad.root[R])[k];
        }(),
        ...);
  }(root_numbers<Step>());
}

}  // namespace detail

/// Runs the body of a step over n contiguous elements of all leaves and roots. Known is n where it is known at compile
/// time, else -1.
template <class Step, index Known = -1>
[[gnu::always_inline]] inline void run_loop(const pointers<Step>& p, index n) {
  constexpr bool small = Step::table.varying <= detail::small_body;
  if constexpr (!Step::vectorizable || Known == 1) {
    detail::loop_singles<Step>(p, n);
  } else if constexpr (Known >= detail::step_lanes<Step>) {
    detail::loop_vectors<Step>(p, Known);
  } else if constexpr (Known >= 0 && Known * Step::table.varying <= 256) {
    detail::loop_singles<Step>(p, Known);
  } else {
    if (n >= detail::step_lanes<Step>) detail::loop_vectors<Step>(p, n);
    else if constexpr (small) detail::loop_singles<Step>(p, n);
    else if (n > 0) detail::loop_padded<Step>(p, n);
  }
}

}  // namespace jig
