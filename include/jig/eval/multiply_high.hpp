// SPDX-License-Identifier: MIT
#pragma once
// The high halves of products of 16 or 32 bits, and with them quotients of integers by one that stays the same.
// Source: Granlund, Montgomery, Division by Invariant Integers using Multiplication, 1994, figures 4.1 and 5.1.

#include <jig/eval/sized_register.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace jig::simd {

/// Whether there are instructions for numbers T in registers of so many bytes.
template <class T, std::size_t Bytes>
inline constexpr bool multiplies_high = [] {
  if (sizeof(T) != 2 && sizeof(T) != 4) return false;
#if defined(__AVX512BW__)
  if (Bytes == 64) return true;
#endif
#if defined(__AVX2__)
  if (Bytes == 32) return true;
#endif
#if defined(__SSE4_1__)
  if (Bytes == 16) return true;
#elif defined(__SSE2__)
  if (Bytes == 16) return sizeof(T) == 2;
#endif
  return false;
}();

/// The upper halves of the products of numbers, which are as wide as these.
template <class B>
  requires multiplies_high<typename B::value_type, sizeof(B)>
[[gnu::always_inline]] inline B multiply_high(const B& x, const B& y) {
  using R = typename B::register_type;
  constexpr bool has_sign = std::is_signed_v<typename B::value_type>, words = sizeof(typename B::value_type) == 2;
  const auto a = static_cast<R>(x), b = static_cast<R>(y);
  // Of numbers of 32 bits those of every other lane are multiplied at a time.
#if defined(__AVX512BW__)
  if constexpr (sizeof(B) == 64) {
    if constexpr (words) return B(has_sign ? _mm512_mulhi_epi16(a, b) : _mm512_mulhi_epu16(a, b));
    const auto product = [](const R& p, const R& q)
                             __attribute__((always_inline)) { return has_sign ? _mm512_mul_epi32(p, q) : _mm512_mul_epu32(p, q); };
    const R even = _mm512_srli_epi64(product(a, b), 32), odd = product(_mm512_srli_epi64(a, 32), _mm512_srli_epi64(b, 32));
    return B(_mm512_mask_blend_epi32(0xaaaa, even, odd));
  }
#endif
#if defined(__AVX2__)
  if constexpr (sizeof(B) == 32) {
    if constexpr (words) return B(has_sign ? _mm256_mulhi_epi16(a, b) : _mm256_mulhi_epu16(a, b));
    const auto product = [](const R& p, const R& q)
                             __attribute__((always_inline)) { return has_sign ? _mm256_mul_epi32(p, q) : _mm256_mul_epu32(p, q); };
    const R even = _mm256_srli_epi64(product(a, b), 32), odd = product(_mm256_srli_epi64(a, 32), _mm256_srli_epi64(b, 32));
    return B(_mm256_blend_epi32(even, odd, 0xaa));
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(B) == 16) {
    if constexpr (words) {
      return B(has_sign ? _mm_mulhi_epi16(a, b) : _mm_mulhi_epu16(a, b));
    } else {
#if defined(__SSE4_1__)
      const auto product = [](const R& p, const R& q)
                               __attribute__((always_inline)) { return has_sign ? _mm_mul_epi32(p, q) : _mm_mul_epu32(p, q); };
      const R even = _mm_srli_epi64(product(a, b), 32), odd = product(_mm_srli_epi64(a, 32), _mm_srli_epi64(b, 32));
      return B(_mm_blend_epi16(even, odd, 0xcc));
#endif
    }
  }
#endif
}

/// Division of words that hold bytes by a byte that is not zero.
class byte_divisor {
  std::uint16_t factor_, all_of_one_;

 public:
  [[gnu::always_inline]] explicit byte_divisor(std::uint8_t d)
      : factor_(d == 1 ? std::uint16_t(0) : static_cast<std::uint16_t>(static_cast<std::int32_t>(65535.0 / d) + 1)),
        all_of_one_(d == 1 ? 0xffff : 0) {}
  // What the factor is too large by, times the largest byte, is less than 65536.
  template <class B>
  [[gnu::always_inline]] B divide(const B& x) const {
    return multiply_high(x, B(factor_)) + (x & B(all_of_one_));
  }
};

/// Division by a number of 16 or 32 bits that is not zero.
template <class T>
class invariant_divisor {
  static constexpr int width = 8 * static_cast<int>(sizeof(T));
  T factor_, sign_ = 0;
  int first_ = 0, second_;

  // Without an instruction that might stop the program, which compilers leave in loops: doubles are off by one at most.
  [[gnu::always_inline]] static T factor(std::uint64_t n, std::uint64_t d) {
    auto quotient = static_cast<std::uint64_t>(static_cast<double>(n) / static_cast<double>(d));
    const auto rest = static_cast<std::int64_t>(n - quotient * d);
    quotient += rest < 0 ? ~std::uint64_t(0) : rest >= static_cast<std::int64_t>(d);
    return static_cast<T>(quotient + 1);
  }

 public:
  [[gnu::always_inline]] explicit invariant_divisor(T d) {
    if constexpr (std::is_signed_v<T>) {
      const std::uint64_t size = d < 0 ? 0 - static_cast<std::uint64_t>(std::int64_t(d)) : static_cast<std::uint64_t>(d);
      const auto bits = static_cast<int>(std::bit_width(size - 1));
      second_ = bits > 1 ? bits - 1 : 0;
      factor_ = factor(std::uint64_t(1) << (width + second_), size);
      sign_ = d < 0 ? T(-1) : T(0);
    } else {
      const auto bits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(d) - 1));
      first_ = bits > 0;
      second_ = bits > 0 ? bits - 1 : 0;
      factor_ = factor(((std::uint64_t(1) << bits) - d) << width, d);
    }
  }
  /// Quotients that are cut off; of the lowest number by -1 it is that number.
  template <class B>
  [[gnu::always_inline]] B divide(const B& x) const {
    const B high = multiply_high(x, B(factor_));
    if constexpr (std::is_signed_v<T>) {
      const B quotient = ((x + high) >> second_) - (x >> (width - 1)), sign(sign_);
      return (quotient ^ sign) - sign;
    } else {
      return (high + ((x - high) >> first_)) >> second_;
    }
  }
};

}  // namespace jig::simd
