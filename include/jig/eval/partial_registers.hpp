// SPDX-License-Identifier: MIT
#pragma once
// Loads and stores of the first elements of a register.

#include <jig/eval/simd.hpp>

namespace jig::simd {

namespace detail {

// One bit for each of the first lanes, bytes or words of four bytes.
[[gnu::always_inline]] inline std::uint64_t first_bits(index n) { return n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1; }

#if defined(__AVX512VL__) && defined(__AVX512BW__)
template <std::size_t Bytes>
[[gnu::always_inline]] inline auto load_words(const void* from, index n) {
  auto bits = first_bits(n);
  if constexpr (Bytes == 64) return _mm512_maskz_loadu_epi32(static_cast<__mmask16>(bits), from);
  else if constexpr (Bytes == 32) return _mm256_maskz_loadu_epi32(static_cast<__mmask8>(bits), from);
  else return _mm_maskz_loadu_epi32(static_cast<__mmask8>(bits), from);
}
template <std::size_t Bytes>
[[gnu::always_inline]] inline auto load_bytes(const void* from, index n) {
  auto bits = first_bits(n);
  if constexpr (Bytes == 64) return _mm512_maskz_loadu_epi8(bits, from);
  else if constexpr (Bytes == 32) return _mm256_maskz_loadu_epi8(static_cast<__mmask32>(bits), from);
  else return _mm_maskz_loadu_epi8(static_cast<__mmask16>(bits), from);
}
template <std::size_t Bytes, class R>
[[gnu::always_inline]] inline void store_words(void* to, R x, index n) {
  auto bits = first_bits(n);
  if constexpr (Bytes == 64) _mm512_mask_storeu_epi32(to, static_cast<__mmask16>(bits), std::bit_cast<__m512i>(x));
  else if constexpr (Bytes == 32) _mm256_mask_storeu_epi32(to, static_cast<__mmask8>(bits), std::bit_cast<__m256i>(x));
  else _mm_mask_storeu_epi32(to, static_cast<__mmask8>(bits), std::bit_cast<__m128i>(x));
}
template <std::size_t Bytes, class R>
[[gnu::always_inline]] inline void store_bytes(void* to, R x, index n) {
  auto bits = first_bits(n);
  if constexpr (Bytes == 64) _mm512_mask_storeu_epi8(to, bits, std::bit_cast<__m512i>(x));
  else if constexpr (Bytes == 32) _mm256_mask_storeu_epi8(to, static_cast<__mmask32>(bits), std::bit_cast<__m256i>(x));
  else _mm_mask_storeu_epi8(to, static_cast<__mmask16>(bits), std::bit_cast<__m128i>(x));
}
#elif defined(__AVX__)
// Words that are all ones, then as many that are zero; a mask starts among the ones.
inline constexpr std::int32_t ones_then_zeros[16] = {-1, -1, -1, -1, -1, -1, -1, -1};

template <std::size_t Bytes>
[[gnu::always_inline]] inline auto load_words(const void* from, index n) {
  const void* mask = ones_then_zeros + 8 - (n < 8 ? n : 8);
  auto* words = static_cast<const float*>(from);
  if constexpr (Bytes == 32) return _mm256_maskload_ps(words, _mm256_loadu_si256(static_cast<const __m256i_u*>(mask)));
  else return _mm_maskload_ps(words, _mm_loadu_si128(static_cast<const __m128i_u*>(mask)));
}
#endif

template <std::size_t Bytes>
using some_words = typename native<std::uint64_t, static_cast<index>(Bytes / 8)>::type;

// Fewer elements than fill a register, in pieces of which each is half as long as the one before: which there are is soon foreseen,
// as rows are of one length. Masked stores take many times as long on some machines, and for bytes there are none.
template <class Piece>
[[gnu::always_inline]] inline Piece load_piece(const char* from) {
  Piece x;
  std::memcpy(&x, from, sizeof(x));
  return x;
}
template <std::size_t Bytes, std::size_t Size>
[[gnu::always_inline]] inline some_words<Bytes> load_by_halves(const char* from, std::size_t bytes) {
  if constexpr (Bytes == 16) {
    // The last piece may overlap with that before it.
    const auto word = [&](auto piece) __attribute__((always_inline)) {
      using U = decltype(piece);
      return load_piece<U>(from) | static_cast<std::uint64_t>(load_piece<U>(from + bytes - sizeof(U))) << 8 * (bytes - sizeof(U));
    };
    if (bytes >= 8)
      return some_words<Bytes>{load_piece<std::uint64_t>(from), load_piece<std::uint64_t>(from + bytes - 8) >> 8 >> (8 * (15 - bytes))};
    if constexpr (Size == 4) return some_words<Bytes>{bytes == 0 ? 0 : load_piece<std::uint32_t>(from), 0};
    if constexpr (Size < 4) {
      if (bytes >= 4) return some_words<Bytes>{word(std::uint32_t()), 0};
      if (bytes >= 2) return some_words<Bytes>{word(std::uint16_t()), 0};
      if (bytes == 1) return some_words<Bytes>{load_piece<std::uint8_t>(from), 0};
    }
    return some_words<Bytes>{};
  } else {
    constexpr std::size_t half = Bytes / 2;
    const auto part = load_by_halves<half, Size>(from + (bytes & half), bytes & (half - 1));
    const auto joined = [](const auto& low, const auto& high) __attribute__((always_inline)) {
      return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
        return shuffle<I...>(low, high);
      }(std::make_integer_sequence<int, static_cast<int>(Bytes / 8)>());
    };
    if (bytes & half) return joined(load_piece<some_words<half>>(from), part);
    return joined(part, part ^ part);
  }
}
template <class Piece>
[[gnu::always_inline]] inline void store_piece(char* to, std::uint64_t x) {
  const auto piece = static_cast<Piece>(x);
  std::memcpy(to, &piece, sizeof(piece));
}
template <std::size_t Bytes, std::size_t Size>
[[gnu::always_inline]] inline void store_by_halves(char* to, some_words<Bytes> x, std::size_t bytes) {
  if constexpr (Bytes == 16 && Size >= 4) {
    std::uint64_t word = x[0];
    if (bytes & 8) {
      store_piece<std::uint64_t>(to, word);
      to += 8;
      word = x[1];
    }
    if constexpr (Size == 4)
      if (bytes & 4) store_piece<std::uint32_t>(to, word);
  } else if constexpr (Bytes == 16) {
    const std::uint64_t low = x[0];
    const auto ends = [&](auto piece) __attribute__((always_inline)) {
      using U = decltype(piece);
      store_piece<U>(to, low);
      store_piece<U>(to + bytes - sizeof(U), low >> 8 * (bytes - sizeof(U)));
    };
    if (bytes >= 8) {
      store_piece<std::uint64_t>(to, low);
      store_piece<std::uint64_t>(to + bytes - 8, low >> 8 * (bytes - 8) | x[1] << 8 << 8 * (15 - bytes));
    } else if (bytes >= 4) {
      ends(std::uint32_t());
    } else if (bytes >= 2) {
      ends(std::uint16_t());
    } else if (bytes == 1) {
      store_piece<std::uint8_t>(to, low);
    }
  } else {
    constexpr std::size_t half = Bytes / 2;
    [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
      auto part = shuffle<I...>(x, x);
      if (bytes & half) {
        std::memcpy(to, &part, half);
        to += half;
        part = shuffle<(I + static_cast<int>(half / 8))...>(x, x);
      }
      store_by_halves<half, Size>(to, part, bytes & (half - 1));
    }(std::make_integer_sequence<int, static_cast<int>(half / 8)>());
  }
}

}  // namespace detail

/// The first n elements of a register full, the others are zero. Memory behind them is not touched.
template <class B>
[[gnu::always_inline]] inline B load_first(const typename B::value_type* from, index n) {
  using R = typename B::register_type;
  using T = typename B::value_type;
#if defined(__AVX__)
  if constexpr (sizeof(T) >= 4 && (cheap_parts || sizeof(B) <= 32))
    return B(std::bit_cast<R>(detail::load_words<sizeof(B)>(from, n * static_cast<index>(sizeof(T) / 4))));
#endif
#if defined(__AVX512VL__) && defined(__AVX512BW__)
  else return B(std::bit_cast<R>(detail::load_bytes<sizeof(B)>(from, n * static_cast<index>(sizeof(T)))));
#else
  const void* memory = from;
  if (n >= static_cast<index>(B::size)) return B::load_unaligned(from);
  return B(std::bit_cast<R>(
      detail::load_by_halves<sizeof(B), sizeof(T)>(static_cast<const char*>(memory), static_cast<std::size_t>(n) * sizeof(T))));
#endif
}

/// Stores the first n elements. Memory behind them is not touched. Where the compiler knows n, they are stored in pieces: what is stored
/// under a mask is read only after a while, and so is all that lies in what would be the rest of the register.
template <class B>
[[gnu::always_inline]] inline void store_first(typename B::value_type* to, const B& x, index n) {
  using R = typename B::register_type;
  using T = typename B::value_type;
#if defined(__AVX512VL__) && defined(__AVX512BW__)
  if (!__builtin_constant_p(n)) {
    if constexpr (sizeof(T) >= 4) detail::store_words<sizeof(B)>(to, static_cast<R>(x), n * static_cast<index>(sizeof(T) / 4));
    else detail::store_bytes<sizeof(B)>(to, static_cast<R>(x), n * static_cast<index>(sizeof(T)));
    return;
  }
#endif
  void* memory = to;
  if (n >= static_cast<index>(B::size)) return x.store_unaligned(to);
  detail::store_by_halves<sizeof(B), sizeof(T)>(static_cast<char*>(memory), std::bit_cast<detail::some_words<sizeof(B)>>(static_cast<R>(x)),
                                                static_cast<std::size_t>(n) * sizeof(T));
}

}  // namespace jig::simd
