// SPDX-License-Identifier: MIT
#include <jig/graph/known_elements.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>

namespace {

using jig::dtype, jig::known_bits, jig::known_operands;

constexpr std::uint64_t of(double x) { return std::bit_cast<std::uint64_t>(x); }
constexpr known_operands pair_of(const std::uint64_t (&bits)[2], dtype d) { return {bits, d, d}; }

constexpr double largest = std::numeric_limits<double>::max();

}  // namespace

TEST_CASE("integers wrap and keep their sign in the upper bits") {
  static constexpr std::uint64_t x[] = {0x7f, 1};
  constexpr known_operands bytes = pair_of(x, dtype::int8);
  static_assert(static_cast<std::int64_t>(bytes.sum(x[0], x[1]).bits) == -128);
  static_assert(pair_of(x, dtype::uint8).sum(x[0], x[1]).bits == 128);
  static_assert(static_cast<std::int64_t>(bytes.product(x[0], 2).bits) == -2);
  static_assert(!bytes.is_negative(0) && !bytes.is_less());
}

TEST_CASE("doubles that may overflow are unknown, others are what the machine computes") {
  static constexpr std::uint64_t x[] = {of(0.1), of(0.2)};
  constexpr known_operands d = pair_of(x, dtype::float64);
  static_assert(d.sum(x[0], x[1]).bits == of(0.1 + 0.2));
  static_assert(d.difference(x[0], x[1]).bits == of(0.1 - 0.2));
  static_assert(d.product(x[0], x[1]).bits == of(0.1 * 0.2));
  static_assert(d.quotient(x[0], x[1]).bits == of(0.1 / 0.2));
  static_assert(!d.sum(of(largest), of(largest)).known && !d.product(of(largest), of(2)).known);
  static_assert(!d.quotient(of(1), of(0)).known && !d.quotient(of(largest), of(0.1)).known);
  static_assert(d.is_less() && !d.are_equal());
}

TEST_CASE("zeros have signs and no sign") {
  static constexpr std::uint64_t x[] = {of(-0.0), of(0.0)};
  constexpr known_operands d = pair_of(x, dtype::float64);
  static_assert(d.are_equal() && !d.is_less() && !d.is_negative(0));
  static_assert(d.sum(x[0], x[0]).bits == of(-0.0) && d.sum(x[0], x[1]).bits == 0);
}

TEST_CASE("numbers of every dtype") {
  CHECK(jig::detail::bits_of_number(dtype::float32, -1) == 0xbf800000);
  CHECK(jig::detail::bits_of_number(dtype::float16, 1) == 0x3c00);
  CHECK(jig::detail::bits_of_number(dtype::bfloat16, 2) == 0x4000);
  CHECK(jig::detail::bits_of_number(dtype::uint8, -1) == 255);
  CHECK(jig::detail::bits_of_number(dtype::boolean, 3) == 1);
  CHECK(!jig::detail::rounded_bits(dtype::float32, 1e39).known);
  CHECK(!jig::detail::rounded_bits(dtype::float16, 65520).known);
  CHECK(jig::detail::rounded_bits(dtype::float16, 65504).bits == 0x7bff);
  CHECK_FALSE(jig::detail::is_finite_number(dtype::float32, 0x7fc00000));
  CHECK(jig::detail::is_finite_number(dtype::float32, 0x7f7fffff));
}
