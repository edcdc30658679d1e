// SPDX-License-Identifier: MIT
#pragma once
// Floating numbers in registers as their bits, and what the library's functions of numbers are made of.

#include <jig/eval/simd.hpp>

namespace jig::simd {

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
  [[gnu::always_inline]] inline R scale_from(R least, R y, R x, R n) {               \
    return mm##_maskz_scalef_ps(mm##_cmp_ps_mask(y, least, _CMP_NLT_UQ), x, n);      \
  }                                                                                  \
  [[gnu::always_inline]] inline D scale_from(D least, D y, D x, D n) {               \
    return mm##_maskz_scalef_pd(mm##_cmp_pd_mask(y, least, _CMP_NLT_UQ), x, n);      \
  }                                                                                  \
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
R scale_from(R least, R y, R x, R n);
template <class R>
R estimate_rsqrt(R x);
template <class R>
bool any_special(R x);
}  // namespace detail
#endif

/// x * 2^n, rounded once. n is integral; its absolute value is at most twice that of the exponent of the smallest normal number.
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

/// x * 2^n, or 0 where y is below the least one: processors take long for results below the smallest number, also where nothing is left
/// of them. There n may be anything.
template <class B>
[[gnu::always_inline]] inline B scale_from(const B& least, const B& y, const B& x, const B& n) {
  if constexpr (has_estimates) {
    using R = typename B::register_type;
    return B(detail::scale_from(static_cast<R>(least), static_cast<R>(y), static_cast<R>(x), static_cast<R>(n)));
  } else {
    return xsimd::select(y < least, B(0), scale(x, n));
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

}  // namespace jig::simd
