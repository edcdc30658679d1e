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

// Component K of groups of N lanes that lie in N registers, where registers 0 to R have been merged already.
template <int Width, int N, int K, int R>
struct lane_of_component {
  static constexpr int at(int i) {
    const int from = i * N + K, reg = from / Width;
    return reg == R ? Width + from % Width : R == 1 && reg == 0 ? from % Width : i;
  }
};
template <int N, int K, class B, int... R>
[[gnu::always_inline]] inline B component(const B* x, std::integer_sequence<int, R...>) {
  B out = x[0];
  ((out = permute<lane_of_component<static_cast<int>(B::size), N, K, R + 1>>(out, x[R + 1])), ...);
  return out;
}

// Register T of N components by turns, where components 0 to R have been merged already.
template <int Width, int N, int T, int R>
struct lane_of_turns {
  static constexpr int at(int i) {
    const int k = (T * Width + i) % N, from = (T * Width + i) / N;
    return k == R ? Width + from : R == 1 && k == 0 ? from : i;
  }
};
template <int N, int T, class B, int... R>
[[gnu::always_inline]] inline B turns(const B* x, int stride, std::integer_sequence<int, R...>) {
  B out = x[0];
  ((out = permute<lane_of_turns<static_cast<int>(B::size), N, T, R + 1>>(out, x[(R + 1) * stride])), ...);
  return out;
}

}  // namespace detail

/// Lane i of register k becomes lane number i * N + k of the N registers: component k of group i.
template <int N, class B>
[[gnu::always_inline]] inline void deinterleave(B* x) {
  if constexpr (N > 1) {
    constexpr int p = detail::smallest_factor(N), q = N / p;
    // Every position is a constant from the start: of arrays that loops write GCC keeps the memory.
    [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      B part[] = {detail::component<p, R / q>(x + R % q * p, std::make_integer_sequence<int, p - 1>())...};
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
      ((x[R] = detail::turns<p, R % p>(part + R / p, q, std::make_integer_sequence<int, p - 1>())), ...);
    }(std::make_integer_sequence<int, N>());
  }
}

/// How many moves of lanes either of them takes.
constexpr int moves_of_interleaving(int n) {
  if (n == 1) return 0;
  const int p = detail::smallest_factor(n);
  return n * (p - 1) + p * moves_of_interleaving(n / p);
}

/// Combines every N lanes that follow one another in N registers, in one register.
template <int N, class B, class F>
[[gnu::always_inline]] inline B combine_groups(const B* x, F combine) {
  if constexpr (N == 1) {
    return x[0];
  } else if constexpr (N % 2 == 0) {
    constexpr std::integer_sequence<int, 0> one;
    B half[jig::detail::array_bound(N / 2)];
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      ((half[I] = combine(detail::component<2, 0>(x + 2 * I, one), detail::component<2, 1>(x + 2 * I, one))), ...);
    }(std::make_integer_sequence<int, N / 2>());
    return combine_groups<N / 2>(half, combine);
  } else {
    return [&]<int... K>(std::integer_sequence<int, 0, K...>) __attribute__((always_inline)) {
      constexpr std::make_integer_sequence<int, N - 1> others;
      B out = detail::component<N, 0>(x, others);
      ((out = combine(out, detail::component<N, K>(x, others))), ...);
      return out;
    }(std::make_integer_sequence<int, N>());
  }
}

/// Their sums; integers have to be unsigned.
template <int N, class B>
[[gnu::always_inline]] inline B sum_groups(const B* x) {
  return combine_groups<N>(x, [](const B& a, const B& b) __attribute__((always_inline)) { return a + b; });
}

}  // namespace jig::simd
