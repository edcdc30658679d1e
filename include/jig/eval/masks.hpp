// SPDX-License-Identifier: MIT
#pragma once
// Truth values in registers.

#include <jig/eval/partial_registers.hpp>

namespace jig::simd {

namespace detail {

// Whether truth values are bits.
template <class T>
inline constexpr bool has_bits = std::is_integral_v<typename mask<T>::register_type>;
// Lanes of truth values that are bytes, and of such that are as large as elements of so many bytes.
template <index Lanes>
struct truth_bytes {
  using type [[gnu::vector_size(static_cast<std::size_t>(Lanes))]] = std::int8_t;
};
template <class T>
struct truth_lanes {
  using integer =
      std::conditional_t<sizeof(T) == 1, std::int8_t,
                         std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;
  using type [[gnu::vector_size(sizeof(batch<T>))]] = integer;
};

#if defined(__SSE2__)
// Lanes of so many bytes that are 0 or -1, as bytes, which come first: saturation keeps both.
template <std::size_t Size>
[[gnu::always_inline]] inline __m128i narrow_truth(__m128i low, __m128i high) {
  if constexpr (Size == 8)
    return narrow_truth<4>(_mm_castps_si128(_mm_shuffle_ps(_mm_castsi128_ps(low), _mm_castsi128_ps(high), 0x88)), low);
  else if constexpr (Size == 4) return narrow_truth<2>(_mm_packs_epi32(low, high), low);
  else return _mm_packs_epi16(low, high);
}
// The low bits of bytes that are the truth values of T.
template <class T, class R>
[[gnu::always_inline]] inline auto truth_values(const R& x) {
#if defined(__AVX__)
  if constexpr (sizeof(T) > 1 && sizeof(R) == 32) {
    const auto all = std::bit_cast<__m256i>(x);
    return _mm_and_si128(narrow_truth<sizeof(T)>(_mm256_castsi256_si128(all), _mm256_extractf128_si256(all, 1)), _mm_set1_epi8(1));
  }
#endif
  if constexpr (sizeof(T) == 1) {
    return std::bit_cast<typename truth_bytes<lanes<T>>::type>(x) & 1;
  } else if constexpr (sizeof(R) == 16) {
    const auto all = std::bit_cast<__m128i>(x);
    return _mm_and_si128(narrow_truth<sizeof(T)>(all, all), _mm_set1_epi8(1));
  }
}
// Lanes of so many bytes that are 0 or -1, as many as fill the register, from the first bytes of x that are.
template <std::size_t Size>
[[gnu::always_inline]] inline __m128i widen_truth(__m128i x) {
  if constexpr (Size > 1) x = _mm_unpacklo_epi8(x, x);
  if constexpr (Size > 2) x = _mm_unpacklo_epi16(x, x);
  if constexpr (Size > 4) x = _mm_unpacklo_epi32(x, x);
  return x;
}
// The truth values of T in memory, as lanes that are 0 or -1.
template <class T>
[[gnu::always_inline]] inline auto lanes_of_truth(const void* memory) {
  constexpr auto bytes = static_cast<std::size_t>(lanes<T>);
  if constexpr (bytes <= 16) {
    __m128i x{};
    std::memcpy(&x, memory, bytes);
    x = _mm_cmpgt_epi8(x, _mm_setzero_si128());
    if constexpr (sizeof(batch<T>) == 16) return widen_truth<sizeof(T)>(x);
#if defined(__AVX2__)
    else if constexpr (sizeof(T) == 2) return _mm256_cvtepi8_epi16(x);
    else if constexpr (sizeof(T) == 4) return _mm256_cvtepi8_epi32(x);
    else return _mm256_cvtepi8_epi64(x);
#elif defined(__AVX__)
    else
      return _mm256_insertf128_si256(_mm256_castsi128_si256(widen_truth<sizeof(T)>(x)),
                                     widen_truth<sizeof(T)>(_mm_srli_si128(x, static_cast<int>(bytes / 2))), 1);
#endif
  } else {
    typename truth_bytes<lanes<T>>::type x;
    std::memcpy(&x, memory, sizeof(x));
    return x != 0;
  }
}
#else
template <class T>
[[gnu::always_inline]] inline auto lanes_of_truth(const void* memory) {
  typename truth_bytes<lanes<T>>::type bytes;
  std::memcpy(&bytes, memory, sizeof(bytes));
  return __builtin_convertvector(bytes, typename truth_lanes<T>::type) != 0;
}
template <class T, class R>
[[gnu::always_inline]] inline auto truth_values(const R& x) {
  return __builtin_convertvector(std::bit_cast<typename truth_lanes<T>::type>(x), typename truth_bytes<lanes<T>>::type) & 1;
}
#endif

}  // namespace detail

/// The same truth value in all lanes, which xsimd sets one by one where they are bits.
template <class M>
[[gnu::always_inline]] inline M broadcast_truth(bool x) {
  using R = typename M::register_type;
  if constexpr (sizeof(R) <= sizeof(std::uint64_t)) return M(static_cast<R>(x ? ~std::uint64_t{0} : std::uint64_t{0}));
  else return M(x);
}

/// The truth values of a register. xsimd reads and writes them one by one.
template <class T>
[[gnu::always_inline]] inline mask<T> load_mask(const bool* from) {
  using R = typename mask<T>::register_type;
  [[maybe_unused]] const void* memory = from;
  if constexpr (detail::has_bits<T>) {
#if defined(__AVX512VL__) && defined(__AVX512BW__)
    const auto bits = [&](auto x) __attribute__((always_inline)) {
      if constexpr (sizeof(x) == 64) return _mm512_test_epi8_mask(x, x);
      else if constexpr (sizeof(x) == 32) return _mm256_test_epi8_mask(x, x);
      else return _mm_test_epi8_mask(x, x);
    };
    if constexpr (lanes<T> == 64) return mask<T>(static_cast<R>(bits(_mm512_loadu_si512(memory))));
    else if constexpr (lanes<T> == 32) return mask<T>(static_cast<R>(bits(_mm256_loadu_si256(static_cast<const __m256i_u*>(memory)))));
    else if constexpr (lanes<T> == 16) return mask<T>(static_cast<R>(bits(_mm_loadu_si128(static_cast<const __m128i_u*>(memory)))));
    else if constexpr (lanes<T> == 8) return mask<T>(static_cast<R>(bits(_mm_loadl_epi64(static_cast<const __m128i_u*>(memory)))));
#endif
    return mask<T>::load_unaligned(from);
  } else if constexpr (sizeof(R) == sizeof(batch<T>)) {
    return mask<T>(std::bit_cast<R>(detail::lanes_of_truth<T>(memory)));
  } else {
    return mask<T>::load_unaligned(from);
  }
}
template <class T>
[[gnu::always_inline]] inline void store_mask(bool* to, const mask<T>& x) {
  using R = typename mask<T>::register_type;
  [[maybe_unused]] void* memory = to;
  if constexpr (detail::has_bits<T>) {
#if defined(__AVX512VL__) && defined(__AVX512BW__)
    const auto bits = static_cast<R>(x);
    if constexpr (lanes<T> == 64) return _mm512_storeu_si512(memory, _mm512_maskz_set1_epi8(bits, 1));
    else if constexpr (lanes<T> == 32) return _mm256_storeu_si256(static_cast<__m256i_u*>(memory), _mm256_maskz_set1_epi8(bits, 1));
    else if constexpr (lanes<T> == 16) return _mm_storeu_si128(static_cast<__m128i_u*>(memory), _mm_maskz_set1_epi8(bits, 1));
    else if constexpr (lanes<T> == 8) return _mm_storel_epi64(static_cast<__m128i_u*>(memory), _mm_maskz_set1_epi8(bits, 1));
#endif
    x.store_unaligned(to);
  } else if constexpr (sizeof(R) == sizeof(batch<T>)) {
    const auto bytes = detail::truth_values<T>(static_cast<R>(x));
    std::memcpy(memory, &bytes, static_cast<std::size_t>(lanes<T>));
  } else {
    x.store_unaligned(to);
  }
}

/// Truth values that are true from lane `first` on.
template <class T>
[[gnu::always_inline]] inline mask<T> lanes_from(index first) {
  using R = typename mask<T>::register_type;
  // No number of the call is converted: that would wait for what the register had before.
  if constexpr (sizeof(R) <= sizeof(std::uint64_t)) {
    return mask<T>(static_cast<R>(detail::first_bits(lanes<T>) & ~detail::first_bits(first)));
  } else if constexpr (sizeof(R) == sizeof(batch<T>)) {
    using integer = typename detail::truth_lanes<T>::integer;
    static constexpr auto zeros_then_ones = [] {
      struct {
        integer at[2 * lanes<T>]{};
      } out;
      for (index k = lanes<T>; k < 2 * lanes<T>; ++k) out.at[k] = -1;
      return out;
    }();
    R out;
    std::memcpy(&out, zeros_then_ones.at + lanes<T> - first, sizeof(out));
    return mask<T>(out);
  } else {
    static constexpr auto numbers = [] {
      struct {
        alignas(sizeof(batch<T>)) T at[lanes<T>]{};
      } out;
      for (index k = 0; k < lanes<T>; ++k) out.at[k] = static_cast<T>(k);
      return out;
    }();
    return batch<T>::load_aligned(numbers.at) >= batch<T>(static_cast<T>(first));
  }
}

/// Truth values that are true from lane `first` up to that before `last`, either of which may lie outside.
template <class T>
[[gnu::always_inline]] inline mask<T> lanes_between(index first, index last) {
  using R = typename mask<T>::register_type;
  first = first < 0 ? 0 : first > lanes<T> ? lanes<T> : first;
  last = last < first ? first : last > lanes<T> ? lanes<T> : last;
  if constexpr (sizeof(R) <= sizeof(std::uint64_t)) return mask<T>(static_cast<R>(detail::first_bits(last) & ~detail::first_bits(first)));
  else return lanes_from<T>(first) & !lanes_from<T>(last);
}

/// The first lane of the compiler's own truth values, -1 or 0, that is true; as many as there are lanes where none is.
template <class Flags>
[[gnu::always_inline]] inline index first_true(const Flags& x) {
  constexpr auto lane = static_cast<index>(sizeof(x[0])), count = static_cast<index>(sizeof(x)) / lane;
  [[maybe_unused]] constexpr auto first_byte = [](std::uint64_t bits) { return bits == 0 ? count : std::countr_zero(bits) / lane; };
#if defined(__AVX512BW__)
  if constexpr (sizeof(x) == 64) return first_byte(_mm512_movepi8_mask(std::bit_cast<__m512i>(x)));
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(x) == 32) return first_byte(static_cast<std::uint32_t>(_mm256_movemask_epi8(std::bit_cast<__m256i>(x))));
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(x) == 16) return first_byte(static_cast<std::uint32_t>(_mm_movemask_epi8(std::bit_cast<__m128i>(x))));
#endif
  for (index i = 0; i < count; ++i)
    if (x[i] != 0) return i;
  return count;
}

}  // namespace jig::simd
