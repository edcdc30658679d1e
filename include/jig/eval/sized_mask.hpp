// SPDX-License-Identifier: MIT
#pragma once
// Truth values of registers that have the same lanes but not the same size, which machines hold as bits, or as lanes whose bits
// are all ones or all zeros.

#include <jig/eval/resize.hpp>

namespace jig::simd {

namespace detail {

// Whether truth values of B are bits.
template <class B>
inline constexpr bool has_bit_mask = std::is_integral_v<typename B::batch_bool_type::register_type>;

#if defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
inline constexpr bool converts_masks = true;
template <std::size_t Bytes, std::size_t Element>
using mask_of = std::conditional_t<Bytes / Element <= 8, __mmask8, std::conditional_t<Bytes / Element == 16, __mmask16, __mmask32>>;
#define JIG_SIMD_MASKS(bytes, mm)                                                                        \
  template <std::size_t Bytes, std::size_t Element>                                                      \
    requires(Bytes == bytes)                                                                             \
  [[gnu::always_inline]] inline auto lanes_of_bits(std::uint64_t bits) {                                 \
    if constexpr (Element == 1) return mm##_movm_epi8(static_cast<mask_of<Bytes, Element>>(bits));       \
    else if constexpr (Element == 2) return mm##_movm_epi16(static_cast<mask_of<Bytes, Element>>(bits)); \
    else if constexpr (Element == 4) return mm##_movm_epi32(static_cast<mask_of<Bytes, Element>>(bits)); \
    else return mm##_movm_epi64(static_cast<mask_of<Bytes, Element>>(bits));                             \
  }                                                                                                      \
  template <std::size_t Bytes, std::size_t Element, class R>                                             \
    requires(Bytes == bytes)                                                                             \
  [[gnu::always_inline]] inline std::uint64_t bits_of_lanes(R lanes) {                                   \
    if constexpr (Element == 1) return mm##_movepi8_mask(lanes);                                         \
    else if constexpr (Element == 2) return mm##_movepi16_mask(lanes);                                   \
    else if constexpr (Element == 4) return mm##_movepi32_mask(lanes);                                   \
    else return mm##_movepi64_mask(lanes);                                                               \
  }
JIG_SIMD_MASKS(16, _mm)
JIG_SIMD_MASKS(32, _mm256)
#undef JIG_SIMD_MASKS
template <class R>
[[gnu::always_inline]] inline auto integer_register(const R& x) {
  if constexpr (sizeof(R) == 16) return std::bit_cast<__m128i>(x);
  else return std::bit_cast<__m256i>(x);
}
#else
inline constexpr bool converts_masks = false;
template <std::size_t Bytes, std::size_t Element>
std::uint64_t lanes_of_bits(std::uint64_t bits);
template <std::size_t Bytes, std::size_t Element, class R>
std::uint64_t bits_of_lanes(R lanes);
template <class R>
R integer_register(const R& x);
#endif

}  // namespace detail

/// The same truth values, of which the first `Lanes` count, for registers of type To.
template <class To, index Lanes, class T, class A>
[[gnu::always_inline]] inline typename To::batch_bool_type as_mask(const xsimd::batch_bool<T, A>& x) {
  using From = xsimd::batch<T, A>;
  using M = typename To::batch_bool_type;
  using R = typename xsimd::batch_bool<T, A>::register_type;
  using To_register = typename M::register_type;
  using To_element = typename To::value_type;
  if constexpr (std::is_same_v<To, From>) {
    return x;
  } else if constexpr (detail::has_bit_mask<To> && detail::has_bit_mask<From>) {
    return M(static_cast<To_register>(static_cast<R>(x)));
  } else if constexpr (detail::has_bit_mask<From> && detail::converts_masks) {
    return M(std::bit_cast<To_register>(detail::lanes_of_bits<sizeof(To_register), sizeof(To_element)>(static_cast<R>(x))));
  } else if constexpr (detail::has_bit_mask<To> && detail::converts_masks) {
    return M(static_cast<To_register>(detail::bits_of_lanes<sizeof(R), sizeof(T)>(detail::integer_register(static_cast<R>(x)))));
  } else if constexpr (detail::has_bit_mask<To> || detail::has_bit_mask<From>) {
    alignas(64) bool at[64] = {};
    x.store_unaligned(at);
    return M::load_unaligned(at);
  } else {
    // Signs extend to all ones, and what is cut off of all ones are all ones.
    using integers = sized<detail::truth<T>, Lanes>;
    const integers lanes = from_native<integers>(static_cast<R>(x));
    return M(std::bit_cast<To_register>(to_native(resize<detail::truth<To_element>, Lanes>(lanes))));
  }
}

/// 1 where a truth value holds, else 0.
template <class To>
[[gnu::always_inline]] inline To flags_of(const typename To::batch_bool_type& x) {
  using T = typename To::value_type;
  using R = typename To::batch_bool_type::register_type;
  if constexpr (sizeof(R) != sizeof(native_of<To>)) {
    return xsimd::select(x, To(T(1)), To(T(0)));
  } else {
    using bits = native_of<sized<detail::truth<T>, static_cast<index>(To::size)>>;
    return from_native<To>(std::bit_cast<native_of<To>>(std::bit_cast<bits>(static_cast<R>(x)) & std::bit_cast<bits>(to_native(To(T(1))))));
  }
}

/// Whether truth values of registers of T are bits that become bytes without memory.
template <class T>
inline constexpr bool has_bits = detail::has_bit_mask<batch<T>> && detail::converts_masks && lanes<std::uint8_t> == 64;

/// The truth values of Count registers one after another, as bytes that are 0 or 1.
template <class T, int Count>
  requires has_bits<T>
[[gnu::always_inline]] inline void truths_as_bytes([[maybe_unused]] batch<std::uint8_t>* to, [[maybe_unused]] const mask<T>* from) {
#if defined(__AVX512BW__)
  using R = typename mask<T>::register_type;
  constexpr int together = static_cast<int>(64 / lanes<T>);
  std::uint64_t bits[jig::detail::array_bound((Count + together - 1) / together)] = {};
  [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
    ((bits[K / together] |= static_cast<std::uint64_t>(static_cast<R>(from[K])) << (K % together * lanes<T>)), ...);
  }(std::make_integer_sequence<int, Count>());
  for (int k = 0; k < (Count + together - 1) / together; ++k) to[k] = batch<std::uint8_t>(_mm512_maskz_set1_epi8(bits[k], 1));
#endif
}

/// Whether the first `Lanes` truth values of a register B are all true.
template <index Lanes, class T, class A>
[[gnu::always_inline]] inline bool all_of(const xsimd::batch_bool<T, A>& x) {
  using B = xsimd::batch<T, A>;
  if constexpr (static_cast<index>(B::size) == Lanes) {
    return xsimd::all(x);
  } else {
    // Parts of a register are beside wider ones: the first half of it, or less.
    bool at[B::size];
    x.store_unaligned(at);
    bool all = true;
    for (index k = 0; k < Lanes; ++k) all = all && at[k];
    return all;
  }
}

}  // namespace jig::simd
