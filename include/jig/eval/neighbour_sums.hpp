// SPDX-License-Identifier: MIT
#pragma once
// Registers of 8 and 16 bits whose neighbours are added, as integers that are wider; those of 32 bits where each is 0 or 1.

#include <jig/eval/lane_moves.hpp>
#include <jig/eval/resize.hpp>

namespace jig {

namespace simd {

namespace detail {

#if defined(__SSE2__)
inline constexpr bool adds_neighbours = true;
#else
inline constexpr bool adds_neighbours = false;
#endif

// One instruction of x86 on registers of each size, by halves where there is none for registers so wide.
struct distance_of_bytes {
  template <class V>
  [[gnu::always_inline]] static V apply([[maybe_unused]] const V& x, [[maybe_unused]] const V& y) {
#if defined(__AVX512BW__)
    if constexpr (sizeof(V) == 64) return std::bit_cast<V>(_mm512_sad_epu8(std::bit_cast<__m512i>(x), std::bit_cast<__m512i>(y)));
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(V) == 32) return std::bit_cast<V>(_mm256_sad_epu8(std::bit_cast<__m256i>(x), std::bit_cast<__m256i>(y)));
#endif
#if defined(__SSE2__)
    if constexpr (sizeof(V) == 16) return std::bit_cast<V>(_mm_sad_epu8(std::bit_cast<__m128i>(x), std::bit_cast<__m128i>(y)));
#endif
  }
};
struct products_of_words {
  template <class V>
  [[gnu::always_inline]] static V apply([[maybe_unused]] const V& x, [[maybe_unused]] const V& y) {
#if defined(__AVX512BW__)
    if constexpr (sizeof(V) == 64) return std::bit_cast<V>(_mm512_madd_epi16(std::bit_cast<__m512i>(x), std::bit_cast<__m512i>(y)));
#endif
#if defined(__AVX2__)
    if constexpr (sizeof(V) == 32) return std::bit_cast<V>(_mm256_madd_epi16(std::bit_cast<__m256i>(x), std::bit_cast<__m256i>(y)));
#endif
#if defined(__SSE2__)
    if constexpr (sizeof(V) == 16) return std::bit_cast<V>(_mm_madd_epi16(std::bit_cast<__m128i>(x), std::bit_cast<__m128i>(y)));
#endif
  }
};
inline constexpr std::size_t widest_of_integers =
#if defined(__AVX512BW__)
    64;
#elif defined(__AVX2__)
    32;
#else
    16;
#endif
template <class Instruction, class V>
[[gnu::always_inline]] inline V by_halves(const V& x, const V& y) {
  if constexpr (sizeof(V) <= widest_of_integers) {
    return Instruction::apply(x, y);
  } else {
    constexpr int half = static_cast<int>(sizeof(V) / sizeof(x[0])) / 2;
    const auto low = by_halves<Instruction>(half_of<0>(x), half_of<0>(y)), high = by_halves<Instruction>(half_of<1>(x), half_of<1>(y));
    return [&]<int... I>(std::integer_sequence<int, I...>)
               __attribute__((always_inline)) { return shuffle<I...>(low, high); }(std::make_integer_sequence<int, 2 * half>());
  }
}

}  // namespace detail

/// Sums of neighbours in a register of integers of 8 or 16 bits, as integers that are wider, and what they add up to. In one of 32 bits,
/// each of which is 0 or 1, there is room for many without wider ones.
template <class B>
struct neighbour_sums {
  using T = typename B::value_type;
  using V = native_of<B>;
  static constexpr bool bytes = sizeof(T) == 1, flags = sizeof(T) == 4, is_signed = std::is_signed_v<T>;
  static_assert(sizeof(T) <= 2 || (flags && !is_signed));
  using part_type = std::conditional_t<bytes, std::conditional_t<detail::adds_neighbours, std::uint64_t, std::uint16_t>, std::uint32_t>;
  using part = typename native<part_type, static_cast<index>(sizeof(V) / sizeof(part_type))>::type;
  /// So many registers, and one more, may be added in one part.
  static constexpr index most = flags ? index{1} << 31 : !bytes ? 16384 : detail::adds_neighbours ? index{1} << 32 : 127;
  // Bytes are added without a sign. So are words but by x86, which adds them with one. Of the others the highest bit is turned, which
  // adds as much to every lane.
  static constexpr bool turns = !flags && (bytes || !detail::adds_neighbours ? is_signed : !is_signed);
  static constexpr index added = !turns ? 0 : is_signed ? index{1} << (8 * sizeof(T) - 1) : -(index{1} << (8 * sizeof(T) - 1));

  [[gnu::always_inline]] static part of(const B& given) {
    V x = to_native(given);
    if constexpr (flags) return x;
    if constexpr (turns) x ^= static_cast<T>(T(1) << (8 * sizeof(T) - 1));
    if constexpr (detail::adds_neighbours && bytes) {
      return std::bit_cast<part>(detail::by_halves<detail::distance_of_bytes>(std::bit_cast<part>(x), part{}));
    } else if constexpr (detail::adds_neighbours) {
      return std::bit_cast<part>(detail::by_halves<detail::products_of_words>(x, V{} + 1));
    } else {
      const part pairs = std::bit_cast<part>(x);
      constexpr int bits = 8 * sizeof(T);
      return (pairs & static_cast<part_type>((1u << bits) - 1)) + (pairs >> bits);
    }
  }
  /// The same of the distances of bytes without a sign.
  [[gnu::always_inline]] static part of_distances(const B& x, const B& y)
    requires(detail::adds_neighbours && bytes && !is_signed)
  {
    return detail::by_halves<detail::distance_of_bytes>(std::bit_cast<part>(to_native(x)), std::bit_cast<part>(to_native(y)));
  }
  /// The same of products of words with a sign, which wrap.
  [[gnu::always_inline]] static part of_products(const B& x, const B& y)
    requires(detail::adds_neighbours && sizeof(T) == 2 && is_signed)
  {
    return std::bit_cast<part>(detail::by_halves<detail::products_of_words>(to_native(x), to_native(y)));
  }
  /// The lanes of a register from `first` on, zeros before them.
  [[gnu::always_inline]] static B lanes_from(index first, const B& x) {
    using number = std::make_signed_t<T>;
    constexpr auto numbers = []<int... I>(std::integer_sequence<int, I...>) {
      return typename native<number, static_cast<index>(sizeof(V) / sizeof(T))>::type{static_cast<number>(I)...};
    }(std::make_integer_sequence<int, static_cast<int>(sizeof(V) / sizeof(T))>());
    return from_native<B>(to_native(x) & std::bit_cast<V>(numbers >= static_cast<number>(first)));
  }
  /// The sum of a part that `count` elements are added up in.
  [[gnu::always_inline]] static std::uint64_t total(const part& x, index count) {
    return fold(x) - static_cast<std::uint64_t>(added * count);
  }

 private:
  // Lanes of 64 bits by halves, which have room.
  template <class X>
  [[gnu::always_inline]] static std::uint64_t fold(const X& x) {
    using lane = std::remove_cvref_t<decltype(x[0])>;
    constexpr index lanes = static_cast<index>(sizeof(X) / sizeof(lane));
    if constexpr (flags && sizeof(lane) == 4) {
      const auto pairs = std::bit_cast<typename native<std::uint64_t, lanes / 2>::type>(x);
      return fold((pairs & 0xffffffffu) + (pairs >> 32));
    } else if constexpr (sizeof(lane) == 8 && lanes > 2) {
      return fold(detail::half_of<0>(x) + detail::half_of<1>(x));
    } else {
      std::uint64_t sum = 0;
      using number = std::conditional_t<sizeof(T) == 2 && detail::adds_neighbours, std::int32_t, lane>;
      for (index k = 0; k < lanes; ++k) sum += static_cast<std::uint64_t>(static_cast<number>(x[k]));
      return sum;
    }
  }
};

}  // namespace simd

}  // namespace jig
