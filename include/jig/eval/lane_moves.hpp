// SPDX-License-Identifier: MIT
#pragma once
// Lanes that change places within registers and between them.

#include <jig/eval/simd.hpp>

namespace jig::simd {

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

/// Columns become rows: lane i of the result's register j is lane j of register i.
template <class B>
[[gnu::always_inline]] inline void transpose(B (&x)[B::size]) {
  using R = typename B::register_type;
  using N = native_of<B>;
  constexpr int width = static_cast<int>(B::size);
  N from[jig::detail::array_bound(width)], to[jig::detail::array_bound(width)];
#pragma GCC unroll 32
  for (int i = 0; i < width; ++i) from[i] = std::bit_cast<N>(static_cast<R>(x[i]));
  // Each round interleaves the first half of the registers with the second one.
#pragma GCC unroll 8
  for (int round = 1; round < width; round *= 2) {
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
#pragma GCC unroll 32
      for (int i = 0; i < width / 2; ++i) {
        const N low = from[i], high = from[i + width / 2];
        to[2 * i] = shuffle<(I / 2 + I % 2 * width)...>(low, high);
        to[2 * i + 1] = shuffle<(I / 2 + width / 2 + I % 2 * width)...>(low, high);
      }
    }(std::make_integer_sequence<int, width>());
#pragma GCC unroll 32
    for (int i = 0; i < width; ++i) from[i] = to[i];
  }
#pragma GCC unroll 32
  for (int i = 0; i < width; ++i) x[i] = B(std::bit_cast<R>(from[i]));
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
