// SPDX-License-Identifier: MIT
#pragma once
// Registers full of jig::half and jig::bfloat16: floats in the register, 16 bits each in memory.

#include <jig/eval/resize.hpp>

namespace jig::simd {

namespace detail {

template <index Lanes>
using float_words = typename native<std::uint32_t, Lanes>::type;
template <index Lanes>
using stored_words = typename native<std::uint16_t, Lanes>::type;

template <class B>
[[gnu::always_inline]] inline auto bfloat16_words(const B& x) {
  constexpr index lanes = static_cast<index>(B::size);
  const auto bits = std::bit_cast<float_words<lanes>>(static_cast<typename B::register_type>(x));
  const auto nan = reinterpret_cast<float_words<lanes>>((bits & 0x7fffffffu) > 0x7f800000u);
  const float_words<lanes> rounded = bits + (0x7fffu + (bits >> 16 & 1u));
  return (((bits | 0x400000u) & nan) | (rounded & ~nan)) >> 16;
}

}  // namespace detail

/// `Lanes` stored floats.
template <class T, index Lanes = lanes<float>>
[[gnu::always_inline]] inline sized<float, Lanes> load_stored(const T* from) {
  using B = sized<float, Lanes>;
  using words = sized<std::uint16_t, Lanes>;
  const void* memory = from;
  [[maybe_unused]] const words stored = load_lanes<std::uint16_t, Lanes>(static_cast<const std::uint16_t*>(memory));
  if constexpr (std::is_same_v<T, bfloat16>) {
    return from_native<B>(to_native(resize<std::uint32_t, Lanes>(stored)) << 16);
  } else {
#if defined(__AVX512F__)
    if constexpr (sizeof(B) == 64) return B(_mm512_cvtph_ps(static_cast<typename words::register_type>(stored)));
#endif
#if defined(__F16C__)
    if constexpr (sizeof(B) == 32) return B(_mm256_cvtph_ps(static_cast<typename words::register_type>(stored)));
    else if constexpr (sizeof(B) == 16) return B(_mm_cvtph_ps(static_cast<typename words::register_type>(stored)));
#else
    alignas(64) float at[B::size] = {};
    for (index i = 0; i < Lanes; ++i) at[i] = from[i];
    return B::load_aligned(at);
#endif
  }
}

template <class T, index Lanes = lanes<float>>
[[gnu::always_inline]] inline void store_stored(T* to, const sized<float, Lanes>& x) {
  using B = sized<float, Lanes>;
  using words = sized<std::uint16_t, Lanes>;
  [[maybe_unused]] void* memory = to;
  [[maybe_unused]] auto store_words = [memory](const words& stored) __attribute__((always_inline)) {
    store_lanes<std::uint16_t, Lanes>(static_cast<std::uint16_t*>(memory), stored);
  };
  if constexpr (std::is_same_v<T, bfloat16>) {
    store_words(resize<std::uint16_t, Lanes>(from_native<sized<std::uint32_t, Lanes>>(detail::bfloat16_words(x))));
  } else {
#if defined(__F16C__) || defined(__AVX512F__)
    constexpr int how = _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC;
#endif
#if defined(__AVX512F__)
    if constexpr (sizeof(B) == 64) store_words(words(_mm512_maskz_cvtps_ph(0xffff, static_cast<__m512>(x), how)));
#endif
#if defined(__F16C__)
    if constexpr (sizeof(B) == 32) store_words(words(_mm256_cvtps_ph(static_cast<__m256>(x), how)));
    else if constexpr (sizeof(B) == 16) store_words(words(_mm_cvtps_ph(static_cast<__m128>(x), how)));
#else
    alignas(64) float at[B::size];
    x.store_aligned(at);
    for (index i = 0; i < Lanes; ++i) to[i] = T(at[i]);
#endif
  }
}

/// The floats that T can hold nearest to these.
template <class T, index Lanes = lanes<float>>
[[gnu::always_inline]] inline sized<float, Lanes> round_to(const sized<float, Lanes>& x) {
  alignas(64) T at[static_cast<std::size_t>(Lanes)];
  store_stored<T, Lanes>(at, x);
  return load_stored<T, Lanes>(at);
}

}  // namespace jig::simd
