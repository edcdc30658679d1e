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
  const void* mask = ones_then_zeros + 8 - n;
  auto* words = static_cast<const float*>(from);
  if constexpr (Bytes == 32) return _mm256_maskload_ps(words, _mm256_loadu_si256(static_cast<const __m256i_u*>(mask)));
  else return _mm_maskload_ps(words, _mm_loadu_si128(static_cast<const __m128i_u*>(mask)));
}
template <std::size_t Bytes, class R>
[[gnu::always_inline]] inline void store_words(void* to, R x, index n) {
  const void* mask = ones_then_zeros + 8 - n;
  auto* words = static_cast<float*>(to);
  if constexpr (Bytes == 32) _mm256_maskstore_ps(words, _mm256_loadu_si256(static_cast<const __m256i_u*>(mask)), std::bit_cast<__m256>(x));
  else _mm_maskstore_ps(words, _mm_loadu_si128(static_cast<const __m128i_u*>(mask)), std::bit_cast<__m128>(x));
}
#endif

}  // namespace detail

/// The first n elements of a register full, the others are zero. Memory behind them is not touched.
template <class B>
[[gnu::always_inline]] inline B load_first(const typename B::value_type* from, index n) {
  using T = typename B::value_type;
#if defined(__AVX__)
  using R = typename B::register_type;
  if constexpr (sizeof(T) >= 4 && (cheap_parts || sizeof(B) <= 32))
    return B(std::bit_cast<R>(detail::load_words<sizeof(B)>(from, n * static_cast<index>(sizeof(T) / 4))));
#endif
#if defined(__AVX512VL__) && defined(__AVX512BW__)
  else return B(std::bit_cast<R>(detail::load_bytes<sizeof(B)>(from, n * static_cast<index>(sizeof(T)))));
#else
  alignas(sizeof(B)) T at[B::size] = {};
  for (index i = 0; i < n; ++i) at[i] = from[i];
  return B::load_aligned(at);
#endif
}

/// Stores the first n elements. Memory behind them is not touched.
template <class B>
[[gnu::always_inline]] inline void store_first(typename B::value_type* to, const B& x, index n) {
  using T = typename B::value_type;
#if defined(__AVX__)
  using R = typename B::register_type;
  if constexpr (sizeof(T) >= 4 && (cheap_parts || sizeof(B) <= 32))
    return detail::store_words<sizeof(B)>(to, static_cast<R>(x), n * static_cast<index>(sizeof(T) / 4));
#endif
#if defined(__AVX512VL__) && defined(__AVX512BW__)
  else return detail::store_bytes<sizeof(B)>(to, static_cast<R>(x), n * static_cast<index>(sizeof(T)));
#else
  alignas(sizeof(B)) T at[B::size];
  x.store_aligned(at);
  for (index i = 0; i < n; ++i) to[i] = at[i];
#endif
}

}  // namespace jig::simd
