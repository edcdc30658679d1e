// SPDX-License-Identifier: MIT
#pragma once
// The few things the evaluator asks of xsimd, under names of our own, so that differences between its releases stay here.

#include <jig/core/dtype.hpp>
#include <jig/ops/select.hpp>

// GCC 12 warns of uninitialised values in its own AVX-512 header (GCC bug 105593, fixed in 13).
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop
#else
#include <xsimd/xsimd.hpp>
#endif

#include <bit>
#include <cstring>

namespace jig::simd {

/// As many elements of T as one register holds.
template <class T>
using batch = xsimd::batch<T>;

/// One truth value for each element of a batch<T>.
template <class T>
using mask = xsimd::batch_bool<T>;

template <class T>
inline constexpr index lanes = static_cast<index>(xsimd::batch<T>::size);

template <class T>
[[gnu::always_inline]] inline batch<T> load(const T* from) {
  return batch<T>::load_unaligned(from);
}
template <class T>
[[gnu::always_inline]] inline void store(T* to, const batch<T>& x) {
  x.store_unaligned(to);
}
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
    typename detail::truth_bytes<lanes<T>>::type bytes;
    std::memcpy(&bytes, memory, sizeof(bytes));
    return mask<T>(std::bit_cast<R>(__builtin_convertvector(bytes, typename detail::truth_lanes<T>::type) != 0));
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
    using N = typename detail::truth_lanes<T>::type;
    const auto bytes = __builtin_convertvector(std::bit_cast<N>(static_cast<R>(x)), typename detail::truth_bytes<lanes<T>>::type) & 1;
    std::memcpy(memory, &bytes, sizeof(bytes));
  } else {
    x.store_unaligned(to);
  }
}

/// Whether there are stores that leave the caches alone.
#if defined(__SSE2__)
inline constexpr bool has_streaming = true;
#else
inline constexpr bool has_streaming = false;
#endif

/// Stores a register full to memory that begins at a multiple of its size, past the caches where the machine can. Others see
/// it after end_streaming().
template <class B>
[[gnu::always_inline]] inline void stream(typename B::value_type* to, const B& x) {
  using R = typename B::register_type;
  [[maybe_unused]] void* memory = to;
#if defined(__AVX512F__)
  if constexpr (sizeof(R) == 64) return _mm512_stream_si512(static_cast<__m512i*>(memory), std::bit_cast<__m512i>(static_cast<R>(x)));
#endif
#if defined(__AVX__)
  if constexpr (sizeof(R) == 32) return _mm256_stream_si256(static_cast<__m256i*>(memory), std::bit_cast<__m256i>(static_cast<R>(x)));
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(R) == 16) return _mm_stream_si128(static_cast<__m128i*>(memory), std::bit_cast<__m128i>(static_cast<R>(x)));
#endif
  x.store_aligned(to);
}
[[gnu::always_inline]] inline void end_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// The same bits as elements of another dtype, of any size.
template <class To, class From>
[[gnu::always_inline]] inline batch<To> bits_as(const batch<From>& x) {
  return batch<To>(std::bit_cast<typename batch<To>::register_type>(static_cast<typename batch<From>::register_type>(x)));
}

/// How many vector registers a loop may use before it spills.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int registers = 32;
#else
inline constexpr int registers = 16;
#endif

/// A batch with this many lanes, which fill a register of some width that the machine has.
template <class T, index Lanes>
using sized_batch = xsimd::make_sized_batch_t<T, static_cast<std::size_t>(Lanes)>;

/// Whether loads and stores of a part of a register cost no more than those of a whole one.
#if defined(__AVX512VL__) && defined(__AVX512BW__)
inline constexpr bool cheap_parts = true;
#else
inline constexpr bool cheap_parts = false;
#endif

// The compiler's own vectors: their integers of every size multiply and wrap, and their lanes move, which
// those of xsimd do not on all machines and in all releases.
template <class T, index Lanes>
struct native {
  using type [[gnu::vector_size(sizeof(T) * static_cast<std::size_t>(Lanes))]] = T;
};
template <class B>
using native_of = typename native<typename B::value_type, static_cast<index>(B::size)>::type;

/// Lane k is lane I[k] of x, or of y, whose lanes are counted behind those of x.
template <int... I, class N>
[[gnu::always_inline]] inline auto shuffle(const N& x, const N& y) {
  using T = std::remove_cvref_t<decltype(x[0])>;
  // As integers, because GCC 12 makes a wrong vpermilpd of some orders of 8 doubles: {0, 1, 2, 7, 4, 5, 6, 7} is one.
  if constexpr (std::is_same_v<T, double>) {
    using bits = typename native<std::int64_t, static_cast<index>(sizeof(N) / sizeof(T))>::type;
    using result = typename native<T, static_cast<index>(sizeof...(I))>::type;
    return std::bit_cast<result>(__builtin_shufflevector(std::bit_cast<bits>(x), std::bit_cast<bits>(y), I...));
  } else {
    return __builtin_shufflevector(x, y, I...);
  }
}

/// The compiler may not move operations on x across this point, nor take them apart.
template <class B>
[[gnu::always_inline]] inline void pin([[maybe_unused]] B& x) {
#if defined(__x86_64__)
  auto r = static_cast<typename B::register_type>(x);
  asm("" : "+v"(r));
  x = B(r);
#elif defined(__aarch64__)
  auto r = static_cast<typename B::register_type>(x);
  asm("" : "+w"(r));
  x = B(r);
#endif
}

/// x * y + z, or z - x * y, rounded once where the machine can. Integers have to be unsigned.
template <bool Minus = false, class B>
[[gnu::always_inline]] inline B multiply_add(const B& x, const B& y, const B& z) {
  using T = typename B::value_type;
  if constexpr (std::is_integral_v<T>) {
    using R = typename B::register_type;
    using N = native_of<B>;
    auto as_native = [](const B& v) __attribute__((always_inline)) { return std::bit_cast<N>(static_cast<R>(v)); };
    return B(std::bit_cast<R>(as_native(x) * as_native(y) + as_native(z)));
  }
// xsimd 8 has no fused instructions for AVX-512, nor for short registers next to AVX.
#if defined(__AVX512F__)
  else if constexpr (sizeof(B) == 64 && sizeof(T) == 4)
    return B(Minus ? _mm512_fnmadd_ps(x, y, z) : _mm512_fmadd_ps(x, y, z));
  else if constexpr (sizeof(B) == 64) return B(Minus ? _mm512_fnmadd_pd(x, y, z) : _mm512_fmadd_pd(x, y, z));
#endif
#if defined(__FMA__)
  else if constexpr (sizeof(B) == 32 && sizeof(T) == 4) return B(Minus ? _mm256_fnmadd_ps(x, y, z) : _mm256_fmadd_ps(x, y, z));
  else if constexpr (sizeof(B) == 32) return B(Minus ? _mm256_fnmadd_pd(x, y, z) : _mm256_fmadd_pd(x, y, z));
  else if constexpr (sizeof(T) == 4) return B(Minus ? _mm_fnmadd_ps(x, y, z) : _mm_fmadd_ps(x, y, z));
  else return B(Minus ? _mm_fnmadd_pd(x, y, z) : _mm_fmadd_pd(x, y, z));
#else
  else
    return xsimd::fma(Minus ? B(0) - x : x, y, z);
#endif
}

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

/// Whether multiply_add rounds once.
#if defined(__FMA__) || defined(__aarch64__)
inline constexpr bool fused = true;
#else
inline constexpr bool fused = false;
#endif

/// An unsigned integer of the size of a batch's elements.
template <class B>
using word = std::conditional_t<sizeof(typename B::value_type) == 4, std::uint32_t, std::uint64_t>;

/// The elements' bits.
template <class B>
using words = typename native<word<B>, static_cast<index>(B::size)>::type;
template <class B>
[[gnu::always_inline]] inline words<B> to_words(const B& x) {
  return std::bit_cast<words<B>>(static_cast<typename B::register_type>(x));
}
template <class B>
[[gnu::always_inline]] inline B from_words(const words<B>& x) {
  return B(std::bit_cast<typename B::register_type>(x));
}

// How floating numbers are made.
template <class B>
inline constexpr int fraction_bits = sizeof(word<B>) == 4 ? 23 : 52;
template <class B>
inline constexpr word<B> exponent_bias = sizeof(word<B>) == 4 ? 127 : 1023;
template <class B>
inline constexpr word<B> sign_bit = word<B>(1) << (8 * sizeof(word<B>) - 1);
/// Added to a number it leaves no room for a fraction: the sum's last bits are the nearest integer.
template <class B>
inline constexpr typename B::value_type no_fraction = sizeof(word<B>) == 4 ? 0x1.8p23f : 0x1.8p52;

/// |x|
template <class B>
[[gnu::always_inline]] inline B magnitude(const B& x) {
  return from_words<B>(to_words(x) & ~sign_bit<B>);
}
/// Changes the sign of x where that of y is minus.
template <class B>
[[gnu::always_inline]] inline B flip_sign(const B& x, const B& y) {
  return from_words<B>(to_words(x) ^ (to_words(y) & sign_bit<B>));
}

/// What x * y loses when it is rounded to `product`.
template <class B>
[[gnu::always_inline]] inline B product_error(const B& x, const B& y, const B& product) {
  if constexpr (fused) {
    return B(0) - multiply_add<true>(x, y, product);
  } else {
    // Dekker's: halves of the digits have exact products.
    constexpr word<B> upper = ~word<B>(0) << (fraction_bits<B> / 2 + 1);
    const B x1 = from_words<B>(to_words(x) & upper), x2 = x - x1, y1 = from_words<B>(to_words(y) & upper), y2 = y - y1;
    return ((x1 * y1 - product) + x1 * y2 + x2 * y1) + x2 * y2;
  }
}

// Instructions of AVX-512 that xsimd does not have, or gets wrong.
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
inline constexpr bool has_estimates = true;
namespace detail {
#define JIG_SIMD_WIDTH(R, D, mm)                                                     \
  [[gnu::always_inline]] inline R scale(R x, R n) { return mm##_scalef_ps(x, n); }   \
  [[gnu::always_inline]] inline D scale(D x, D n) { return mm##_scalef_pd(x, n); }   \
  [[gnu::always_inline]] inline R estimate_rsqrt(R x) { return mm##_rsqrt14_ps(x); } \
  /* zero, infinite, NaN, below zero or denormal */                                  \
  [[gnu::always_inline]] inline bool any_special(R x) { return mm##_fpclass_ps_mask(x, 0xff) != 0; }
JIG_SIMD_WIDTH(__m512, __m512d, _mm512)
JIG_SIMD_WIDTH(__m256, __m256d, _mm256)
JIG_SIMD_WIDTH(__m128, __m128d, _mm)
#undef JIG_SIMD_WIDTH
}  // namespace detail
#else
inline constexpr bool has_estimates = false;
namespace detail {
template <class R>
R scale(R x, R n);
template <class R>
R estimate_rsqrt(R x);
template <class R>
bool any_special(R x);
}  // namespace detail
#endif

/// x * 2^n, rounded once. n is integral; its absolute value is at most twice the largest exponent.
template <class B>
[[gnu::always_inline]] inline B scale(const B& x, const B& n) {
  if constexpr (has_estimates) {
    using R = typename B::register_type;
    return B(detail::scale(static_cast<R>(x), static_cast<R>(n)));
  } else {
    // In two steps, of which only the second one leaves the range.
    const B magic(no_fraction<B>);
    auto power_of_two = [](const B& e)
                            __attribute__((always_inline)) { return from_words<B>((to_words(e) + exponent_bias<B>) << fraction_bits<B>); };
    const B half = multiply_add(n, B(0.5), magic);
    return x * power_of_two(half) * power_of_two(n - (half - magic) + magic);
  }
}

/// Replaces the elements of a result that the vector code is not for.
template <class B, class F>
[[gnu::noinline]] B patch(const B& result, const B& x, const typename B::batch_bool_type& where, F f) {
  using T = typename B::value_type;
  alignas(sizeof(B)) T to[B::size], from[B::size];
  result.store_aligned(to);
  xsimd::select(where, x, B(0)).store_aligned(from);
  for (std::size_t i = 0; i < B::size; ++i)
    if (from[i] != 0) to[i] = f(from[i]);
  return B::load_aligned(to);
}

/// The 64-bit products of the lower halves of all lanes.
[[gnu::always_inline]] inline batch<std::uint64_t> multiply_low_halves(const batch<std::uint64_t>& x, const batch<std::uint64_t>& y) {
  using B = batch<std::uint64_t>;
#if defined(__AVX512F__)
  return B(_mm512_mul_epu32(x, y));
#elif defined(__AVX2__)
  return B(_mm256_mul_epu32(x, y));
#elif defined(__SSE2__) && !defined(__AVX__)
  return B(_mm_mul_epu32(x, y));
#else
  using R = typename B::register_type;
  using N = native_of<B>;
  auto low_half = [](const B& v) __attribute__((always_inline)) { return std::bit_cast<N>(static_cast<R>(v)) & 0xffffffff; };
  return B(std::bit_cast<R>(low_half(x) * low_half(y)));
#endif
}

/// Truth values that are true from lane `first` on.
template <class T>
[[gnu::always_inline]] inline mask<T> lanes_from(index first) {
  static constexpr auto numbers = [] {
    struct {
      alignas(sizeof(batch<T>)) T at[lanes<T>]{};
    } out;
    for (index k = 0; k < lanes<T>; ++k) out.at[k] = static_cast<T>(k);
    return out;
  }();
  return batch<T>::load_aligned(numbers.at) >= batch<T>(static_cast<T>(first));
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

/// Stores integers as int64.
template <index Lanes, class V>
[[gnu::always_inline]] inline void store_as_int64(std::int64_t* to, const V& x) {
  using T = std::remove_cvref_t<decltype(x[0])>;
  T from[jig::detail::array_bound(Lanes)];
  std::memcpy(from, &x, sizeof(from));
#if defined(__AVX512F__)
  if constexpr (Lanes % 8 == 0) {
#pragma GCC unroll 8
    for (index i = 0; i < Lanes; i += 8) {
      const void* part = from + i;
      __m512i wide;
      if constexpr (sizeof(T) == 1) wide = _mm512_cvtepi8_epi64(_mm_loadl_epi64(static_cast<const __m128i*>(part)));
      else if constexpr (sizeof(T) == 2) wide = _mm512_cvtepi16_epi64(_mm_loadu_si128(static_cast<const __m128i*>(part)));
      else if constexpr (sizeof(T) == 4) wide = _mm512_cvtepi32_epi64(_mm256_loadu_si256(static_cast<const __m256i*>(part)));
      else wide = _mm512_loadu_si512(part);
      _mm512_storeu_si512(to + i, wide);
    }
    return;
  }
#endif
#pragma GCC unroll 8
  for (index i = 0; i < Lanes; ++i) to[i] = from[i];
}

/// The first `Lanes` lanes, a power of two, combined by a function of two registers, pairwise.
template <index Lanes, class B, class F>
[[gnu::always_inline]] inline typename B::value_type fold(const B& x, F combine) {
  using R = typename B::register_type;
  constexpr int width = static_cast<int>(B::size);
  B y = x;
  [&]<int... Round>(std::integer_sequence<int, Round...>) __attribute__((always_inline)) {
    (
        [&] {
          constexpr int by = static_cast<int>(Lanes) >> (Round + 1);
          if constexpr (by > 0) {
            const auto n = std::bit_cast<native_of<B>>(static_cast<R>(y));
            y = combine(y, [&]<int... I>(std::integer_sequence<int, I...>) __attribute__((always_inline)) {
              return B(std::bit_cast<R>(shuffle<(I ^ by)...>(n, n)));
            }(std::make_integer_sequence<int, width>()));
          }
        }(),
        ...);
  }(std::make_integer_sequence<int, 6>());
  return y.get(0);
}

/// The sum of all lanes; integers have to be unsigned.
template <class B>
[[gnu::always_inline]] inline typename B::value_type sum(const B& x) {
  using T = typename B::value_type;
  if constexpr (std::is_floating_point_v<T>) {
#if XSIMD_VERSION_MAJOR < 9
    return xsimd::hadd(x);
#else
    return xsimd::reduce_add(x);
#endif
  } else {
    alignas(sizeof(B)) T at[B::size];
    x.store_aligned(at);
    std::uint64_t total = 0;
    for (T v : at) total += v;
    return static_cast<T>(total);
  }
}

}  // namespace jig::simd
