// SPDX-License-Identifier: MIT
#pragma once
// Bits of integers, and the same operators on bool tensors.

#include <jig/graph/simplification.hpp>
#include <jig/ops/compare.hpp>

namespace jig {

namespace detail {

constexpr void simplify_bitwise_and(simplification& s) {
  const constant_input c(s);
  if (!c.known || s.has_twins()) return;
  if (c.bits == wrapped_bits(c.type, ~std::uint64_t(0))) s.become_input(c.x);
  else if (c.bits == 0) s.become_number(0, c.x);
}

constexpr value_range range_of_bitwise_and(const known_ranges& x) {
  if (x[0].low < 0 && x[1].low < 0) return {};
  return {0, x[0].low < 0 ? x[1].high : x[1].low < 0 || x[0].high < x[1].high ? x[0].high : x[1].high};
}

// Less than the bits of the narrowest integer that is computed with.
constexpr bool is_short_shift(const value_range& count) { return count.low >= 0 && count.high <= 15; }

}  // namespace detail

namespace ops {
inline constexpr op bitwise_and{.name = "BitwiseAnd",
                                .label = "BitwiseAnd",
                                .facts = fact::elementwise | fact::commutative | fact::idempotent | fact::associative,
                                .rule = elementwise_rule<integers_only>,
                                .value = [](const known_operands& x) { return x.element(x[0] & x[1]); },
                                .simplify = detail::simplify_bitwise_and,
                                .range = detail::range_of_bitwise_and};
}  // namespace ops
template <>
struct functor<ops::bitwise_and> {
  static auto apply(const auto& x, const auto& y) { return x & y; }
};

namespace detail {

constexpr void simplify_bitwise_or(simplification& s) {
  const constant_input c(s);
  if (c.is(0) && !s.has_twins()) s.become_input(c.x);
}

}  // namespace detail

namespace ops {
inline constexpr op bitwise_or{.name = "BitwiseOr",
                               .label = "BitwiseOr",
                               .facts = fact::elementwise | fact::commutative | fact::idempotent | fact::associative,
                               .rule = elementwise_rule<integers_only>,
                               .value = [](const known_operands& x) { return x.element(x[0] | x[1]); },
                               .simplify = detail::simplify_bitwise_or};
}  // namespace ops
template <>
struct functor<ops::bitwise_or> {
  static auto apply(const auto& x, const auto& y) { return x | y; }
};

namespace detail {

constexpr void simplify_bitwise_xor(simplification& s) {
  if (s.has_twins()) s.become_number(0, s.inputs[0]);
  else simplify_bitwise_or(s);
}

}  // namespace detail

namespace ops {
inline constexpr op bitwise_xor{.name = "BitwiseXor",
                                .label = "BitwiseXor",
                                .facts = fact::elementwise | fact::commutative | fact::associative,
                                .rule = elementwise_rule<integers_only>,
                                .value = [](const known_operands& x) { return x.element(x[0] ^ x[1]); },
                                .simplify = detail::simplify_bitwise_xor};
}  // namespace ops
template <>
struct functor<ops::bitwise_xor> {
  static auto apply(const auto& x, const auto& y) { return x ^ y; }
};

namespace ops {
inline constexpr op invert{.name = "Invert",
                           .label = "Invert",
                           .facts = fact::elementwise | fact::involution,
                           .rule = elementwise_rule<integers_only>,
                           .value = [](const known_operands& x) { return x.wrapped(~x[0]); }};
}  // namespace ops
template <>
struct functor<ops::invert> {
  static auto apply(const auto& x) { return ~x; }
};

/// Every bit of an integer inverted.
template <class X>
  requires OperatorArguments<X>
constexpr auto operator~(const X& x) {
  return call<ops::invert>(x);
}

namespace detail {

constexpr void simplify_shift(simplification& s) {
  const constant_input c(s);
  if (c.right && c.is(0) && !s.has_twins()) s.become_input(c.x);
}

constexpr bool is_shift(const known_operands& x) { return !x.is_negative(1) && x[1] < 8 * static_cast<std::uint64_t>(size_of(x.type)); }

template <class T>
void check_shift(T count) {
  bool fits = count < static_cast<T>(8 * sizeof(T));
  if constexpr (std::is_signed_v<T>) fits = fits && count >= 0;
  if (!fits) throw_invalid_argument("a shift by a negative count or by the width of the dtype or more");
}

}  // namespace detail

namespace ops {
inline constexpr op left_shift{.name = "LeftShift",
                               .label = "LeftShift",
                               .facts = fact::elementwise | fact::scalar_only | fact::checked,
                               .rule = elementwise_rule<integers_only>,
                               .value = [](const known_operands& x) { return detail::is_shift(x) ? x.wrapped(x[0] << x[1]) : x.unknown(); },
                               .simplify = detail::simplify_shift,
                               .range = [](const known_ranges& x) -> value_range {
                                 if (!detail::is_short_shift(x[1])) return {};
                                 return x[0].times({index{1} << x[1].low, index{1} << x[1].high});
                               }};
}  // namespace ops
template <>
struct functor<ops::left_shift> {
  template <class T>
  static T apply(T x, T count) {
    detail::check_shift(count);
    return static_cast<T>(static_cast<std::uint64_t>(x) << count);
  }
};

/// Shifts bits to the left.
/// Errors: a count below 0 or of the width of the dtype or more throws invalid_argument.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator<<(const X& x, const Y& count) {
  return call<ops::left_shift>(x, count);
}

namespace ops {
inline constexpr op right_shift{
    .name = "RightShift",
    .label = "RightShift",
    .facts = fact::elementwise | fact::scalar_only | fact::checked,
    .rule = elementwise_rule<integers_only>,
    .value =
        [](const known_operands& x) {
          return !detail::is_shift(x) ? x.unknown()
                                      : x.element(x.is_signed() ? static_cast<std::uint64_t>(x.integer(0) >> x[1]) : x[0] >> x[1]);
        },
    .simplify = detail::simplify_shift,
    .range = [](const known_ranges& x) -> value_range {
      if (!detail::is_short_shift(x[1])) return {};
      return value_range{x[0].low >> x[1].low, x[0].high >> x[1].low}.with({x[0].low >> x[1].high, x[0].high >> x[1].high});
    }};
}  // namespace ops
template <>
struct functor<ops::right_shift> {
  template <class T>
  static T apply(T x, T count) {
    detail::check_shift(count);
    return static_cast<T>(x >> count);
  }
};

/// Shifts bits to the right; the sign is kept.
/// Errors: a count below 0 or of the width of the dtype or more throws invalid_argument.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator>>(const X& x, const Y& count) {
  return call<ops::right_shift>(x, count);
}

namespace detail {

template <const op& Bits, const op& Logic, class X, class Y>
constexpr auto bits_or_logic(const X& x, const Y& y) {
  constexpr auto of_bools = [](stretch<tensor_spec> s) { return s[0].dtype == dtype::boolean; };
  return call_one_of<Logic, Bits>(of_bools, x, y);
}

}  // namespace detail

/// Bitwise and of integers, logical and of bool tensors.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator&(const X& x, const Y& y) {
  return detail::bits_or_logic<ops::bitwise_and, ops::logical_and>(x, y);
}

/// Bitwise or of integers, logical or of bool tensors.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator|(const X& x, const Y& y) {
  return detail::bits_or_logic<ops::bitwise_or, ops::logical_or>(x, y);
}

/// Bitwise exclusive or of integers; of bool tensors whether they differ.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator^(const X& x, const Y& y) {
  return detail::bits_or_logic<ops::bitwise_xor, ops::not_equal>(x, y);
}

}  // namespace jig
