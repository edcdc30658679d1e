// SPDX-License-Identifier: MIT
#pragma once
// Lanes that change places within registers and between them.

#include <jig/eval/merge_lanes.hpp>
#include <jig/eval/simd.hpp>

namespace jig::simd {

/// Whether lanes of numbers T move freely within registers: bytes and pairs of them seldom do.
#if defined(__AVX512VBMI__)
template <class T>
inline constexpr bool moves_lanes = true;
#else
template <class T>
inline constexpr bool moves_lanes = sizeof(T) >= 4;
#endif

namespace detail {

template <class T, index Width, index N>
[[gnu::always_inline]] inline typename native<T, Width>::type repeat_native(const T* from) {
  if constexpr (N == Width) {
    typename native<T, N>::type x;
    std::memcpy(&x, from, sizeof(x));
    return x;
  } else {
    const auto half = repeat_native<T, Width / 2, N>(from);
    return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      return shuffle<I...>(half, half);
    }(std::make_integer_sequence<int, static_cast<int>(Width)>());
  }
}

}  // namespace detail

/// The same N elements again and again until the register is full.
template <class B, index N>
[[gnu::always_inline]] inline B repeat(const typename B::value_type* from) {
  using R = typename B::register_type;
  using T = typename B::value_type;
#if defined(__AVX512F__)
  // One instruction that GCC does not find by itself.
  if constexpr (sizeof(B) == 64 && N * sizeof(T) == 16) {
    const void* bytes = from;
    return B(std::bit_cast<R>(_mm512_broadcast_i32x4(_mm_loadu_si128(static_cast<const __m128i*>(bytes)))));
  }
#endif
  return B(std::bit_cast<R>(detail::repeat_native<T, static_cast<index>(B::size), N>(from)));
}

/// In every group of N lanes all get what is in lane P of the group.
template <int P, int N, class B>
[[gnu::always_inline]] inline B spread(const B& x) {
  using R = typename B::register_type;
  const auto y = std::bit_cast<native_of<B>>(static_cast<R>(x));
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return B(std::bit_cast<R>(shuffle<(I / N * N + P)...>(y, y)));
  }(std::make_integer_sequence<int, static_cast<int>(B::size)>());
}

/// Lane i gets lane Map::at(i) of x, or of y, whose lanes are counted behind those of x.
template <class Map, class B>
[[gnu::always_inline]] inline B permute(const B& x, const B& y) {
  using R = typename B::register_type;
  const auto a = std::bit_cast<native_of<B>>(static_cast<R>(x)), b = std::bit_cast<native_of<B>>(static_cast<R>(y));
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return B(std::bit_cast<R>(shuffle<(Map::at(I))...>(a, b)));
  }(std::make_integer_sequence<int, static_cast<int>(B::size)>());
}
template <class Map, class B>
[[gnu::always_inline]] inline B permute(const B& x) {
  return permute<Map>(x, x);
}
/// Lane l is lane From::lane(l) of x[From::source(l) * Stride], of so many registers.
template <class From, int Count, int Stride = 1, class B>
[[gnu::always_inline]] inline B merge(const B* x) {
  using R = typename B::register_type;
  // Most often there are one or two, for which compilers have less to do.
  if constexpr (Count <= 2)
    return B(std::bit_cast<R>(detail::shuffle_by<detail::lane_of_pair<From, 0>>(
        std::bit_cast<native_of<B>>(static_cast<R>(x[0])), std::bit_cast<native_of<B>>(static_cast<R>(x[(Count - 1) * Stride])),
        std::make_integer_sequence<int, static_cast<int>(B::size)>())));
  else
    return [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
      const native_of<B> y[] = {std::bit_cast<native_of<B>>(static_cast<R>(x[K * Stride]))...};
      return B(std::bit_cast<R>(merge_lanes<From, static_cast<int>(B::size)>(y)));
    }(std::make_integer_sequence<int, Count>());
}

namespace detail {

// The first or the second half of what interleaving two registers gives.
template <int Half, class N, int... I>
[[gnu::always_inline]] inline N interleaved_half(const N& x, const N& y, std::integer_sequence<int, I...>) {
  constexpr int width = static_cast<int>(sizeof...(I));
  return shuffle<(I / 2 + Half * (width / 2) + I % 2 * width)...>(x, y);
}
// Interleaves the first half of the registers with the second one, again and again until columns are rows.
template <int Round, class N, int... Q>
[[gnu::always_inline]] inline void transpose_rounds(N* x, std::integer_sequence<int, Q...> all) {
  constexpr int width = static_cast<int>(sizeof...(Q));
  if constexpr (Round < width) {
    // Every position is a constant from the start: of arrays that loops write GCC keeps the memory.
    const N from[] = {x[Q]...};
    ((x[Q] = interleaved_half<Q % 2>(from[Q / 2], from[Q / 2 + width / 2], all)), ...);
    transpose_rounds<2 * Round>(x, all);
  }
}

}  // namespace detail

/// Columns become rows: lane i of the result's register j is lane j of register i.
template <class B>
[[gnu::always_inline]] inline void transpose(B (&x)[B::size]) {
  using R = typename B::register_type;
  using N = native_of<B>;
  [&]<int... Q>(std::integer_sequence<int, Q...> all) __attribute__((always_inline)) {
    N y[] = {std::bit_cast<N>(static_cast<R>(x[Q]))...};
    detail::transpose_rounds<1>(y, all);
    ((x[Q] = B(std::bit_cast<R>(y[Q]))), ...);
  }(std::make_integer_sequence<int, static_cast<int>(B::size)>());
}

/// The lanes of both by turns: x0 y0 x1 y1 …, in two registers.
template <class B>
[[gnu::always_inline]] inline void interleave(B& x, B& y) {
  using R = typename B::register_type;
  constexpr int width = static_cast<int>(B::size);
  const auto a = std::bit_cast<native_of<B>>(static_cast<R>(x)), b = std::bit_cast<native_of<B>>(static_cast<R>(y));
  [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    x = B(std::bit_cast<R>(shuffle<(I / 2 + I % 2 * width)...>(a, b)));
    y = B(std::bit_cast<R>(shuffle<(I / 2 + width / 2 + I % 2 * width)...>(a, b)));
  }(std::make_integer_sequence<int, width>());
}

}  // namespace jig::simd
