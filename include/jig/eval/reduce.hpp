// SPDX-License-Identifier: MIT
#pragma once
// Reductions over any axes. The operand is computed in the same loop that combines it; several accumulators hide the
// latency of the combination, and floating sums are compensated from block to block.

#include <jig/eval/loop.hpp>
#include <jig/eval/runs.hpp>
#include <jig/eval/workspace.hpp>

namespace jig {

namespace detail {

// How one root of a step combines. X is T, the dtype, or a register of it.
template <class Step, int R>
struct reduced_root {
  using means = meaning<Step::program::kind(Step::root(R))>;
  using T = root_type<Step, R>;
  using Lead = typename Step::lead_type;
  using vector = typename register_type<T, Lead, true>::type;
  static constexpr int operand = Step::stored_entry(R);
  // Whether what rounding loses of a part is added to the total.
  static constexpr bool compensated = std::is_floating_point_v<T> && requires { requires means::sums; };

  template <class X>
  [[gnu::always_inline]] static X neutral() {
    return X(means::template neutral<T>());
  }
  template <class X>
  [[gnu::always_inline]] static X both(const X& x, const X& y) {
    constexpr bool wraps = Step::program::kind(Step::root(R)).is(fact::wraps) && std::is_integral_v<T> && !std::is_same_v<T, bool>;
    if constexpr (wraps && std::is_same_v<X, T>) {
      using wide = typename wrapping_type<T>::type;
      return static_cast<T>(means::combine(static_cast<wide>(x), static_cast<wide>(y)));
    } else if constexpr (wraps && std::is_signed_v<T>) {
      using U = canonical<std::make_unsigned_t<T>>;
      return simd::reinterpret<T>(means::combine(simd::reinterpret<U>(x), simd::reinterpret<U>(y)));
    } else {
      return static_cast<X>(means::combine(x, y));
    }
  }
  // Adds x to a total; what rounding loses of it is kept apart (Knuth's two-sum), and becomes part of the total as soon as it
  // is large enough.
  template <class X>
  [[gnu::always_inline]] static void add_part(X& total, X& lost, const X& x) {
    const X next = both(total, x);
    if constexpr (compensated) {
      using detail::select;
      const X part = next - total;
      const X rest = lost + ((total - (next - part)) + (x - part)), sum = next + rest;
      const auto finite = sum - sum == X(0);
      lost = select(finite, rest - (sum - next), X(0));
      total = select(finite, sum, next);
    } else {
      total = next;
    }
  }
  static T finished(T total, [[maybe_unused]] T lost, [[maybe_unused]] index count) {
    if constexpr (compensated) total += lost;
    if constexpr (requires { means::finish(total, count); }) return means::finish(total, count);
    else return total;
  }
  // All lanes of a register, pairwise.
  [[gnu::always_inline]] static T across(const vector& x) {
    if constexpr (std::is_same_v<T, bool>) {
      spilled<T, Lead> lane;
      spill<T, Lead>(lane.at, x);
      for (index k = step_lanes<Step> / 2; k > 0; k /= 2)
        for (index j = 0; j < k; ++j) lane.at[j] = both<T>(lane.at[j], lane.at[j + k]);
      return lane.at[0];
    } else {
      return simd::fold(x, [](const vector& a, const vector& b) __attribute__((always_inline)) { return both(a, b); });
    }
  }
  // The lanes of x from `first` on; the others change nothing.
  [[gnu::always_inline]] static vector lanes_from(index first, const vector& x) {
    const auto mask = simd::lanes_from<Lead>(first);
    if constexpr (std::is_same_v<T, bool>) return (x & mask) | (neutral<vector>() & !mask);
    else return xsimd::select(simd::mask_cast<T>(mask), x, neutral<vector>());
  }
};

template <class Step>
inline constexpr bool any_compensated = []<int... R>(std::integer_sequence<int, R...>) {
  return (reduced_root<Step, R>::compensated || ...);
}(root_numbers<Step>());

// So many elements are added to one accumulator before its value becomes part of a compensated total.
template <class Step>
inline constexpr index longest_sum = any_compensated<Step> ? 32 : index{1} << 40;

// Accumulators of one root, and the total that they become part of.
template <class Step, bool Vector, int Count, int R>
struct root_accumulators : reduced_root<Step, R> {
  using root = reduced_root<Step, R>;
  using T = typename root::T;
  using X = std::conditional_t<Vector, typename root::vector, T>;
  X at[Count];
  X total{}, lost{};

  // Without loops: compilers look for what can stay in registers before they unroll.
  template <int... K>
  [[gnu::always_inline]] void start(std::integer_sequence<int, K...>) {
    ((at[K] = root::template neutral<X>()), ...);
  }
  template <int... K>
  [[gnu::always_inline]] void halve(std::integer_sequence<int, K...>) {
    constexpr int half = sizeof...(K);
    ((at[K] = root::both(at[K], at[K + half])), ...);
    if constexpr (half > 1) halve(std::make_integer_sequence<int, half / 2>());
  }
  [[gnu::always_inline]] void add(int k, registers<Step, Vector>& r) { at[k] = root::both(at[k], r.template get<root::operand>()); }
  [[gnu::always_inline]] void add_lanes(index first, registers<Step, true>& r) {
    at[Count - 1] = root::both(at[Count - 1], root::lanes_from(first, r.template get<root::operand>()));
  }
  // The accumulators become part of the total, pairwise.
  [[gnu::always_inline]] void close(bool first) {
    if constexpr (Count > 1) halve(std::make_integer_sequence<int, Count / 2>());
    if (first) {
      total = at[0];
      lost = root::template neutral<X>();
    } else {
      root::add_part(total, lost, at[0]);
    }
  }
  // Combines with what lies in memory, and leaves it there.
  [[gnu::always_inline]] void combine(void* root_memory, void* lost_memory, index i, int k, bool first) {
    T* to = static_cast<T*>(root_memory) + i;
    T* rest = static_cast<T*>(lost_memory) + i;
    X whole = at[k], missing = root::template neutral<X>();
    if (!first) {
      if constexpr (Vector) whole = fill<T, typename root::Lead>(to);
      else whole = *to;
      if constexpr (!root::compensated) missing = whole;
      else if constexpr (Vector) missing = fill<T, typename root::Lead>(rest);
      else missing = *rest;
      root::add_part(whole, missing, at[k]);
    }
    if constexpr (Vector) spill<T, typename root::Lead>(to, whole);
    else *to = whole;
    if constexpr (!root::compensated) return;
    else if constexpr (Vector) spill<T, typename root::Lead>(rest, missing);
    else *rest = missing;
  }
};

template <class Step, bool Vector, int Count, class Roots = root_numbers<Step>>
struct accumulators;
template <class Step, bool Vector, int Count, int... R>
struct accumulators<Step, Vector, Count, std::integer_sequence<int, R...>> : root_accumulators<Step, Vector, Count, R>... {
  template <int Root>
  using of = root_accumulators<Step, Vector, Count, Root>;

  [[gnu::always_inline]] void start() { (of<R>::start(std::make_integer_sequence<int, Count>()), ...); }
  // Computes the body at one place and adds it to accumulator k.
  [[gnu::always_inline]] void add(int k, registers<Step, Vector>& r, const void* const* leaf, index i) {
    evaluate_body<Step, Vector, false>(r, leaf, i);
    (of<R>::add(k, r), ...);
  }
  template <int... K>
  [[gnu::always_inline]] void add_several(registers<Step, Vector>& r, const void* const* leaf, index i, std::integer_sequence<int, K...>) {
    (add(K, r, leaf, i + K * (Vector ? step_lanes<Step> : 1)), ...);
  }
  [[gnu::always_inline]] void add_lanes(index first, registers<Step, true>& r) { (of<R>::add_lanes(first, r), ...); }
  [[gnu::always_inline]] void close(bool first) { (of<R>::close(first), ...); }
  [[gnu::always_inline]] void combine(void* const* to, void* const* rest, index i, bool first) {
    for (int k = 0; k < Count; ++k) (of<R>::combine(to[R], rest[R], i + k * (Vector ? step_lanes<Step> : 1), k, first), ...);
  }
};

// The totals of a run.
template <class Step>
using run_totals = accumulators<Step, false, 1>;

template <class Step, int Count, int... R>
[[gnu::always_inline]] inline void fold_totals(run_totals<Step>& to, accumulators<Step, true, Count>& from, bool several,
                                               std::integer_sequence<int, R...>) {
  ((static_cast<root_accumulators<Step, false, 1, R>&>(to).total = reduced_root<Step, R>::across(static_cast<root_accumulators<Step, true, Count, R>&>(from).total)),
   ...);
  ((static_cast<root_accumulators<Step, false, 1, R>&>(to).lost =
        reduced_root<Step, R>::compensated && several ? reduced_root<Step, R>::across(static_cast<root_accumulators<Step, true, Count, R>&>(from).lost)
                                                      : typename reduced_root<Step, R>::T()),
   ...);
}

template <class Step>
[[gnu::always_inline]] inline void reduce_singles(run_totals<Step>& t, const void* const* leaf, index n) {
  registers<Step, false> r;
  evaluate_body<Step, false, true>(r, leaf, 0);
  index i = 0;
  do {
    const bool first = i == 0;
    const index end = n - i < longest_sum<Step> ? n : i + longest_sum<Step>;
    t.start();
    for (; i < end; ++i) t.add(0, r, leaf, i);
    t.close(first);
  } while (i < n);
}

// At least one register full.
template <class Step>
[[gnu::always_inline]] inline void reduce_vectors(run_totals<Step>& t, const void* const* leaf, index n) {
  constexpr index width = step_lanes<Step>;
  // Bodies that do much hide the latency by themselves.
  constexpr int unroll = Step::table.varying > 8 ? 1 : Step::roots == 1 ? 8 : Step::roots == 2 ? 4 : 1;
  constexpr index block = longest_sum<Step> * width * unroll;
  registers<Step, true> r;
  evaluate_body<Step, true, true>(r, leaf, 0);
  accumulators<Step, true, unroll> a;
  const index whole = n / width * width;
  index i = 0;
  do {
    const bool first = i == 0;
    const index end = whole - i > block ? i + block : whole;
    a.start();
    if constexpr (unroll > 1)
      for (; i + unroll * width <= end; i += unroll * width) a.add_several(r, leaf, i, std::make_integer_sequence<int, unroll>());
    if constexpr (unroll > 2)
      for (; i + 2 * width <= end; i += 2 * width) a.add_several(r, leaf, i, std::make_integer_sequence<int, 2>());
    for (; i < end; i += width) a.add(unroll / 2, r, leaf, i);
    if (i == whole && whole != n) {
      // The last register full, which overlaps.
      evaluate_body<Step, true, false>(r, leaf, n - width);
      a.add_lanes(width - (n - whole), r);
    }
    a.close(first);
  } while (i < whole);
  fold_totals<Step>(t, a, whole > block, root_numbers<Step>());
}

// Fewer elements than a register holds, by way of padded memory.
template <class Step>
[[gnu::noinline]] void reduce_padded(run_totals<Step>& t, const void* const* leaf, index n) {
  padded_leaves<Step> pad(leaf, n);
  registers<Step, true> r;
  evaluate_body<Step, true, true>(r, pad.leaf, 0);
  evaluate_body<Step, true, false>(r, pad.leaf, step_lanes<Step> - n);
  accumulators<Step, true, 1> a;
  a.start();
  a.add_lanes(step_lanes<Step> - n, r);
  a.close(true);
  fold_totals<Step>(t, a, false, root_numbers<Step>());
}

// The totals of n contiguous elements of the body.
template <class Step, index Known = -1>
[[gnu::always_inline]] inline void reduce_run(run_totals<Step>& t, const void* const* leaves, index n) {
  const local_pointers<Step> p(leaves);
  constexpr bool small = Step::table.varying <= small_body;
  if constexpr (Step::vectorizable && !(Known >= 0 && Known < step_lanes<Step>))
    if (n >= step_lanes<Step>) return reduce_vectors<Step>(t, p.leaf, n);
  if constexpr (!Step::vectorizable || small) {
    reduce_singles<Step>(t, p.leaf, n);
  } else {
    if (n > 0) return reduce_padded<Step>(t, p.leaf, n);
    t.start();
    t.close(true);
  }
}

template <class Step, int... R>
[[gnu::always_inline]] inline void store_totals(run_totals<Step>& t, void* const* root, void* const* lost, reduction_part part,
                                                std::integer_sequence<int, R...>) {
  auto store = [part](auto& of, void* root_memory, void* lost_memory) __attribute__((always_inline)) {
    using reduced = typename std::remove_reference_t<decltype(of)>::root;
    using T = typename reduced::T;
    T& to = *static_cast<T*>(root_memory);
    if (!part.first) {
      // What earlier parts left.
      T rest{};
      if constexpr (reduced::compensated) rest = *static_cast<T*>(lost_memory);
      T total = to;
      reduced::add_part(total, rest, of.total);
      if constexpr (reduced::compensated) of.lost += rest;
      of.total = total;
    }
    if (part.last) {
      to = reduced::finished(of.total, of.lost, part.count);
    } else {
      to = of.total;
      if constexpr (reduced::compensated) *static_cast<T*>(lost_memory) = of.lost;
    }
  };
  (store(static_cast<root_accumulators<Step, false, 1, R>&>(t), root[R], lost[R]), ...);
}

/// Combines n contiguous elements of the body into one element of each root.
template <class Step>
[[gnu::noinline]] void reduce_row(const void* const* leaf, void* const* root, void* const* lost, index n, reduction_part part) {
  run_totals<Step> t;
  reduce_run<Step>(t, leaf, n);
  store_totals<Step>(t, root, lost, part, root_numbers<Step>());
}

template <class Step, int L>
const void* leaf_from(const void* leaf, index first) {
  if constexpr (Step::table.invariant[L]) return leaf;
  else return static_cast<const type_of<Step::table.type[L]>*>(leaf) + first;
}

template <class Root>
void combine_parts(void* to, const char* totals, const char* lost, index parts, index count) {
  using T = typename Root::T;
  auto *part = reinterpret_cast<const T*>(totals), *rest = reinterpret_cast<const T*>(lost);
  T total = part[0], missing = rest[0];
  for (index k = 1; k < parts; ++k) {
    Root::add_part(total, missing, part[k]);
    if constexpr (Root::compensated) missing += rest[k];
  }
  *static_cast<T*>(to) = Root::finished(total, missing, count);
}

/// As reduce_row, for all elements that a root has, in blocks that threads may share.
template <class Step>
[[gnu::noinline, gnu::cold]] void reduce_shared(const void* const* leaf, void* const* root, index n) {
  const index parts = n / shared_length;
  // Totals of up to 8 bytes, and what rounding lost of each.
  const auto bytes = aligned_size(static_cast<std::size_t>(parts) * 8);
  workspace memory(2 * static_cast<std::size_t>(Step::roots) * bytes);
  auto place = [&](int r, bool lost) { return memory.data() + static_cast<std::size_t>(2 * r + lost) * bytes; };
  [&]<int... L, int... R>(std::integer_sequence<int, L...>, std::integer_sequence<int, R...>) {
    share_blocks(n, shared_length, [&](index first, index length) {
      const void* leaves[] = {leaf_from<Step, L>(leaf[L], first)..., nullptr};
      void* totals[] = {reinterpret_cast<root_type<Step, R>*>(place(R, false)) + first / shared_length...};
      void* lost[] = {reinterpret_cast<root_type<Step, R>*>(place(R, true)) + first / shared_length...};
      reduce_row<Step>(leaves, totals, lost, length, {true, false, 0});
    });
    (combine_parts<reduced_root<Step, R>>(root[R], place(R, false), place(R, true), parts, n), ...);
  }(std::make_integer_sequence<int, Step::leaves>(), root_numbers<Step>());
}

// So many rows are read side by side where a reduction keeps the last axis: each is a stream that processors can foresee.
inline constexpr index rows_together = 8;

// Some columns of some rows of the body, from number i on.
template <class Step, bool Vector, int Count>
[[gnu::always_inline]] inline void accumulate_columns(registers<Step, Vector>& r, const local_pointers<Step>& from, const index* stride,
                                                      void* const* root, void* const* lost, index i, index rows, bool first) {
  local_pointers<Step> p = from;
  accumulators<Step, Vector, Count> a;
  a.start();
  for (index row = 0; row < rows; ++row) {
    a.add_several(r, p.leaf, i, std::make_integer_sequence<int, Count>());
    for (int l = 0; l < Step::leaves; ++l) p.leaf[l] = static_cast<const char*>(p.leaf[l]) + stride[l];
  }
  a.combine(root, lost, i, first);
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
  if constexpr (Step::vectorizable) {
    constexpr index width = step_lanes<Step>;
    constexpr int count = Step::table.varying <= 8 && Step::roots == 1 ? 4 : 1;
    registers<Step, true> r;
    evaluate_body<Step, true, true>(r, p.leaf, 0);
    if constexpr (count > 1)
      for (; i + count * width <= n; i += count * width)
        accumulate_columns<Step, true, count>(r, p, stride, root, lost, i, rows, part.first);
    for (; i + width <= n; i += width) accumulate_columns<Step, true, 1>(r, p, stride, root, lost, i, rows, part.first);
  }
  registers<Step, false> r;
  evaluate_body<Step, false, true>(r, p.leaf, 0);
  for (; i < n; ++i) accumulate_columns<Step, false, 1>(r, p, stride, root, lost, i, rows, part.first);
  if (part.last)
    [&]<int... R>(std::integer_sequence<int, R...>) {
      (finish_columns<reduced_root<Step, R>>(root[R], lost[R], n, part.count), ...);
    }(root_numbers<Step>());
}

}  // namespace detail

}  // namespace jig
