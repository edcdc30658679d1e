// SPDX-License-Identifier: MIT
#pragma once
// Elements that are known before a call, as bits, and arithmetic on them, bit for bit what kernels compute. What constant
// evaluation refuses (NaN, infinity, overflow of floating numbers), what throws, and what kernels approximate is left to the call.

#include <jig/core/dtype.hpp>
#include <jig/core/half.hpp>
#include <jig/core/stretch.hpp>

#include <bit>
#include <cstdint>
#include <limits>

namespace jig {

/// The bits of an element, if they are known before a call.
struct known_bits {
  bool known = false;
  std::uint64_t bits = 0;
};

namespace detail {

/// What the lower bits are as an integer of dtype d: with its sign in all upper ones.
constexpr std::uint64_t wrapped_bits(dtype d, std::uint64_t x) {
  const unsigned unused = 64 - 8 * static_cast<unsigned>(size_of(d));
  x <<= unused;
  return is_signed(d) ? static_cast<std::uint64_t>(static_cast<std::int64_t>(x) >> unused) : x >> unused;
}
constexpr std::uint64_t sign_bit(dtype d) { return std::uint64_t(1) << (8 * size_of(d) - 1); }
constexpr bool is_finite_number(dtype d, std::uint64_t x) {
  const std::uint64_t all = d == dtype::float32   ? 0x7f800000
                            : d == dtype::float64 ? 0x7ff0000000000000
                            : d == dtype::float16 ? 0x7c00
                                                  : 0x7f80;
  return (x & all) != all;
}
/// Of a finite floating number.
constexpr double number_of_bits(dtype d, std::uint64_t x) {
  if (d == dtype::float64) return std::bit_cast<double>(x);
  if (d == dtype::float32) return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(x)));
  const auto narrow = static_cast<std::uint16_t>(x);
  if (d == dtype::float16) return static_cast<double>(static_cast<float>(std::bit_cast<half>(narrow)));
  return static_cast<double>(static_cast<float>(std::bit_cast<bfloat16>(narrow)));
}
/// The nearest number of floating dtype d. A double holds sums, products and quotients of floats so well that rounding them once more
/// makes no difference; storage dtypes are rounded from float, as kernels do.
constexpr known_bits rounded_bits(dtype d, double x) {
  if (d == dtype::float64) return {true, std::bit_cast<std::uint64_t>(x)};
  const double most = d == dtype::float16    ? 65504
                      : d == dtype::bfloat16 ? 0x1.fep127
                                             : static_cast<double>((std::numeric_limits<float>::max)());
  if (x > most || x < -most) return {};
  const auto y = static_cast<float>(x);
  if (d == dtype::float32) return {true, std::bit_cast<std::uint32_t>(y)};
  return {true, d == dtype::float16 ? half(y).bits : bfloat16(y).bits};
}
/// A small integer as an element.
constexpr std::uint64_t bits_of_number(dtype d, int x) {
  return is_floating(d) ? rounded_bits(d, x).bits : d == dtype::boolean ? x != 0 : wrapped_bits(d, static_cast<std::uint64_t>(x));
}

}  // namespace detail

/// The known operands of an elementwise op, of which floating ones are finite unless the op only moves elements. Sums, products and
/// quotients are those of the dtype of the operands: integers wrap, floating numbers are unknown where they might overflow.
class known_operands {
  stretch<std::uint64_t> bits_;
  // The power of two below a number, or less for those near 0.
  static constexpr int exponent(double x) { return static_cast<int>(std::bit_cast<std::uint64_t>(x) >> 52 & 0x7ff) - 1023; }
  static constexpr int most = 1022;

 public:
  dtype type;    // of the last operand
  dtype result;  // what the op makes

  constexpr known_operands(stretch<std::uint64_t> bits, dtype of, dtype to) : bits_(bits), type(of), result(to) {}

  constexpr std::size_t size() const { return bits_.size(); }
  constexpr std::uint64_t operator[](std::size_t k) const { return bits_[k]; }
  constexpr bool is_floating() const { return jig::is_floating(type); }
  constexpr bool is_signed() const { return jig::is_signed(type); }
  constexpr std::int64_t integer(std::size_t k) const { return static_cast<std::int64_t>(bits_[k]); }
  /// Of a floating dtype.
  constexpr double number(std::size_t k) const { return detail::number_of_bits(type, bits_[k]); }
  constexpr bool is_negative(std::size_t k) const {
    return is_signed() && (bits_[k] & detail::sign_bit(type)) != 0 && (!is_floating() || bits_[k] != detail::sign_bit(type));
  }
  constexpr bool are_equal() const { return is_floating() ? number(0) == number(1) : bits_[0] == bits_[1]; }
  constexpr bool is_less() const {
    return is_floating() ? number(0) < number(1) : is_signed() ? integer(0) < integer(1) : bits_[0] < bits_[1];
  }

  static constexpr known_bits number_of(dtype d, double x) { return detail::rounded_bits(d, x); }
  static constexpr known_bits unknown() { return {}; }
  static constexpr known_bits truth(bool x) { return {true, x}; }
  static constexpr known_bits element(std::uint64_t bits) { return {true, bits}; }
  constexpr known_bits wrapped(std::uint64_t x) const { return {true, detail::wrapped_bits(type, x)}; }
  constexpr known_bits rounded(double x) const { return detail::rounded_bits(type, x); }

  constexpr known_bits sum(std::uint64_t x, std::uint64_t y) const {
    if (!is_floating()) return wrapped(x + y);
    const double a = detail::number_of_bits(type, x), b = detail::number_of_bits(type, y);
    return exponent(a) < most && exponent(b) < most ? rounded(a + b) : unknown();
  }
  constexpr known_bits difference(std::uint64_t x, std::uint64_t y) const {
    return is_floating() ? sum(x, y ^ detail::sign_bit(type)) : wrapped(x - y);
  }
  constexpr known_bits product(std::uint64_t x, std::uint64_t y) const {
    if (!is_floating()) return wrapped(x * y);
    const double a = detail::number_of_bits(type, x), b = detail::number_of_bits(type, y);
    return exponent(a) + exponent(b) < most ? rounded(a * b) : unknown();
  }
  /// Of floating numbers.
  constexpr known_bits quotient(std::uint64_t x, std::uint64_t y) const {
    const double a = detail::number_of_bits(type, x), b = detail::number_of_bits(type, y);
    return b != 0 && exponent(b) > -1023 && exponent(a) - exponent(b) < most ? rounded(a / b) : unknown();
  }
};

}  // namespace jig
