// SPDX-License-Identifier: MIT
#pragma once
// Reductions over any axes. The operand is computed in the same loop that combines it; several accumulators hide the
// latency of the combination, and floating sums are compensated from block to block.

#include <jig/eval/ordered.hpp>
#include <jig/eval/reduce_few.hpp>
#include <jig/eval/strided.hpp>
#include <jig/eval/widening_sum.hpp>
#include <jig/eval/workspace.hpp>

namespace jig {

namespace detail {

// Accumulators of one root, and the total that they become part of unless each is a result by itself.
template <class Step, bool Vector, int Count, bool Apart, int R>
struct root_accumulators : reduced_root<Step, R> {
  using root = reduced_root<Step, R>;
  using T = typename root::T;
  using X = std::conditional_t<Vector, typename root::vector, T>;
  // Where there may be NaN, accumulators combine as if there were none, and what they combine is looked at two registers at a time.
  static constexpr bool looks_at_pairs = Vector && Count > 1 && !Apart && root::looks_for_nan;
  struct nothing {};
  struct ordered_pairs {
    decltype(X() == X()) at[array_bound(Count / 2)];
    X held{};
  };
  X at[array_bound(Count)];
  X total{}, lost{};
  typename std::conditional_t<looks_at_pairs, std::type_identity<ordered_pairs>, std::type_identity<nothing>>::type ordered;

  // Without loops: compilers look for what can stay in registers before they unroll.
  template <int... K>
  [[gnu::always_inline]] void start(std::integer_sequence<int, K...>) {
    ((at[K] = root::template neutral<X>()), ...);
    if constexpr (looks_at_pairs) ((ordered.at[K / 2] = simd::broadcast_truth<std::remove_cvref_t<decltype(ordered.at[0])>>(true)), ...);
  }
  template <int... K>
  [[gnu::always_inline]] void halve(std::integer_sequence<int, K...>) {
    constexpr int half = sizeof...(K);
    ((at[K] = root::both_numbers(at[K], at[K + half])), ...);
    if constexpr (half > 1) halve(std::make_integer_sequence<int, half / 2>());
  }
  template <int... K>
  [[gnu::always_inline]] bool all_numbers(std::integer_sequence<int, K...>) const {
    return simd::all_of<step_lanes<Step>>((ordered.at[K] & ...));
  }
  // Combines x with accumulator k. Those of a pair come one after the other, unless one comes alone.
  [[gnu::always_inline]] void combine_with(int k, const X& x, [[maybe_unused]] bool alone) {
    if constexpr (looks_at_pairs) {
      X here = x;
      simd::pin(here);  // GCC would load it again where it is compared
      at[k] = root::both_numbers(at[k], here);
      if (alone) ordered.at[k / 2] = simd::and_ordered(ordered.at[k / 2], here, here);
      else if (k % 2 == 0) ordered.held = here;
      else ordered.at[k / 2] = simd::and_ordered(ordered.at[k / 2], ordered.held, here);
    } else {
      at[k] = root::both(at[k], x);
    }
  }
  [[gnu::always_inline]] void add(int k, registers<Step, Vector>& r, bool alone) {
    combine_with(k, r.template get<root::operand>(), alone);
  }
  [[gnu::always_inline]] void add_lanes(index first, registers<Step, true>& r) {
    combine_with(Count - 1, root::lanes_from(first, r.template get<root::operand>()), true);
  }
  // The accumulators become part of the total, pairwise.
  [[gnu::always_inline]] void close(bool first) {
    if constexpr (Count > 1) {
      bool numbers = true;
      if constexpr (looks_at_pairs) numbers = all_numbers(std::make_integer_sequence<int, Count / 2>());
      if (numbers) [[likely]]
        halve(std::make_integer_sequence<int, Count / 2>());
      else at[0] = X(std::numeric_limits<T>::quiet_NaN());
    }
    if (first) {
      total = at[0];
      lost = root::template neutral<X>();
    } else {
      root::add_part(total, lost, at[0]);
    }
  }
  // Combines with what lies in memory, and leaves it there: in `n` places from i on if Some, else in as many as X has.
  template <bool Some>
  [[gnu::always_inline]] void combine(void* root_memory, void* lost_memory, index i, int k, bool first, [[maybe_unused]] index n) {
    const auto load = [&](const T* from) __attribute__((always_inline)) {
      if constexpr (Some) return simd::load_first<X>(from, n);
      else if constexpr (Vector) return fill<T, typename root::Lead>(from);
      else return *from;
    };
    const auto store = [&](T* to, const X& x) __attribute__((always_inline)) {
      if constexpr (Some) spill_first<T, typename root::Lead>(to, x, n);
      else if constexpr (Vector) spill<T, typename root::Lead>(to, x);
      else *to = x;
    };
    T* to = static_cast<T*>(root_memory) + i;
    T* rest = static_cast<T*>(lost_memory) + i;
    X whole = at[k], missing = root::template neutral<X>();
    if (!first) {
      whole = load(to);
      if constexpr (root::compensated) missing = load(rest);
      else missing = whole;
      root::add_part(whole, missing, at[k]);
    }
    store(to, whole);
    if constexpr (root::compensated) store(rest, missing);
  }
};

template <class Step, bool Vector, int Count, bool Apart = false, class Reduced = reduced_numbers<Step>>
struct accumulators;
template <class Step, bool Vector, int Count, bool Apart, int... R>
struct accumulators<Step, Vector, Count, Apart, std::integer_sequence<int, R...>> : root_accumulators<Step, Vector, Count, Apart, R>... {
  template <int Root>
  using of = root_accumulators<Step, Vector, Count, Apart, Root>;

  [[gnu::always_inline]] void start() { (of<R>::start(std::make_integer_sequence<int, Count>()), ...); }
  // Computes the body at one place, and stores of it what is to be kept.
  [[gnu::always_inline]] static void evaluate(registers<Step, Vector>& r, const local_pointers<Step>& p, index i) {
    evaluate_expression<Step, Vector, false>(r, p.leaf, i, p.places);
    store_roots<Step, Vector>(r, p.root, i, kept_numbers<Step>());
  }
  // The same, added to accumulator k.
  [[gnu::always_inline]] void add(int k, registers<Step, Vector>& r, const local_pointers<Step>& p, index i, bool alone) {
    evaluate(r, p, i);
    (of<R>::add(k, r, alone), ...);
  }
  template <int First, int... K>
  [[gnu::always_inline]] void add_several(registers<Step, Vector>& r, const local_pointers<Step>& p, index i,
                                          std::integer_sequence<int, K...>) {
    (add(First + K, r, p, i + K * (Vector ? step_lanes<Step> : 1), sizeof...(K) == 1), ...);
  }
  [[gnu::always_inline]] void add_lanes(index first, registers<Step, true>& r) { (of<R>::add_lanes(first, r), ...); }
  [[gnu::always_inline]] void close(bool first) { (of<R>::close(first), ...); }
  [[gnu::always_inline]] void combine(void* const* to, void* const* rest, index i, bool first) {
    for (int k = 0; k < Count; ++k)
      (of<R>::template combine<false>(to[R], rest[R], i + k * (Vector ? step_lanes<Step> : 1), k, first, 0), ...);
  }
  // The same of n places from i on, with the only accumulator.
  [[gnu::always_inline]] void add_some(registers<Step, true>& r, const local_pointers<Step>& p, index i, index n) {
    evaluate_expression<Step, true, false, reading{.some = true}>(r, p.leaf, i, n);
    (of<R>::add(0, r, true), ...);
  }
  [[gnu::always_inline]] void combine_some(void* const* to, void* const* rest, index i, index n, bool first) {
    (of<R>::template combine<true>(to[R], rest[R], i, 0, first, n), ...);
  }
};

template <class Step, bool Vector, int Count, int R>
[[gnu::always_inline]] inline root_total<Step, R> total_of(const root_accumulators<Step, Vector, Count, false, R>& a, bool several) {
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
  evaluate_expression<Step, false, true>(r, p.leaf, 0);
  accumulators<Step, false, 1> a;
  index i = 0;
  do {
    const bool first = i == 0;
    const index end = n - i < longest_sum<Step> ? n : i + longest_sum<Step>;
    a.start();
    for (; i < end; ++i) a.add(0, r, p, i, true);
    a.close(first);
  } while (i < n);
  return detail::totals_of(a, true, reduced_numbers<Step>());
}

// Bodies that do much hide the latency of the combination by themselves.
template <class Step>
inline constexpr int accumulators_of_run = [] {
  int work = 0;
  for (int e = Step::leaves; e < Step::entries; ++e)
    if (!Step::table.invariant[e]) work += Step::kind(e).is(fact::lanes_only) ? 4 : 1;
  return work > 8 ? 1 : work > 4 ? 2 : Step::reduced == 1 ? 8 : Step::reduced == 2 ? 4 : 1;
}();

// Fewer registers full than there are accumulators: each to one of its own, so that none waits for another.
template <int First, int Half, class Step, int Count>
[[gnu::always_inline]] inline void reduce_rest(accumulators<Step, true, Count>& a, registers<Step, true>& r, const local_pointers<Step>& p,
                                               index& i, index end) {
  if constexpr (Half > 0) {
    if (i + Half * step_lanes<Step> <= end) {
      a.template add_several<First>(r, p, i, std::make_integer_sequence<int, Half>());
      i += Half * step_lanes<Step>;
    }
    reduce_rest<First + Half, Half / 2>(a, r, p, i, end);
  }
}

// How many elements are added to accumulators between two of their closings.
template <class Step>
inline constexpr index block_of_run = longest_sum<Step> * step_lanes<Step> * accumulators_of_run<Step>;

// At least one register full.
template <class Step, int Count>
[[gnu::always_inline]] inline void accumulate_vectors(accumulators<Step, true, Count>& a, registers<Step, true>& r,
                                                      const local_pointers<Step>& p, index n) {
  constexpr index width = step_lanes<Step>, block = block_of_run<Step>;
  const index whole = n / width * width;
  index i = 0;
  do {
    const bool first = i == 0;
    const index end = whole - i > block ? i + block : whole;
    a.start();
    for (; i + Count * width <= end; i += Count * width) a.template add_several<0>(r, p, i, std::make_integer_sequence<int, Count>());
    reduce_rest<0, Count / 2>(a, r, p, i, end);
    if (i == whole && whole != n) {
      // The last register full, which overlaps.
      a.evaluate(r, p, n - width);
      a.add_lanes(width - (n - whole), r);
    }
    a.close(first);
  } while (i < whole);
}
// The same of so many registers full, and of what is left over.
template <int Full, class Step, int Count>
[[gnu::always_inline]] inline void accumulate_few(accumulators<Step, true, Count>& a, registers<Step, true>& r,
                                                  const local_pointers<Step>& p, index n) {
  static_assert(Full > 0 && Full < Count);
  constexpr index width = step_lanes<Step>, whole = Full * width;
  a.start();
  index i = 0;
  reduce_rest<0, Count / 2>(a, r, p, i, whole);
  if (n != whole) {
    a.evaluate(r, p, n - width);
    a.add_lanes(width - (n - whole), r);
  }
  a.close(true);
}
template <class Step>
[[gnu::always_inline]] inline run_totals<Step> reduce_vectors(const local_pointers<Step>& p, index n) {
  registers<Step, true> r;
  evaluate_expression<Step, true, true>(r, p.leaf, 0);
  accumulators<Step, true, accumulators_of_run<Step>> a;
  accumulate_vectors(a, r, p, n);
  return detail::totals_of(a, n / step_lanes<Step> * step_lanes<Step> > block_of_run<Step>, reduced_numbers<Step>());
}

// What root R combines of the first n lanes, in a register.
template <class Step, int R>
[[gnu::always_inline]] inline auto first_of_root(registers<Step, true>& r, index n) {
  using root = reduced_root<Step, R>;
  const auto x = root::first_lanes(n, r.template get<root::operand>());
  // Sums begin with 0, which makes 0 of -0.
  if constexpr (root::compensated) return root::both(root::template neutral<typename root::vector>(), x);
  else return x;
}
// One element at least, and no more than a register holds.
template <class Step, int... R>
[[gnu::always_inline]] inline run_totals<Step> reduce_some(const local_pointers<Step>& p, index n, std::integer_sequence<int, R...>) {
  std::tuple<elements_of_root<Step, R, true, step_lanes<Step>>...> x;
  registers<Step, true> r;
  evaluate_expression<Step, true, true>(r, p.leaf, 0);
  evaluate_expression<Step, true, false, reading{.some = true}>(r, p.leaf, 0, n);
  ((std::get<R>(x).at[0] = first_of_root<Step, R>(r, n)), ...);
  store_first_of_kept<Step>(r, p.root, n, kept_numbers<Step>());
  return {std::get<R>(x).total()...};
}

// Fewer elements than a register holds, by way of padded memory.
template <class Step>
[[gnu::noinline]] run_totals<Step> reduce_padded(const local_pointers<Step>& p, index n) {
  padded_leaves<Step> pad(p.leaf, n);
  registers<Step, true> r;
  evaluate_expression<Step, true, true>(r, pad.leaf, 0);
  evaluate_expression<Step, true, false>(r, pad.leaf, 0);
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
    p.places = n;
    constexpr bool reads_one = reads_some<Step> && !reduces_pieces<Step> && Known < 0;
    if constexpr (Step::vectorizable && !(Known >= 0 && Known < step_lanes<Step>))
      if (n >= step_lanes<Step> + reads_one) return reduce_vectors<Step>(p, n);
    if constexpr (reads_one)
      if (n > 0) return reduce_some<Step>(p, n, reduced_numbers<Step>());
    if constexpr (!Step::vectorizable || Step::has_padded_reads || Step::table.varying <= small_body) {
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
  if constexpr (adds_narrow<Step>)
    if constexpr (widening_sum<Step, Known>::possible)
      if (Known >= 0 || n >= widening_sum<Step, Known>::least) return widening_sum<Step, Known>::of(leaf, n);
  if constexpr (are_few<Step, Known>) return reduction_of_few<Step, Known>::run(leaf);
  else return run_reduction<Step, Known>::spread(leaf, root, n);
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

}  // namespace detail

}  // namespace jig
