// SPDX-License-Identifier: MIT
#pragma once
// The few things the evaluator asks of xsimd, under names of our own, so that differences between its releases stay here.

#include <jig/core/dtype.hpp>
#include <jig/eval/portable.hpp>
#include <jig/ops/select.hpp>

// xsimd has registers for these machines; for all others there is a stand-in.
#if !(defined(__SSE2__) || (defined(__aarch64__) && defined(__ARM_NEON)))
#define JIG_PORTABLE_VECTORS
#endif

#if defined(JIG_PORTABLE_VECTORS)
namespace jig {
namespace xsimd = portable;
}
#else
#if !__has_include(<xsimd/xsimd.hpp>)
#error "jig needs xsimd: apt-get install libxsimd-dev"
#include <jig_needs_xsimd>  // no such header, which ends the compilation here
#endif

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
#endif

#include <bit>
#include <cstring>

#if defined(__AVX512BW__) && defined(__GNUC__) && !defined(__clang__) && !defined(__OPTIMIZE__) && XSIMD_VERSION_MAJOR < 9
// Without optimisation GCC's intrinsics are macros with casts, into which xsimd 8 puts objects of its own. This one is found before it.
namespace xsimd {
template <class T>
  requires std::is_integral_v<T>
inline batch<T, avx512bw> select(const batch_bool<T, avx512bw>& where, const batch<T, avx512bw>& yes, const batch<T, avx512bw>& no) {
  const __m512i a = yes, b = no;
  const auto m = static_cast<typename batch_bool<T, avx512bw>::register_type>(where);
  if constexpr (sizeof(T) == 1) return _mm512_mask_blend_epi8(m, b, a);
  else if constexpr (sizeof(T) == 2) return _mm512_mask_blend_epi16(m, b, a);
  else if constexpr (sizeof(T) == 4) return _mm512_mask_blend_epi32(m, b, a);
  else return _mm512_mask_blend_epi64(m, b, a);
}
}  // namespace xsimd
#endif

namespace jig::simd {

/// What the code of this file is made for, by what the compiler was told.
using instruction_set = xsimd::default_arch;

/// As many elements of T as one register holds.
template <class T>
using batch = xsimd::batch<T>;

/// One truth value for each element of a batch<T>.
template <class T>
using mask = xsimd::batch_bool<T>;

template <class T>
inline constexpr index lanes = static_cast<index>(xsimd::batch<T>::size);

/// Stands for T where registers of so many elements are used, which are fewer than the machine's longest one holds.
template <class T, index Lanes>
struct narrowed {};
template <class T, index Lanes>
inline constexpr index lanes<narrowed<T, Lanes>> = Lanes;

template <class T>
[[gnu::always_inline]] inline batch<T> load(const T* from) {
  return batch<T>::load_unaligned(from);
}
template <class T>
[[gnu::always_inline]] inline void store(T* to, const batch<T>& x) {
  x.store_unaligned(to);
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

/// Whether short code is asked for, for a machine without vectors: then loops are better than what is unrolled.
#if defined(JIG_PORTABLE_VECTORS) && defined(__OPTIMIZE_SIZE__)
inline constexpr bool small_code = true;
#else
inline constexpr bool small_code = false;
#endif

/// How many vector registers a loop may use before it spills.
#if defined(__AVX512F__) || defined(__aarch64__)
inline constexpr int registers = 32;
#else
inline constexpr int registers = 16;
#endif

/// A batch with this many lanes, which fill a register of some width that the machine has.
template <class T, index Lanes>
using sized_batch = xsimd::make_sized_batch_t<T, static_cast<std::size_t>(Lanes)>;

/// Whether there are registers that are worth loading and storing in part.
#if defined(JIG_PORTABLE_VECTORS)
inline constexpr bool has_parts = false;
#else
inline constexpr bool has_parts = true;
#endif

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

/// Whether multiply_add rounds once.
#if defined(__FMA__) || defined(__aarch64__)
inline constexpr bool fused = true;
#elif defined(JIG_PORTABLE_VECTORS)
inline constexpr bool fused = portable::detail::has_fma<float> && portable::detail::has_fma<double>;
#else
inline constexpr bool fused = false;
#endif

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

namespace detail {

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
#if defined(__AVX2__)
  if constexpr (Lanes % 4 == 0) {
#pragma GCC unroll 8
    for (index i = 0; i < Lanes; i += 4) {
      const void* part = from + i;
      __m256i wide;
      if constexpr (sizeof(T) == 1) wide = _mm256_cvtepi8_epi64(_mm_loadu_si32(part));
      else if constexpr (sizeof(T) == 2) wide = _mm256_cvtepi16_epi64(_mm_loadl_epi64(static_cast<const __m128i*>(part)));
      else if constexpr (sizeof(T) == 4) wide = _mm256_cvtepi32_epi64(_mm_loadu_si128(static_cast<const __m128i*>(part)));
      else wide = _mm256_loadu_si256(static_cast<const __m256i*>(part));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), wide);
    }
    return;
  }
#endif
#pragma GCC unroll 8
  for (index i = 0; i < Lanes; ++i) to[i] = from[i];
}

}  // namespace detail

/// Stores integers as int64 or int32, which wraps.
template <index Lanes, class V>
[[gnu::always_inline]] inline void store_as(std::int64_t* to, const V& x) {
  detail::store_as_int64<Lanes>(to, x);
}
template <index Lanes, class V>
[[gnu::always_inline]] inline void store_as(std::int32_t* to, const V& x) {
  const auto y = __builtin_convertvector(x, typename native<std::int32_t, Lanes>::type);
  std::memcpy(to, &y, sizeof(y));
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
#if !defined(JIG_PORTABLE_VECTORS) && XSIMD_VERSION_MAJOR < 9
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
