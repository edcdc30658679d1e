// SPDX-License-Identifier: MIT
#pragma once
// Numbers in registers as those of another dtype, with the meaning of `cast`: integers wrap, floating numbers are cut off towards
// zero and limited to the range of an integer, NaN becomes 0.

#include <jig/eval/sized_mask.hpp>

#include <limits>

namespace jig::simd {

namespace detail {

#if defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
inline constexpr bool has_all_conversions = true;
#else
inline constexpr bool has_all_conversions = false;
#endif
#if defined(__SSE2__)
inline constexpr bool has_conversions = true;
#else
inline constexpr bool has_conversions = false;
#endif

// What machines have instructions for, by the size of the wider register.
enum class instruction {
  double_from_float,
  float_from_double,
  double_from_int32,
  int32_from_double,
  int32_from_float,
  // The others are those of AVX-512.
  double_from_uint32,
  uint32_from_double,
  uint32_from_float,
  int64_from_float,
  uint64_from_float,
  int64_from_double,
  uint64_from_double,
  float_from_int64,
  float_from_uint64
};

template <instruction I, std::size_t Bytes, class R>
[[gnu::always_inline]] inline auto convert_by(R x);

#define JIG_SIMD_CONVERT(mm)                                                           \
  if constexpr (I == instruction::double_from_float) return mm##_cvtps_pd(x);          \
  else if constexpr (I == instruction::float_from_double) return mm##_cvtpd_ps(x);     \
  else if constexpr (I == instruction::double_from_int32) return mm##_cvtepi32_pd(x);  \
  else if constexpr (I == instruction::int32_from_double) return mm##_cvttpd_epi32(x); \
  else if constexpr (I == instruction::int32_from_float) return mm##_cvttps_epi32(x);
#define JIG_SIMD_CONVERT_ALL(mm)                                                        \
  JIG_SIMD_CONVERT(mm)                                                                  \
  else if constexpr (I == instruction::double_from_uint32) return mm##_cvtepu32_pd(x);  \
  else if constexpr (I == instruction::uint32_from_double) return mm##_cvttpd_epu32(x); \
  else if constexpr (I == instruction::uint32_from_float) return mm##_cvttps_epu32(x);  \
  else if constexpr (I == instruction::int64_from_float) return mm##_cvttps_epi64(x);   \
  else if constexpr (I == instruction::uint64_from_float) return mm##_cvttps_epu64(x);  \
  else if constexpr (I == instruction::int64_from_double) return mm##_cvttpd_epi64(x);  \
  else if constexpr (I == instruction::uint64_from_double) return mm##_cvttpd_epu64(x); \
  else if constexpr (I == instruction::float_from_int64) return mm##_cvtepi64_ps(x); else return mm##_cvtepu64_ps(x);
#define JIG_SIMD_CONVERT_BY(bytes, mm, instructions)   \
  template <instruction I, std::size_t Bytes, class R> \
    requires(Bytes == bytes)                           \
  [[gnu::always_inline]] inline auto convert_by(R x) { \
    instructions(mm)                                   \
  }
#if defined(__AVX512BW__) && defined(__AVX512VL__) && defined(__AVX512DQ__)
JIG_SIMD_CONVERT_BY(16, _mm, JIG_SIMD_CONVERT_ALL)
JIG_SIMD_CONVERT_BY(32, _mm256, JIG_SIMD_CONVERT_ALL)
JIG_SIMD_CONVERT_BY(64, _mm512, JIG_SIMD_CONVERT_ALL)
#else
#if defined(__SSE2__)
JIG_SIMD_CONVERT_BY(16, _mm, JIG_SIMD_CONVERT)
#endif
#if defined(__AVX__)
JIG_SIMD_CONVERT_BY(32, _mm256, JIG_SIMD_CONVERT)
#endif
#if defined(__AVX512F__)
JIG_SIMD_CONVERT_BY(64, _mm512, JIG_SIMD_CONVERT)
#endif
#endif
#undef JIG_SIMD_CONVERT
#undef JIG_SIMD_CONVERT_ALL
#undef JIG_SIMD_CONVERT_BY

template <instruction I, class To, index Lanes, class B>
[[gnu::always_inline]] inline sized<To, Lanes> convert_with(const B& x) {
  constexpr std::size_t bytes = wider_bytes<Lanes, sizeof(To), sizeof(typename B::value_type)>;
  return from_native<sized<To, Lanes>>(convert_by<I, bytes>(static_cast<typename B::register_type>(x)));
}

// The larger one; y where x is NaN.
template <class B>
[[gnu::always_inline]] inline B larger(const B& x, const B& y) {
  if constexpr (has_conversions) return (xsimd::max)(x, y);
  else return xsimd::select(x > y, x, y);
}
// The smaller one; y where y is NaN.
template <class B>
[[gnu::always_inline]] inline B smaller(const B& x, const B& y) {
  if constexpr (has_conversions) return (xsimd::min)(x, y);
  else return xsimd::select(x < y, x, y);
}
template <class B>
[[gnu::always_inline]] inline B zero_for_nan(const B& x) {
  if constexpr (has_bit_mask<B>) {
    return xsimd::select(x == x, x, B(0));
  } else {
    const auto number = to_native(x);
    using bits = typename native<truth<typename B::value_type>, static_cast<index>(B::size)>::type;
    return from_native<B>(std::bit_cast<bits>(number) & std::bit_cast<bits>(number == number));
  }
}

// All bits of an integer register where a condition on floats of the same size holds.
template <class Out, class M>
[[gnu::always_inline]] inline Out ones_where(const M& condition) {
  using T = typename Out::value_type;
  return xsimd::select(as_mask<Out, static_cast<index>(Out::size)>(condition), Out(static_cast<T>(~T(0))), Out(T(0)));
}

template <class To, index Lanes, class B>
[[gnu::always_inline]] inline sized<To, Lanes> float_from_integer(const B& x) {
  using From = typename B::value_type;
  using Out = sized<To, Lanes>;
  if constexpr (sizeof(From) < 4) {
    return float_from_integer<To, Lanes>(resize<std::int32_t, Lanes>(x));
  } else if constexpr (sizeof(From) == 4 && sizeof(To) == 4) {
    if constexpr (std::is_signed_v<From> || has_all_conversions) {
      return from_native<Out>(__builtin_convertvector(to_native(x), native_of<Out>));
    } else {
      // Both halves are exact, so their sum is rounded once.
      const auto words = to_native(x);
      using signed_words = typename native<std::int32_t, static_cast<index>(B::size)>::type;
      const auto low = std::bit_cast<signed_words>(words & 0xffffu), high = std::bit_cast<signed_words>(words >> 16);
      return from_native<Out>(__builtin_convertvector(high, native_of<Out>) * 65536.f + __builtin_convertvector(low, native_of<Out>));
    }
  } else if constexpr (sizeof(From) == 4) {
    if constexpr (std::is_signed_v<From>) return convert_with<instruction::double_from_int32, To, Lanes>(x);
    else if constexpr (has_all_conversions) return convert_with<instruction::double_from_uint32, To, Lanes>(x);
    else {
      const auto moved = std::bit_cast<typename native<std::int32_t, static_cast<index>(B::size)>::type>(to_native(x) ^ 0x80000000u);
      return convert_with<instruction::double_from_int32, To, Lanes>(from_native<sized<std::int32_t, Lanes>>(moved)) + Out(2147483648.0);
    }
  } else if constexpr (sizeof(To) == 8) {
    return from_native<Out>(__builtin_convertvector(to_native(x), native_of<Out>));
  } else {
    return convert_with<std::is_signed_v<From> ? instruction::float_from_int64 : instruction::float_from_uint64, To, Lanes>(x);
  }
}

// Whether machines limit integers of 32 bits, taken as ones with a sign, to narrower ones by the way. Two registers become one.
#if defined(__SSE4_1__)
template <std::size_t Bytes>
inline constexpr bool limits_signed = !has_all_conversions && Bytes <= 32;
template <class To, class V>
[[gnu::always_inline]] inline __m128i limited_signed(const V& words) {
  __m128i low, high;
  if constexpr (sizeof(V) == 32) low = std::bit_cast<__m128i>(half_of<0>(words)), high = std::bit_cast<__m128i>(half_of<1>(words));
  else low = high = std::bit_cast<__m128i>(words);
  if constexpr (std::is_same_v<To, std::uint16_t>) {
    return _mm_packus_epi32(low, high);
  } else {
    const __m128i shorts = _mm_packs_epi32(low, high);
    if constexpr (sizeof(To) == 2) return shorts;
    else if constexpr (std::is_signed_v<To>) return _mm_packs_epi16(shorts, shorts);
    else return _mm_packus_epi16(shorts, shorts);
  }
}
#else
template <std::size_t Bytes>
inline constexpr bool limits_signed = false;
template <class To, class V>
V limited_signed(const V& words);
#endif

// Values of integers of 32 bits as narrower ones that can hold them, or are limited to them where the machine does it by the way.
template <class To, index Lanes, class B>
[[gnu::always_inline]] inline sized<To, Lanes> limited(const B& x) {
  constexpr std::size_t bytes = wider_bytes<Lanes, 4, 4>;
  if constexpr (has_all_conversions) {
    constexpr overflow how = std::is_signed_v<To> ? overflow::saturates_signed : overflow::saturates_unsigned;
    return from_native<sized<To, Lanes>>(narrow<how, sizeof(To), 4, bytes>(static_cast<typename B::register_type>(x)));
  } else if constexpr (limits_signed<bytes>) {
    return from_native<sized<To, Lanes>>(limited_signed<To>(to_native(x)));
  } else {
    return resize<To, Lanes>(x);
  }
}

// Instructions make the lowest integer of all that they cannot represent. Such numbers are seldom: a branch costs less than what puts
// them right.
template <instruction I, class To, index Lanes, class B>
[[gnu::always_inline]] inline sized<To, Lanes> signed_from_float(const B& x) {
  using Out = sized<To, Lanes>;
  const B above(typename B::value_type(sizeof(To) == 8 ? 0x1p63 : 0x1p31));
  const Out cut = convert_with<I, To, Lanes>(x);
  if (xsimd::all(x < above)) [[likely]]
    return cut;
  const Out numbers = xsimd::select(as_mask<Out, Lanes>(x == x), cut, Out(0));
  return xsimd::select(as_mask<Out, Lanes>(x >= above), Out((std::numeric_limits<To>::max)()), numbers);
}

template <class To, index Lanes, class B>
[[gnu::always_inline]] inline sized<To, Lanes> integer_from_float_by_all(const B& x) {
  // Where the machine can do it all: what an instruction makes of numbers that are out of range is the largest unsigned number.
  constexpr bool is_double = sizeof(typename B::value_type) == 8;
  if constexpr (std::is_unsigned_v<To>) {
    const B positive = larger(x, B(0));
    if constexpr (sizeof(To) == 8)
      return convert_with<is_double ? instruction::uint64_from_double : instruction::uint64_from_float, To, Lanes>(positive);
    else {
      const auto words =
          convert_with<is_double ? instruction::uint32_from_double : instruction::uint32_from_float, std::uint32_t, Lanes>(positive);
      if constexpr (sizeof(To) == 4) return words;
      else return limited<To, Lanes>(words);
    }
  } else if constexpr (sizeof(To) == 8) {
    return signed_from_float<is_double ? instruction::int64_from_double : instruction::int64_from_float, To, Lanes>(x);
  } else {
    const auto words =
        signed_from_float<is_double ? instruction::int32_from_double : instruction::int32_from_float, std::int32_t, Lanes>(x);
    if constexpr (sizeof(To) == 4) return words;
    else return limited<To, Lanes>(words);
  }
}

template <class To, index Lanes, class B>
[[gnu::always_inline]] inline sized<To, Lanes> integer_from_float(const B& x) {
  using From = typename B::value_type;
  constexpr bool is_double = sizeof(From) == 8;
  constexpr instruction cut = is_double ? instruction::int32_from_double : instruction::int32_from_float;
  using int32 = sized<std::int32_t, Lanes>;
  if constexpr (sizeof(To) <= 2) {
    B y = x;
    // Without a sign NaN becomes 0 as what is below.
    if constexpr (std::is_signed_v<To>) y = zero_for_nan(y);
    // Of numbers that are too small instructions make the lowest integer, which is limited by the way.
    if constexpr (!limits_signed<wider_bytes<Lanes, 4, 4>>) y = larger(y, B(static_cast<From>(std::numeric_limits<To>::lowest())));
    y = smaller(B(static_cast<From>((std::numeric_limits<To>::max)())), y);
    return limited<To, Lanes>(convert_with<cut, std::int32_t, Lanes>(y));
  } else if constexpr (std::is_signed_v<To>) {
    return signed_from_float<cut, std::int32_t, Lanes>(x);
  } else if constexpr (is_double) {
    // The half of the range is subtracted from what has no fraction, and added again as a bit.
    const B y = xsimd::floor(smaller(B(4294967295.0), larger(x, B(0))));
    const auto words = to_native(convert_with<cut, std::int32_t, Lanes>(y - B(2147483648.0)));
    return from_native<sized<To, Lanes>>(std::bit_cast<native_of<sized<To, Lanes>>>(words) ^ 0x80000000u);
  } else {
    const B y = larger(x, B(0)), half(From(0x1p31));
    const B rest = xsimd::select(y >= half, y - half, y);
    const auto words = convert_with<cut, std::int32_t, Lanes>(rest);
    const auto upper = ones_where<int32>(y >= half) & int32(std::numeric_limits<std::int32_t>::lowest());
    return from_native<sized<To, Lanes>>(
        static_cast<typename int32::register_type>((words ^ upper) | ones_where<int32>(y >= B(From(0x1p32)))));
  }
}

}  // namespace detail

/// Whether registers of From convert to registers of To; other dtypes go lane by lane.
template <class To, class From>
inline constexpr bool has_conversion = [] {
  if (std::is_same_v<To, From>) return true;
  if (!std::is_arithmetic_v<To> || !std::is_arithmetic_v<From> || std::is_same_v<To, bool> || std::is_same_v<From, bool>) return false;
  if (std::is_integral_v<To> && std::is_integral_v<From>) return true;
  if (!detail::has_conversions) return std::is_same_v<To, float> && std::is_integral_v<From> && sizeof(From) <= 4;
  // Integers of 64 bits are those of AVX-512.
  if ((std::is_integral_v<To> && sizeof(To) == 8) || (std::is_integral_v<From> && sizeof(From) == 8)) return detail::has_all_conversions;
  return true;
}();

/// Numbers of `Lanes` lanes as another dtype.
template <class To, index Lanes, class B>
[[gnu::always_inline]] inline sized<To, Lanes> convert(const B& x) {
  using From = typename B::value_type;
  if constexpr (std::is_same_v<To, From>) return x;
  else if constexpr (std::is_integral_v<To> && std::is_integral_v<From>) return resize<To, Lanes>(x);
  else if constexpr (std::is_integral_v<From>) return detail::float_from_integer<To, Lanes>(x);
  else if constexpr (std::is_same_v<To, double>) return detail::convert_with<detail::instruction::double_from_float, To, Lanes>(x);
  else if constexpr (std::is_same_v<To, float>) return detail::convert_with<detail::instruction::float_from_double, To, Lanes>(x);
  else if constexpr (detail::has_all_conversions) return detail::integer_from_float_by_all<To, Lanes>(x);
  else return detail::integer_from_float<To, Lanes>(x);
}

}  // namespace jig::simd
