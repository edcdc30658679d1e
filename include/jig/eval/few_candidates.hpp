// SPDX-License-Identifier: MIT
#pragma once
// Which of a few operands is best, lane by lane. They are compared in pairs, then the winners, so that few comparisons wait for each other.

#include <jig/eval/ordered.hpp>
#include <jig/eval/sized_mask.hpp>
#include <jig/passes/few_candidates.hpp>

namespace jig {

namespace detail {

template <bool Smallest>
struct best_operand {
  template <class X, class... Others>
  [[gnu::always_inline]] static auto apply(const X& x, const Others&... others) {
    constexpr int count = 1 + sizeof...(Others);
    const X all[] = {x, others...};
    if constexpr (std::is_arithmetic_v<X>) {
      return find_single(all, count);
    } else {
      if constexpr (std::is_floating_point_v<typename X::value_type>)
        if (!are_numbers<count>(all, std::make_integer_sequence<int, count / 2>())) [[unlikely]]
          return find_beside_nan(x, others...);
      return best_of<false, 0, count>(all).at;
    }
  }

 private:
  template <class X>
  using position_of = type_of<position_type(dtype_of<X>)>;
  template <class X>
  using positions = simd::sized<position_of<typename X::value_type>, static_cast<index>(X::size)>;

  template <class X>
  static position_of<X> find_single(const X* all, int count) {
    int at = 0;
    for (int k = 1; k < count && all[at] == all[at]; ++k)
      if ((Smallest ? all[k] < all[at] : all[k] > all[at]) || all[k] != all[k]) at = k;
    return static_cast<position_of<X>>(at);
  }
  template <int Count, class X, int... K>
  [[gnu::always_inline]] static bool are_numbers(const X* all, std::integer_sequence<int, K...>) {
    auto ordered = all[Count - 1] == all[Count - 1];
    ((ordered = simd::and_ordered(ordered, all[2 * K], all[2 * K + 1])), ...);
    return simd::all_of<static_cast<index>(X::size)>(ordered);
  }
  // Of copies, so that all others may stay in registers.
  template <class X, class... Others>
  [[gnu::noinline, gnu::cold]] static positions<X> find_beside_nan(X x, Others... others) {
    const X all[] = {x, others...};
    return best_of<true, 0, 1 + sizeof...(Others)>(all).at;
  }
  template <class X>
  struct winner {
    X best;
    positions<X> at;
  };
  template <bool MayBeNan, int First, int Count, class X>
  [[gnu::always_inline]] static winner<X> best_of(const X* all) {
    using P = positions<X>;
    if constexpr (Count == 1) {
      return {all[First], P(static_cast<typename P::value_type>(First))};
    } else {
      const auto a = best_of<MayBeNan, First, (Count + 1) / 2>(all);
      const auto b = best_of<MayBeNan, First + (Count + 1) / 2, Count / 2>(all);
      const auto choose = [&](const auto& wins, const X& best) __attribute__((always_inline)) {
        return winner<X>{best, xsimd::select(simd::as_mask<P, static_cast<index>(P::size)>(wins), b.at, a.at)};
      };
      if constexpr (MayBeNan) {
        // Nothing beats NaN that comes first, and NaN is neither at least nor at most as large as anything.
        const auto wins = simd::and_ordered(inverse(Smallest ? a.best <= b.best : a.best >= b.best), a.best, a.best);
        return choose(wins, xsimd::select(wins, b.best, a.best));
      } else if constexpr (Smallest) {
        return choose(b.best < a.best, (xsimd::min)(b.best, a.best));
      } else {
        return choose(b.best > a.best, (xsimd::max)(b.best, a.best));
      }
    }
  }
};

}  // namespace detail

template <>
struct functor<detail::largest_operand> : detail::best_operand<false> {};
template <>
struct functor<detail::smallest_operand> : detail::best_operand<true> {};

}  // namespace jig
