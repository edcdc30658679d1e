// SPDX-License-Identifier: MIT
#include <jig/core/half.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <cstdint>
#include <limits>

using jig::bfloat16;
using jig::half;

namespace {

template <class T>
T of_bits(unsigned bits) {
  return std::bit_cast<T>(static_cast<std::uint16_t>(bits));
}

// The value of a 16-bit pattern by its definition.
double value_of(unsigned bits, int exponent_bits, int fraction_bits) {
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const int exponent = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1);
  const int fraction = static_cast<int>(bits) & ((1 << fraction_bits) - 1);
  const double size = exponent == 0 ? std::ldexp(fraction, 1 - bias - fraction_bits)
                                    : std::ldexp(fraction + (1 << fraction_bits), exponent - bias - fraction_bits);
  return (bits & 0x8000) != 0 ? -size : size;
}

// All numbers: back and forth, and what lies between two neighbours goes to the nearer one, or the even one.
template <class T>
void check_all(int exponent_bits, int fraction_bits) {
  const auto infinite = static_cast<unsigned>(((1 << exponent_bits) - 1) << fraction_bits);
  int wrong = 0;
  for (unsigned bits = 0; bits < infinite; ++bits) {
    const double x = value_of(bits, exponent_bits, fraction_bits), next = value_of(bits + 1, exponent_bits, fraction_bits),
                 middle = (x + next) / 2;
    wrong += static_cast<double>(static_cast<float>(of_bits<T>(bits))) != x ||
             static_cast<double>(static_cast<float>(of_bits<T>(bits | 0x8000))) != -x;
    wrong += T(x).bits != bits || T(-x).bits != (bits | 0x8000) || T(static_cast<float>(x)).bits != bits;
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    wrong += T(middle).bits != even || T(-middle).bits != (even | 0x8000);
    if (static_cast<double>(static_cast<float>(middle)) == middle) wrong += T(static_cast<float>(middle)).bits != even;
    // Closer to the middle than a float can be.
    wrong += T(std::nextafter(middle, 0.0)).bits != bits || T(std::nextafter(middle, next)).bits != bits + 1;
  }
  CHECK(wrong == 0);
  CHECK(T(std::numeric_limits<float>::infinity()).bits == infinite);
  CHECK(T(-std::numeric_limits<double>::infinity()).bits == (infinite | 0x8000));
  CHECK(T(1e300).bits == infinite);
  CHECK(T(std::numeric_limits<double>::denorm_min()).bits == 0);
  CHECK(T(-0.0).bits == 0x8000);
  int numbers = 0;
  for (unsigned bits = infinite + 1; bits < 0x8000; ++bits) numbers += !std::isnan(static_cast<float>(of_bits<T>(bits)));
  CHECK(numbers == 0);
  CHECK(std::isnan(static_cast<float>(T(std::numeric_limits<float>::quiet_NaN()))));
  CHECK(std::isnan(static_cast<float>(T(std::bit_cast<float>(0x7f800001u)))));
}

}  // namespace

TEST_CASE("every half and every bfloat16") {
  check_all<half>(5, 10);
  check_all<bfloat16>(8, 7);
}

TEST_CASE("published numbers") {
  static_assert(half(1).bits == 0x3c00 && half(-2).bits == 0xc000 && half(65504).bits == 0x7bff && half(65520).bits == 0x7c00);
  static_assert(half(0.1).bits == 0x2e66 && half(1.0 / 3).bits == 0x3555 && half(0x1p-24).bits == 1);
  static_assert(bfloat16(1).bits == 0x3f80 && bfloat16(3.140625).bits == 0x4049);
  static_assert(sizeof(half) == 2 && std::is_trivial_v<half> && half(true).bits == 0x3c00 &&
                half(std::int64_t{2049}).bits == half(2048).bits);
  CHECK(half(0.5f) + half(0.25f) == 0.75f);
}
