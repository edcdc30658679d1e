// SPDX-License-Identifier: MIT
#pragma once
// 16-bit floating types. They store; what is computed with them is computed in float and rounded to nearest, ties to even.

#include <bit>
#include <cstdint>
#include <type_traits>

namespace jig {

namespace detail {

// A number as a float that has an odd last bit where it is not exact: rounded once more, to fewer bits, it gives what rounding
// the number itself gives.
template <class T>
constexpr float to_odd_float(T x) {
  if constexpr (std::is_same_v<T, float> || sizeof(T) < 4) {
    return static_cast<float>(x);
  } else {
    const auto exact = static_cast<double>(x);
    const auto rounded = static_cast<float>(exact);
    const auto wide = static_cast<double>(rounded);
    if (wide == exact || exact != exact) return rounded;
    auto bits = std::bit_cast<std::uint32_t>(rounded);
    if ((wide > exact) == (exact > 0)) --bits;
    return std::bit_cast<float>(bits | 1);
  }
}

constexpr std::uint16_t half_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000, size = bits & 0x7fffffff;
  std::uint32_t out = 0x7c00;
  if (size > 0x7f800000) {
    out = 0x7e00 | (size >> 13 & 0x3ff);  // NaN
  } else if (size >= 0x38800000) {
    if (size < 0x477ff000) out = (size - 0x38000000 + 0xfff + (size >> 13 & 1)) >> 13;
  } else if (size < 0x33000000) {
    out = 0;
  } else {
    const std::uint32_t fraction = (size & 0x7fffff) | 0x800000, shift = 126 - (size >> 23), middle = std::uint32_t{1} << (shift - 1);
    const std::uint32_t rest = fraction & (2 * middle - 1);
    out = fraction >> shift;
    if (rest > middle || (rest == middle && (out & 1) != 0)) ++out;
  }
  return static_cast<std::uint16_t>(sign | out);
}

constexpr float float_of_half(std::uint16_t half) {
  const std::uint32_t sign = (half & 0x8000u) << 16, size = half & 0x7fffu;
  if (size >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000 | size << 13);
  if (size >= 0x400) return std::bit_cast<float>(sign | ((size << 13) + 0x38000000));
  const float subnormal = static_cast<float>(size) * 0x1p-24f;
  return sign == 0 ? subnormal : -subnormal;
}

constexpr std::uint16_t bfloat16_bits(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return static_cast<std::uint16_t>(bits >> 16 | 0x40);
  return static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace detail

/// An IEEE 754 binary16 number, TensorFlow's `half`: 11 significant bits, up to 65504. It converts from numbers, rounded to
/// nearest, ties to even, and to float.
struct half {
  std::uint16_t bits;
  half() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr half(T x) : bits(detail::half_bits(detail::to_odd_float(x))) {}
  constexpr operator float() const { return detail::float_of_half(bits); }
};

/// The upper half of a float: 8 significant bits and the range of float. It converts as jig::half does.
struct bfloat16 {
  std::uint16_t bits;
  bfloat16() = default;
  template <class T>
    requires std::is_arithmetic_v<T>
  constexpr bfloat16(T x) : bits(detail::bfloat16_bits(detail::to_odd_float(x))) {}
  constexpr operator float() const { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16); }
};

/// Whether T is a floating type that only stores.
template <class T>
inline constexpr bool is_storage_float = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;

}  // namespace jig
