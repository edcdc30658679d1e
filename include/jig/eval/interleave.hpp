// SPDX-License-Identifier: MIT
#pragma once
// Groups of N elements that follow one another in memory, as N registers that hold one component each, and back.

#include <jig/eval/lane_moves.hpp>

namespace jig::simd {

namespace detail {

constexpr int smallest_factor(int n) {
  for (int p = 2; p * p <= n; ++p)
    if (n % p == 0) return p;
  return n;
}

// Component K of groups of N lanes that lie in N registers.
template <int Width, int N, int K>
struct lane_of_component {
  static constexpr int source(int i) { return (i * N + K) / Width; }
  static constexpr int lane(int i) { return (i * N + K) % Width; }
};
template <int N, int K, class B>
[[gnu::always_inline]] inline B component(const B* x) {
  return merge<lane_of_component<static_cast<int>(B::size), N, K>, N>(x);
}

// Register T of N components by turns.
template <int Width, int N, int T>
struct lane_of_turns {
  static constexpr int source(int i) { return (T * Width + i) % N; }
  static constexpr int lane(int i) { return (T * Width + i) / N; }
};
template <int N, int T, int Stride, class B>
[[gnu::always_inline]] inline B turns(const B* x) {
  return merge<lane_of_turns<static_cast<int>(B::size), N, T>, N, Stride>(x);
}

}  // namespace detail

/// Lane i of register k becomes lane number i * N + k of the N registers: component k of group i.
template <int N, class B>
[[gnu::always_inline]] inline void deinterleave(B* x) {
  if constexpr (N > 1) {
    constexpr int p = detail::smallest_factor(N), q = N / p;
    // Every position is a constant from the start: of arrays that loops write GCC keeps the memory.
    [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      B part[] = {detail::component<p, R / q>(x + R % q * p)...};
      [&]<int... K>(std::integer_sequence<int, K...>)
          __attribute__((always_inline)) { (deinterleave<q>(part + K * q), ...); }(std::make_integer_sequence<int, p>());
      ((x[R] = part[R % p * q + R / p]), ...);
    }(std::make_integer_sequence<int, N>());
  }
}

/// The opposite: lane number i * N + k of the N registers becomes lane i of register k.
template <int N, class B>
[[gnu::always_inline]] inline void interleave_groups(B* x) {
  if constexpr (N > 1) {
    constexpr int p = detail::smallest_factor(N), q = N / p;
    [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      B part[] = {x[R % q * p + R / q]...};
      [&]<int... K>(std::integer_sequence<int, K...>)
          __attribute__((always_inline)) { (interleave_groups<q>(part + K * q), ...); }(std::make_integer_sequence<int, p>());
      ((x[R] = detail::turns<p, R % p, q>(part + R / p)), ...);
    }(std::make_integer_sequence<int, N>());
  }
}

/// How many moves of lanes either of them takes.
constexpr int moves_of_interleaving(int n) {
  if (n == 1) return 0;
  const int p = detail::smallest_factor(n);
  return n * (p - 1) + p * moves_of_interleaving(n / p);
}

/// Combines every N lanes that follow one another in N registers, in one register. Only the first `Used` registers are read; of the lanes
/// that come from others nothing is known.
template <int N, int Used = N, class B, class F>
[[gnu::always_inline]] inline B combine_groups(const B* x, F combine) {
  if constexpr (N == 1) {
    return x[0];
  } else if constexpr (N % 2 == 0) {
    constexpr int pairs = (Used + 1) / 2;
    B half[jig::detail::array_bound(pairs)];
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      (
          [&]() __attribute__((always_inline)) {
            const B two[] = {x[2 * I], x[2 * I + 1 < Used ? 2 * I + 1 : 2 * I]};
            half[I] = combine(detail::component<2, 0>(two), detail::component<2, 1>(two));
          }(),
          ...);
    }(std::make_integer_sequence<int, pairs>());
    return combine_groups<N / 2, pairs>(half, combine);
  } else {
    static_assert(Used == N, "jig: registers that are no pairs are combined all together");
    return [&]<int... K>(std::integer_sequence<int, 0, K...>) __attribute__((always_inline)) {
      B out = detail::component<N, 0>(x);
      ((out = combine(out, detail::component<N, K>(x))), ...);
      return out;
    }(std::make_integer_sequence<int, N>());
  }
}

/// Their sums; integers have to be unsigned.
template <int N, class B>
[[gnu::always_inline]] inline B sum_groups(const B* x) {
  return combine_groups<N>(x, [](const B& a, const B& b) __attribute__((always_inline)) { return a + b; });
}

namespace detail {

// Of two registers whose halves of groups of 2 * By lanes are to be combined: the first halves, or the second ones, those of the first
// register in front.
template <int By, bool Second, int Width>
struct halves_of_pair {
  static constexpr int at(int lane) {
    const bool back = (lane & By) != 0;
    return (back == Second ? lane : lane ^ By) + (back ? Width : 0);
  }
};

}  // namespace detail

/// Lane i is what all lanes of register i combine, pairwise as `fold` does it, of as many registers as they have lanes.
template <class B, int Count = static_cast<int>(B::size), class F>
[[gnu::always_inline]] inline B fold_each(const B* x, F combine) {
  if constexpr (Count == 1) {
    return x[0];
  } else {
    constexpr int by = Count / 2, width = static_cast<int>(B::size);
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      const B half[] = {combine(permute<detail::halves_of_pair<by, false, width>>(x[I], x[I + by]),
                                permute<detail::halves_of_pair<by, true, width>>(x[I], x[I + by]))...};
      return fold_each<B, by>(half, combine);
    }(std::make_integer_sequence<int, by>());
  }
}

}  // namespace jig::simd
