// SPDX-License-Identifier: MIT
#pragma once
// How the roots of a reduction combine, and which roots of a step are reduced.

#include <jig/eval/loop.hpp>

namespace jig::detail {

// How one root of a step combines. X is T, the dtype, or a register of it.
template <class Step, int R>
struct reduced_root {
  using means = functor<Step::program::kind(Step::root(R))>;
  using T = root_type<Step, R>;
  using Lead = typename Step::lead_type;
  using vector = typename register_type<T, Lead, true>::type;
  static constexpr int operand = Step::stored_entry(R);
  // Whether what rounding loses of a part is added to the total.
  static constexpr bool compensated = std::is_floating_point_v<T> && requires { requires means::sums; };

  template <class X>
  [[gnu::always_inline]] static X neutral() {
    if constexpr (std::is_same_v<T, bool> && !std::is_same_v<X, bool>) return simd::broadcast_truth<X>(means::template neutral<T>());
    else return X(means::template neutral<T>());
  }
  template <class X>
  [[gnu::always_inline]] static X both(const X& x, const X& y) {
    constexpr bool wraps = Step::program::kind(Step::root(R)).is(fact::wraps) && std::is_integral_v<T> && !std::is_same_v<T, bool>;
    if constexpr (wraps && std::is_same_v<X, T>) {
      using wide = typename wrapping_type<T>::type;
      return static_cast<T>(means::combine(static_cast<wide>(x), static_cast<wide>(y)));
    } else if constexpr (wraps) {
      using U = canonical<std::make_unsigned_t<T>>;
      constexpr index lanes = std::is_same_v<X, vector> ? step_lanes<Step> : static_cast<index>(X::size);
      using W = simd::sized<U, lanes>;
      return simd::resize<T, lanes>(
          static_cast<W>(means::combine(simd::wrapping<W>(simd::resize<U, lanes>(x)), simd::wrapping<W>(simd::resize<U, lanes>(y)))));
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
      return neutral<bool>() ? xsimd::all(x) : xsimd::any(x);
    } else {
      if constexpr (looks_for_nan)
        if (!simd::all_of<step_lanes<Step>>(x == x)) [[unlikely]]
          return std::numeric_limits<T>::quiet_NaN();
      return simd::fold<step_lanes<Step>>(
          x, [](const vector& a, const vector& b) __attribute__((always_inline)) { return both_numbers(a, b); });
    }
  }
  // The first lanes of x; the others change nothing.
  template <index Lanes>
  [[gnu::always_inline]] static vector first_lanes(const vector& x) {
    return first_lanes(Lanes, x);
  }
  [[gnu::always_inline]] static vector first_lanes(index lanes, const vector& x) {
    const auto mask = simd::lanes_between<Lead>(0, lanes);
    if constexpr (std::is_same_v<T, bool>) return (x & mask) | (neutral<vector>() & !mask);
    else return xsimd::select(simd::as_mask<vector, step_lanes<Step>>(mask), x, neutral<vector>());
  }
  // The lanes of x from `first` on; the others change nothing.
  [[gnu::always_inline]] static vector lanes_from(index first, const vector& x) {
    const auto mask = simd::lanes_from<Lead>(first);
    if constexpr (std::is_same_v<T, bool>) {
      return (x & mask) | (neutral<vector>() & !mask);
    } else {
      vector here = x;
      if constexpr (std::is_integral_v<T> && sizeof(T) == 8) simd::pin(here);  // GCC 12 fails where bytes widen under a mask
      return xsimd::select(simd::as_mask<vector, step_lanes<Step>>(mask), here, neutral<vector>());
    }
  }
};

// What a run adds to one root, and what rounding lost of it.
template <class Step, int R>
struct root_total {
  typename reduced_root<Step, R>::T total{}, lost{};
};

// The roots that a step reduces come first. The others are values that it keeps of what it reduces.
template <class Step>
using reduced_numbers = std::make_integer_sequence<int, Step::reduced>;
template <class Step, class Reduced = reduced_numbers<Step>>
struct run_totals;
template <class Step, int... R>
struct run_totals<Step, std::integer_sequence<int, R...>> : root_total<Step, R>... {};
template <int First, class Numbers>
struct numbers_from;
template <int First, int... K>
struct numbers_from<First, std::integer_sequence<int, K...>> : std::type_identity<std::integer_sequence<int, (First + K)...>> {};
template <class Step>
using kept_numbers = typename numbers_from<Step::reduced, std::make_integer_sequence<int, Step::roots - Step::reduced>>::type;

template <class Step, int... R>
[[gnu::always_inline]] inline void store_first_of_kept(registers<Step, true>& r, void* const* to, [[maybe_unused]] index n,
                                                       std::integer_sequence<int, R...>) {
  (spill_first<root_type<Step, R>, typename Step::lead_type>(static_cast<root_type<Step, R>*>(to[R]),
                                                             r.template get<Step::stored_entry(R)>(), n),
   ...);
}

template <class Step>
inline constexpr bool any_compensated =
    []<int... R>(std::integer_sequence<int, R...>) { return (reduced_root<Step, R>::compensated || ...); }(reduced_numbers<Step>());

// So many elements are added to one accumulator before its value becomes part of a compensated total.
template <class Step>
inline constexpr index longest_sum = any_compensated<Step> ? 32 : index{1} << 40;

}  // namespace jig::detail
