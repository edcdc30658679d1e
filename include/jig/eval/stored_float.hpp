// SPDX-License-Identifier: MIT
#pragma once
// Registers full of jig::half and jig::bfloat16: floats in the register, 16 bits each in memory.

#include <jig/eval/simd.hpp>

namespace jig::simd {

namespace detail {

inline constexpr index float_lanes = lanes<float>;
using float_words = native<std::uint32_t, float_lanes>::type;
using stored_words = native<std::uint16_t, float_lanes>::type;

[[gnu::always_inline]] inline stored_words bfloat16_words(const batch<float>& x) {
  using R = batch<float>::register_type;
  const auto bits = std::bit_cast<float_words>(static_cast<R>(x));
  const auto nan = reinterpret_cast<float_words>((bits & 0x7fffffffu) > 0x7f800000u);
  const float_words rounded = bits + (0x7fffu + (bits >> 16 & 1u));
  return __builtin_convertvector((((bits | 0x400000u) & nan) | (rounded & ~nan)) >> 16, stored_words);
}
[[gnu::always_inline]] inline batch<float> from_bfloat16_words(const stored_words& words) {
  using R = batch<float>::register_type;
  return batch<float>(std::bit_cast<R>(__builtin_convertvector(words, float_words) << 16));
}

}  // namespace detail

template <class T>
[[gnu::always_inline]] inline batch<float> load_stored(const T* from) {
  if constexpr (std::is_same_v<T, bfloat16>) {
    detail::stored_words words;
    std::memcpy(&words, from, sizeof(words));
    return detail::from_bfloat16_words(words);
  } else {
#if defined(__AVX512F__)
    return batch<float>(_mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i_u*>(from))));
#elif defined(__F16C__)
    return batch<float>(_mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i_u*>(from))));
#else
    alignas(64) float at[static_cast<std::size_t>(lanes<float>)];
    for (index i = 0; i < lanes<float>; ++i) at[i] = from[i];
    return batch<float>::load_aligned(at);
#endif
  }
}

template <class T>
[[gnu::always_inline]] inline void store_stored(T* to, const batch<float>& x) {
  if constexpr (std::is_same_v<T, bfloat16>) {
    const auto words = detail::bfloat16_words(x);
    std::memcpy(static_cast<void*>(to), &words, sizeof(words));
  } else {
#if defined(__AVX512F__)
    _mm256_storeu_si256(reinterpret_cast<__m256i_u*>(to), _mm512_maskz_cvtps_ph(0xffff, static_cast<__m512>(x), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#elif defined(__F16C__)
    _mm_storeu_si128(reinterpret_cast<__m128i_u*>(to), _mm256_cvtps_ph(static_cast<__m256>(x), _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC));
#else
    alignas(64) float at[static_cast<std::size_t>(lanes<float>)];
    x.store_aligned(at);
    for (index i = 0; i < lanes<float>; ++i) to[i] = T(at[i]);
#endif
  }
}

/// The floats that T can hold nearest to these.
template <class T>
[[gnu::always_inline]] inline batch<float> round_to(const batch<float>& x) {
  alignas(64) T at[static_cast<std::size_t>(lanes<float>)];
  store_stored(at, x);
  return load_stored(at);
}

}  // namespace jig::simd
