// SPDX-License-Identifier: MIT
#pragma once
// Integers in registers as those of another size.

#include <jig/eval/sized_register.hpp>

namespace jig::simd {

namespace detail {

// An integer with a sign of the size of T, which is what a truth value of a vector is.
template <class T>
using truth =
    std::conditional_t<sizeof(T) == 1, std::int8_t,
                       std::conditional_t<sizeof(T) == 2, std::int16_t, std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>>>;

// Twice as wide, with zeros or signs above: the first lanes of x, as many as fill the result.
template <bool Signed, index Lanes, class U, class V>
[[gnu::always_inline]] inline auto widen_twice(const V& x) {
  constexpr int from = static_cast<int>(sizeof(V) / sizeof(U));
  constexpr int needed = static_cast<int>(2 * Lanes), least = static_cast<int>(narrowest / static_cast<index>(sizeof(U)));
  V above{};
  if constexpr (Signed) above = std::bit_cast<V>(std::bit_cast<typename native<truth<U>, from>::type>(x) < 0);
  return [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
    return shuffle<(I / 2 % from + I % 2 * from)...>(x, above);
  }(std::make_integer_sequence<int, (needed < least ? least : needed)>());
}

// The first or the second half of the lanes of a vector: taken by a shuffle, as GCC 12 sends a vector that is cast to two through memory.
template <int Half, class V>
[[gnu::always_inline]] inline auto half_of(const V& x) {
  using U = std::remove_cvref_t<decltype(x[0])>;
  constexpr int lanes = static_cast<int>(sizeof(V) / sizeof(U)) / 2;
  return [&]<int... I>(std::integer_sequence<int, I...>)
             __attribute__((always_inline)) { return shuffle<(I + Half * lanes)...>(x, x); }(std::make_integer_sequence<int, lanes>());
}

// The even ones of the U of which x is made, in order: half as wide, the upper halves are cut off.
template <class U, class V>
[[gnu::always_inline]] inline auto narrow_twice(const V& wide) {
  constexpr int from = static_cast<int>(sizeof(V) / sizeof(U));
  const auto x = std::bit_cast<typename native<U, from>::type>(wide);
  if constexpr (sizeof(V) <= narrowest) {
    return [&]<int... I>(std::integer_sequence<int, I...>)
               __attribute__((always_inline)) { return shuffle<(2 * I % from)...>(x, x); }(std::make_integer_sequence<int, from>());
  } else {
    // Compilers are good at two registers that become one.
    const auto low = half_of<0>(x), high = half_of<1>(x);
    return [&]<int... I>(std::integer_sequence<int, I...>)
               __attribute__((always_inline)) { return shuffle<(2 * I)...>(low, high); }(std::make_integer_sequence<int, from / 2>());
  }
}

template <std::size_t Bytes>
using word_of_bytes =
    std::conditional_t<Bytes == 1, std::uint8_t,
                       std::conditional_t<Bytes == 2, std::uint16_t, std::conditional_t<Bytes == 4, std::uint32_t, std::uint64_t>>>;

template <bool Signed, std::size_t To, index Lanes, std::size_t From, class V>
[[gnu::always_inline]] inline auto widen_native(const V& x) {
  using U = word_of_bytes<From>;
  const auto wide = widen_twice<Signed, Lanes, U>(std::bit_cast<typename native<U, static_cast<index>(sizeof(V) / sizeof(U))>::type>(x));
  if constexpr (2 * From == To) return wide;
  else return widen_native<Signed, To, Lanes, 2 * From>(wide);
}
template <std::size_t To, std::size_t From, class V>
[[gnu::always_inline]] inline auto narrow_native(const V& x) {
  const auto half = narrow_twice<word_of_bytes<From / 2>>(x);
  if constexpr (From / 2 == To) return half;
  else return narrow_native<To, From / 2>(half);
}

// Units: bytes of the widest register that has `Lanes` elements of the larger of two sizes.
template <index Lanes, std::size_t A, std::size_t B>
inline constexpr std::size_t wider_bytes =
    static_cast<std::size_t>(Lanes) * (A > B ? A : B) < narrowest ? narrowest : static_cast<std::size_t>(Lanes) * (A > B ? A : B);

// What machines have instructions for, by the size of the wider register.
template <std::size_t Bytes>
inline constexpr bool widens = false;
template <std::size_t Bytes>
inline constexpr bool narrows = false;
template <bool Signed, std::size_t To, std::size_t From, std::size_t Bytes, class R>
[[gnu::always_inline]] inline auto widen(R x);
enum class overflow { wraps, saturates_signed, saturates_unsigned };
template <overflow How, std::size_t To, std::size_t From, std::size_t Bytes, class R>
[[gnu::always_inline]] inline auto narrow(R x);

#define JIG_SIMD_WIDEN(bytes, mm)                                                      \
  template <>                                                                          \
  inline constexpr bool widens<bytes> = true;                                          \
  template <bool Signed, std::size_t To, std::size_t From, std::size_t Bytes, class R> \
    requires(Bytes == bytes)                                                           \
  [[gnu::always_inline]] inline auto widen(R x) {                                      \
    if constexpr (From == 1 && To == 2 && Signed) return mm##_cvtepi8_epi16(x);        \
    else if constexpr (From == 1 && To == 2) return mm##_cvtepu8_epi16(x);             \
    else if constexpr (From == 1 && To == 4 && Signed) return mm##_cvtepi8_epi32(x);   \
    else if constexpr (From == 1 && To == 4) return mm##_cvtepu8_epi32(x);             \
    else if constexpr (From == 1 && Signed) return mm##_cvtepi8_epi64(x);              \
    else if constexpr (From == 1) return mm##_cvtepu8_epi64(x);                        \
    else if constexpr (From == 2 && To == 4 && Signed) return mm##_cvtepi16_epi32(x);  \
    else if constexpr (From == 2 && To == 4) return mm##_cvtepu16_epi32(x);            \
    else if constexpr (From == 2 && Signed) return mm##_cvtepi16_epi64(x);             \
    else if constexpr (From == 2) return mm##_cvtepu16_epi64(x);                       \
    else if constexpr (Signed) return mm##_cvtepi32_epi64(x);                          \
    else return mm##_cvtepu32_epi64(x);                                                \
  }
#define JIG_SIMD_NARROW_AS(mm, kind)                                             \
  if constexpr (From == 2) return mm##_cvt##kind##epi16_epi8(x);                 \
  else if constexpr (From == 4 && To == 1) return mm##_cvt##kind##epi32_epi8(x); \
  else if constexpr (From == 4) return mm##_cvt##kind##epi32_epi16(x);           \
  else if constexpr (To == 1) return mm##_cvt##kind##epi64_epi8(x);              \
  else if constexpr (To == 2) return mm##_cvt##kind##epi64_epi16(x);             \
  else return mm##_cvt##kind##epi64_epi32(x);
#define JIG_SIMD_NARROW(bytes, mm)                                                      \
  template <>                                                                           \
  inline constexpr bool narrows<bytes> = true;                                          \
  template <overflow How, std::size_t To, std::size_t From, std::size_t Bytes, class R> \
    requires(Bytes == bytes)                                                            \
  [[gnu::always_inline]] inline auto narrow(R x) {                                      \
    if constexpr (How == overflow::wraps) {                                             \
      JIG_SIMD_NARROW_AS(mm, )                                                          \
    } else if constexpr (How == overflow::saturates_signed) {                           \
      JIG_SIMD_NARROW_AS(mm, s)                                                         \
    } else {                                                                            \
      JIG_SIMD_NARROW_AS(mm, us)                                                        \
    }                                                                                   \
  }
#if defined(__SSE4_1__)
JIG_SIMD_WIDEN(16, _mm)
#endif
#if defined(__AVX2__)
JIG_SIMD_WIDEN(32, _mm256)
#endif
#if defined(__AVX512BW__) && defined(__AVX512VL__)
JIG_SIMD_WIDEN(64, _mm512)
JIG_SIMD_NARROW(16, _mm)
JIG_SIMD_NARROW(32, _mm256)
JIG_SIMD_NARROW(64, _mm512)
#endif
#undef JIG_SIMD_WIDEN
#undef JIG_SIMD_NARROW
#undef JIG_SIMD_NARROW_AS

}  // namespace detail

/// Integers as those of another size or sign: values that do not fit wrap.
template <class To, index Lanes, class B>
[[gnu::always_inline]] inline sized<To, Lanes> resize(const B& x) {
  using From = typename B::value_type;
  using Out = sized<To, Lanes>;
  using R = typename B::register_type;
  constexpr std::size_t bytes = detail::wider_bytes<Lanes, sizeof(To), sizeof(From)>;
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (sizeof(To) == sizeof(From)) return from_native<Out>(static_cast<R>(x));
  else if constexpr (sizeof(To) > sizeof(From) && detail::widens<bytes>)
    return from_native<Out>(detail::widen<std::is_signed_v<From>, sizeof(To), sizeof(From), bytes>(static_cast<R>(x)));
  else if constexpr (sizeof(To) > sizeof(From))
    return from_native<Out>(detail::widen_native<std::is_signed_v<From>, sizeof(To), Lanes, sizeof(From)>(to_native(x)));
  else if constexpr (detail::narrows<bytes>)
    return from_native<Out>(detail::narrow<detail::overflow::wraps, sizeof(To), sizeof(From), bytes>(static_cast<R>(x)));
  else return from_native<Out>(detail::narrow_native<sizeof(To), sizeof(From)>(to_native(x)));
}

}  // namespace jig::simd
