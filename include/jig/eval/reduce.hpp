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
    } else if constexpr (wraps) {
      using U = canonical<std::make_unsigned_t<T>>;
      using W = simd::wrapping<typename register_type<U, Lead, true>::type>;
      constexpr index lanes = step_lanes<Step>;
      return simd::resize<T, lanes>(static_cast<typename register_type<U, Lead, true>::type>(means::combine(W(simd::resize<U, lanes>(x)), W(simd::resize<U, lanes>(y)))));
    } else {
      return static_cast<X>(means::combine(x, y));
    }
  }
  // Whether each step looks whether there is NaN: then one look at all that is combined is faster.
  static constexpr bool looks_for_nan = std::is_floating_point_v<T> && requires(T x) { means::combine_numbers(x, x); };
  // The same where neither is NaN.
  template <class X>
  [[gnu::always_inline]] static X both_numbers(const X& x, const X& y) {
    if constexpr (looks_for_nan) return X(means::combine_numbers(x, y));
    else return both(x, y);
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
      if constexpr (looks_for_nan)
        if (!simd::all_of<step_lanes<Step>>(x == x)) [[unlikely]] return std::numeric_limits<T>::quiet_NaN();
      return simd::fold<step_lanes<Step>>(x, [](const vector& a, const vector& b) __attribute__((always_inline)) { return both_numbers(a, b); });
    }
  }
  // The lanes of x from `first` on; the others change nothing.
  [[gnu::always_inline]] static vector lanes_from(index first, const vector& x) {
    const auto mask = simd::lanes_from<Lead>(first);
    if constexpr (std::is_same_v<T, bool>) return (x & mask) | (neutral<vector>() & !mask);
    else return xsimd::select(simd::as_mask<vector, step_lanes<Step>>(mask), x, neutral<vector>());
  }
};

// The roots that a step reduces come first. The others are values that it keeps of what it reduces.
template <class Step>
using reduced_numbers = std::make_integer_sequence<int, Step::reduced>;
template <int First, class Numbers>
struct numbers_from;
template <int First, int... K>
struct numbers_from<First, std::integer_sequence<int, K...>> : std::type_identity<std::integer_sequence<int, (First + K)...>> {};
template <class Step>
using kept_numbers = typename numbers_from<Step::reduced, std::make_integer_sequence<int, Step::roots - Step::reduced>>::type;

template <class Step, int R>
[[gnu::always_inline]] inline void store_first_lanes(registers<Step, true>& r, void* to, index n) {
  spilled<root_type<Step, R>, typename Step::lead_type> lane;
  store_root<Step, true, R>(r, lane.at, 0);
  std::memcpy(to, lane.at, sizeof(root_type<Step, R>) * static_cast<std::size_t>(n));
}
template <class Step, int... R>
[[gnu::always_inline]] inline void store_first_of_kept(registers<Step, true>& r, void* const* to, [[maybe_unused]] index n,
                                                       std::integer_sequence<int, R...>) {
  (store_first_lanes<Step, R>(r, to[R], n), ...);
}

template <class Step>
inline constexpr bool any_compensated = []<int... R>(std::integer_sequence<int, R...>) {
  return (reduced_root<Step, R>::compensated || ...);
}(reduced_numbers<Step>());

// So many elements are added to one accumulator before its value becomes part of a compensated total.
template <class Step>
inline constexpr index longest_sum = any_compensated<Step> ? 32 : index{1} << 40;

// Accumulators of one root, and the total that they become part of.
template <class Step, bool Vector, int Count, int R>
struct root_accumulators : reduced_root<Step, R> {
  using root = reduced_root<Step, R>;
  using T = typename root::T;
  using X = std::conditional_t<Vector, typename root::vector, T>;
  X at[array_bound(Count)];
  X total{}, lost{};

  // Without loops: compilers look for what can stay in registers before they unroll.
  template <int... K>
  [[gnu::always_inline]] void start(std::integer_sequence<int, K...>) {
    ((at[K] = root::template neutral<X>()), ...);
  }
  template <int... K>
  [[gnu::always_inline]] void halve(std::integer_sequence<int, K...>) {
    constexpr int half = sizeof...(K);
    ((at[K] = root::both_numbers(at[K], at[K + half])), ...);
    if constexpr (half > 1) halve(std::make_integer_sequence<int, half / 2>());
  }
  template <int... K>
  [[gnu::always_inline]] bool all_numbers(std::integer_sequence<int, K...>) const {
    return simd::all_of<step_lanes<Step>>(((at[K] == at[K]) & ...));
  }
  [[gnu::always_inline]] void add(int k, registers<Step, Vector>& r) { at[k] = root::both(at[k], r.template get<root::operand>()); }
  [[gnu::always_inline]] void add_lanes(index first, registers<Step, true>& r) {
    at[Count - 1] = root::both(at[Count - 1], root::lanes_from(first, r.template get<root::operand>()));
  }
  // The accumulators become part of the total, pairwise.
  [[gnu::always_inline]] void close(bool first) {
    if constexpr (Count > 1) {
      bool numbers = true;
      if constexpr (root::looks_for_nan) numbers = all_numbers(std::make_integer_sequence<int, Count>());
      if (numbers) [[likely]] halve(std::make_integer_sequence<int, Count / 2>());
      else at[0] = X(std::numeric_limits<T>::quiet_NaN());
    }
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

template <class Step, bool Vector, int Count, class Reduced = reduced_numbers<Step>>
struct accumulators;
template <class Step, bool Vector, int Count, int... R>
struct accumulators<Step, Vector, Count, std::integer_sequence<int, R...>> : root_accumulators<Step, Vector, Count, R>... {
  template <int Root>
  using of = root_accumulators<Step, Vector, Count, Root>;

  [[gnu::always_inline]] void start() { (of<R>::start(std::make_integer_sequence<int, Count>()), ...); }
  // Computes the body at one place, and stores of it what is to be kept.
  [[gnu::always_inline]] static void evaluate(registers<Step, Vector>& r, const local_pointers<Step>& p, index i) {
    evaluate_body<Step, Vector, false>(r, p.leaf, i);
    store_roots<Step, Vector>(r, p.root, i, kept_numbers<Step>());
  }
  // The same, added to accumulator k.
  [[gnu::always_inline]] void add(int k, registers<Step, Vector>& r, const local_pointers<Step>& p, index i) {
    evaluate(r, p, i);
    (of<R>::add(k, r), ...);
  }
  template <int First, int... K>
  [[gnu::always_inline]] void add_several(registers<Step, Vector>& r, const local_pointers<Step>& p, index i,
                                          std::integer_sequence<int, K...>) {
    (add(First + K, r, p, i + K * (Vector ? step_lanes<Step> : 1)), ...);
  }
  [[gnu::always_inline]] void add_lanes(index first, registers<Step, true>& r) { (of<R>::add_lanes(first, r), ...); }
  [[gnu::always_inline]] void close(bool first) { (of<R>::close(first), ...); }
  [[gnu::always_inline]] void combine(void* const* to, void* const* rest, index i, bool first) {
    for (int k = 0; k < Count; ++k) (of<R>::combine(to[R], rest[R], i + k * (Vector ? step_lanes<Step> : 1), k, first), ...);
  }
};

// What a run adds to one root, and what rounding lost of it.
template <class Step, int R>
struct root_total {
  typename reduced_root<Step, R>::T total{}, lost{};
};
template <class Step, class Reduced = reduced_numbers<Step>>
struct run_totals;
template <class Step, int... R>
struct run_totals<Step, std::integer_sequence<int, R...>> : root_total<Step, R>... {};

template <class Step, bool Vector, int Count, int R>
[[gnu::always_inline]] inline root_total<Step, R> total_of(const root_accumulators<Step, Vector, Count, R>& a, bool several) {
  using of = reduced_root<Step, R>;
  if constexpr (!Vector) return {a.total, a.lost};
  else if constexpr (!of::compensated) return {of::across(a.total), {}};
  else return {of::across(a.total), several ? of::across(a.lost) : typename of::T()};
}
template <class Step, bool Vector, int Count, int... R>
[[gnu::always_inline]] inline run_totals<Step> totals_of(const accumulators<Step, Vector, Count>& a, bool several,
                                                         std::integer_sequence<int, R...>) {
  return {total_of<Step, Vector, Count, R>(a, several)...};
}

// Of the first n lanes of a register, one by one.
template <class Step, int R>
[[gnu::always_inline]] inline root_total<Step, R> total_of_lanes(registers<Step, true>& r, index n) {
  using of = reduced_root<Step, R>;
  spilled<typename of::T, typename of::Lead> lane;
  spill<typename of::T, typename of::Lead>(lane.at, r.template get<of::operand>());
  root_total<Step, R> to{of::template neutral<typename of::T>(), {}};
  for (index k = 0; k < n; ++k) to.total = of::both(to.total, lane.at[k]);
  return to;
}
template <class Step, int... R>
[[gnu::always_inline]] inline run_totals<Step> totals_of_lanes(registers<Step, true>& r, index n, std::integer_sequence<int, R...>) {
  return {total_of_lanes<Step, R>(r, n)...};
}

template <class Step>
[[gnu::always_inline]] inline run_totals<Step> reduce_singles(const local_pointers<Step>& p, index n) {
  registers<Step, false> r;
  evaluate_body<Step, false, true>(r, p.leaf, 0);
  accumulators<Step, false, 1> a;
  index i = 0;
  do {
    const bool first = i == 0;
    const index end = n - i < longest_sum<Step> ? n : i + longest_sum<Step>;
    a.start();
    for (; i < end; ++i) a.add(0, r, p, i);
    a.close(first);
  } while (i < n);
  return detail::totals_of(a, true, reduced_numbers<Step>());
}

// Bodies that do much hide the latency of the combination by themselves.
template <class Step>
inline constexpr int accumulators_of_run = [] {
  int work = 0;
  for (int e = Step::leaves; e < Step::entries; ++e)
    if (!Step::table.invariant[e]) work += Step::table.kind[e]->is(fact::approximate) ? 4 : 1;
  return work > 8 ? 1 : work > 4 ? 2 : Step::reduced == 1 ? 8 : Step::reduced == 2 ? 4 : 1;
}();

// Fewer registers full than there are accumulators: each to one of its own, so that none waits for another.
template <int First, int Half, class Step, int Count>
[[gnu::always_inline]] inline void reduce_rest(accumulators<Step, true, Count>& a, registers<Step, true>& r,
                                               const local_pointers<Step>& p, index& i, index end) {
  if constexpr (Half > 0) {
    if (i + Half * step_lanes<Step> <= end) {
      a.template add_several<First>(r, p, i, std::make_integer_sequence<int, Half>());
      i += Half * step_lanes<Step>;
    }
    reduce_rest<First + Half, Half / 2>(a, r, p, i, end);
  }
}

// At least one register full.
template <class Step>
[[gnu::always_inline]] inline run_totals<Step> reduce_vectors(const local_pointers<Step>& p, index n) {
  constexpr index width = step_lanes<Step>;
  constexpr int count = accumulators_of_run<Step>;
  constexpr index block = longest_sum<Step> * width * count;
  registers<Step, true> r;
  evaluate_body<Step, true, true>(r, p.leaf, 0);
  accumulators<Step, true, count> a;
  const index whole = n / width * width;
  index i = 0;
  do {
    const bool first = i == 0;
    const index end = whole - i > block ? i + block : whole;
    a.start();
    for (; i + count * width <= end; i += count * width) a.template add_several<0>(r, p, i, std::make_integer_sequence<int, count>());
    reduce_rest<0, count / 2>(a, r, p, i, end);
    if (i == whole && whole != n) {
      // The last register full, which overlaps.
      a.evaluate(r, p, n - width);
      a.add_lanes(width - (n - whole), r);
    }
    a.close(first);
  } while (i < whole);
  return detail::totals_of(a, whole > block, reduced_numbers<Step>());
}

// Fewer elements than a register holds, by way of padded memory.
template <class Step>
[[gnu::noinline]] run_totals<Step> reduce_padded(const local_pointers<Step>& p, index n) {
  padded_leaves<Step> pad(p.leaf, n);
  registers<Step, true> r;
  evaluate_body<Step, true, true>(r, pad.leaf, 0);
  evaluate_body<Step, true, false>(r, pad.leaf, 0);
  store_first_of_kept<Step>(r, p.root, n, kept_numbers<Step>());
  return totals_of_lanes(r, n, reduced_numbers<Step>());
}

/// The totals of n contiguous elements of the body, which is in the program once; Known is n where it is known at compile
/// time, else -1. Pointers travel as parameters: written to memory and read back they would stall the call.
template <class Step, index Known, class Leaves = std::make_integer_sequence<int, Step::leaves>, class Kept = kept_numbers<Step>>
struct run_reduction;
template <class Step, index Known, int... L, int... R>
struct run_reduction<Step, Known, std::integer_sequence<int, L...>, std::integer_sequence<int, R...>> {
  template <int>
  using leaf_pointer = const void*;
  template <int>
  using root_pointer = void*;
  [[gnu::noinline]] static run_totals<Step> run(index given, root_pointer<R>... kept, leaf_pointer<L>... leaf) {
    const index n = Known < 0 ? given : Known;
    const void* leaves[] = {leaf..., nullptr};
    local_pointers<Step> p(leaves);
    ((p.root[R] = kept), ...);
    if constexpr (Step::vectorizable && !(Known >= 0 && Known < step_lanes<Step>))
      if (n >= step_lanes<Step>) return reduce_vectors<Step>(p, n);
    if constexpr (!Step::vectorizable || Step::has_windows || Step::table.varying <= small_body) {
      return reduce_singles<Step>(p, n);
    } else {
      if (n > 0) return reduce_padded<Step>(p, n);
      accumulators<Step, false, 1> none;
      none.start();
      none.close(true);
      return totals_of(none, false, reduced_numbers<Step>());
    }
  }
  [[gnu::always_inline]] static run_totals<Step> spread(const void* const* leaf, [[maybe_unused]] void* const* root, index n) {
    return run(n, root[R]..., leaf[L]...);
  }
};

template <class Step, index Known = -1>
[[gnu::always_inline]] inline run_totals<Step> reduce_run(const void* const* leaf, void* const* root, index n) {
  return run_reduction<Step, Known>::spread(leaf, root, n);
}

template <class Step, int R>
[[gnu::always_inline]] inline void store_total(root_total<Step, R> of, void* root, void* lost, reduction_part part) {
  using reduced = reduced_root<Step, R>;
  using T = typename reduced::T;
  T& to = *static_cast<T*>(root);
  if (!part.first) {
    // What earlier parts left.
    T rest{};
    if constexpr (reduced::compensated) rest = *static_cast<T*>(lost);
    T total = to;
    reduced::add_part(total, rest, of.total);
    if constexpr (reduced::compensated) of.lost += rest;
    of.total = total;
  }
  if (part.last) {
    to = reduced::finished(of.total, of.lost, part.count);
  } else {
    to = of.total;
    if constexpr (reduced::compensated) *static_cast<T*>(lost) = of.lost;
  }
}
template <class Step, int... R>
[[gnu::always_inline]] inline void store_totals(const run_totals<Step>& t, void* const* root, void* const* lost, reduction_part part,
                                                std::integer_sequence<int, R...>) {
  (store_total<Step, R>(t, root[R], lost[R], part), ...);
}

/// Combines n contiguous elements of the body into one element of each root.
template <class Step, index Known = -1>
[[gnu::always_inline]] inline void reduce_all(const void* const* leaf, void* const* root, index n) {
  store_totals<Step>(reduce_run<Step, Known>(leaf, root, n), root, root, {true, true, n}, reduced_numbers<Step>());
}

/// The same for a part of the elements.
template <class Step>
void reduce_part(const void* const* leaf, void* const* root, void* const* lost, index n, reduction_part part) {
  store_totals<Step>(reduce_run<Step>(leaf, root, n), root, lost, part, reduced_numbers<Step>());
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
    workspace memory(2 * sizeof...(R) * bytes);
    auto place = [&](int r, bool lost) { return memory.data() + static_cast<std::size_t>(2 * r + lost) * bytes; };
    share_blocks(n, shared_length, [&](index first, index length) {
      const void* leaves[] = {leaf_from<Step, L>(leaf, first)..., nullptr};
      void* totals[] = {reinterpret_cast<root_type<Step, R>*>(place(R, false)) + first / shared_length...};
      void* lost[] = {reinterpret_cast<root_type<Step, R>*>(place(R, true)) + first / shared_length...};
      reduce_part<Step>(leaves, totals, lost, length, {true, false, 0});
    });
    (combine_parts<reduced_root<Step, R>>(root, place(R, false), place(R, true), parts, n), ...);
  }
  [[gnu::always_inline]] static void spread(const void* const* leaf, void* const* root, index n) { run(n, root[R]..., leaf[L]...); }
};

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
    a.template add_several<0>(r, p, i, std::make_integer_sequence<int, Count>());
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
