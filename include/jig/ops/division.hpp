// SPDX-License-Identifier: MIT
#pragma once
// Integer division and remainders, as C++ and as Python round them. Division by zero throws.

#include <jig/ops/arithmetic.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace jig {

namespace detail {

constexpr void simplify_division(simplification& s) {
  const constant_input c(s);
  if (c.right && s.is_exact() && c.is(1) && !s.has_twins()) s.become_input(c.x);
}

// By numbers above zero quotients are between those of the ends.
constexpr value_range range_of_quotients(const known_ranges& x) {
  const value_range &a = x[0], &b = x[1];
  if (b.low < 1) return {};
  return {a.low / (a.low < 0 ? b.low : b.high), a.high / (a.high < 0 ? b.high : b.low)};
}
// The rest of numbers that are not negative is less than the divisor.
constexpr value_range range_of_rests(const known_ranges& x) {
  if (x[1].low < 1 || x[0].low < 0) return {};
  return {0, x[0].high < x[1].high ? x[0].high : x[1].high - 1};
}

// Of integers; the lowest one divided by -1 wraps.
enum class division { quotient, rest };

template <division Wanted, bool Floors>
constexpr known_bits known_division(const known_operands& x) {
  if (x.is_floating() || x[1] == 0) return {};
  if (!x.is_signed()) return x.element(Wanted == division::quotient ? x[0] / x[1] : x[0] % x[1]);
  const std::int64_t a = x.integer(0), b = x.integer(1);
  const std::int64_t quotient = b == -1 ? static_cast<std::int64_t>(0 - x[0]) : a / b, rest = b == -1 ? 0 : a % b;
  const bool lower = Floors && rest != 0 && (rest < 0) != (b < 0);
  return x.wrapped(static_cast<std::uint64_t>(Wanted == division::quotient ? quotient - lower : lower ? rest + b : rest));
}

// Both throw on zero; the lowest integer divided by -1 wraps.
template <class T>
T checked_divide(T x, T y) {
  if (y == 0) [[unlikely]]
    throw_invalid_argument("TruncateDiv: integer division by zero");
  if constexpr (std::is_signed_v<T>)
    if (y == T(-1)) [[unlikely]]
      return static_cast<T>(std::make_unsigned_t<T>(0) - static_cast<std::make_unsigned_t<T>>(x));
  return static_cast<T>(x / y);
}

}  // namespace detail

namespace ops {
inline constexpr op truncate_divide{.name = "TruncateDiv",
                                    .label = "TruncateDiv",
                                    .facts = fact::elementwise | fact::scalar_only | fact::checked,
                                    .rule = elementwise_rule<integers_only>,
                                    .gradient = detail::zero_gradient,
                                    .value = detail::known_division<detail::division::quotient, false>,
                                    .simplify = detail::simplify_division,
                                    .range = detail::range_of_quotients};
}
template <>
struct functor<ops::truncate_divide> {
  template <class T>
  static T apply(T x, T y) {
    return detail::checked_divide(x, y);
  }
};

namespace detail {

// Both remainders: x minus a whole multiple of y.
constexpr void modulo_gradient(gradient_context& c) {
  c.give(0, c.adjoint());
  if (c.wants(1)) c.give(1, c.adjoint() * ((c.output() - c.input(0)) / c.input(1)));
}

template <class T>
T checked_modulo(T x, T y) {
  if (y == 0) [[unlikely]]
    throw_invalid_argument("TruncateMod: integer division by zero");
  if constexpr (std::is_signed_v<T>)
    if (y == T(-1)) [[unlikely]]
      return 0;
  return static_cast<T>(x % y);
}

}  // namespace detail

namespace ops {
inline constexpr op truncate_mod{.name = "TruncateMod",
                                 .label = "TruncateMod",
                                 .facts = fact::elementwise | fact::scalar_only | fact::checked,
                                 .rule = elementwise_rule<numbers>,
                                 .gradient = detail::modulo_gradient,
                                 .value = detail::known_division<detail::division::rest, false>,
                                 .range = detail::range_of_rests};
}
template <>
struct functor<ops::truncate_mod> {
  template <class T>
  static T apply(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) return std::fmod(x, y);
    else return detail::checked_modulo(x, y);
  }
};

/// The remainder of `/`, with the sign of x as in C++.
/// Errors: an integer remainder by zero throws invalid_argument.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator%(const X& x, const Y& y) {
  return call<ops::truncate_mod>(x, y);
}

namespace ops {
inline constexpr op floor_divide{.name = "FloorDiv",
                                 .label = "floordiv",
                                 .facts = fact::elementwise | fact::scalar_only | fact::checked,
                                 .rule = elementwise_rule<numbers>,
                                 .gradient = detail::zero_gradient,
                                 .value = detail::known_division<detail::division::quotient, true>,
                                 .simplify = detail::simplify_division};
}
template <>
struct functor<ops::floor_divide> {
  template <class T>
  static T apply(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      // As Python: computed from the exact remainder, since x / y may round up to the next integer.
      if (y == 0) return x / y;
      T mod = std::fmod(x, y);
      T div = (x - mod) / y;
      if (mod != 0 && (y < 0) != (mod < 0)) div -= 1;
      if (div == 0) return std::copysign(T(0), x / y);
      T floored = std::floor(div);
      return div - floored > T(0.5) ? floored + 1 : floored;
    } else {
      if (y == 0) detail::throw_invalid_argument("FloorDiv: integer division by zero");
      T q = detail::checked_divide(x, y);
      return static_cast<T>(detail::checked_modulo(x, y) != 0 && (x < 0) != (y < 0) ? q - 1 : q);
    }
  }
};

/// The quotient rounded down, as in Python.
/// Errors: integer division by zero throws invalid_argument.
template <Operand X, Operand Y>
constexpr auto floordiv(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return call<ops::floor_divide>(x, y);
}

namespace ops {
inline constexpr op floor_mod{.name = "FloorMod",
                              .label = "mod",
                              .facts = fact::elementwise | fact::scalar_only | fact::checked,
                              .rule = elementwise_rule<numbers>,
                              .gradient = detail::modulo_gradient,
                              .value = detail::known_division<detail::division::rest, true>};
}
template <>
struct functor<ops::floor_mod> {
  template <class T>
  static T apply(T x, T y) {
    if constexpr (std::is_floating_point_v<T>) {
      T mod = std::fmod(x, y);
      if (mod == 0) return std::copysign(T(0), y);
      return (y < 0) != (mod < 0) ? mod + y : mod;
    } else {
      if (y == 0) detail::throw_invalid_argument("FloorMod: integer division by zero");
      T mod = detail::checked_modulo(x, y);
      return static_cast<T>(mod != 0 && (mod < 0) != (y < 0) ? mod + y : mod);
    }
  }
};

/// The remainder of floordiv, with the sign of y as in Python.
/// Errors: an integer remainder by zero throws invalid_argument.
template <Operand X, Operand Y>
constexpr auto floormod(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return call<ops::floor_mod>(x, y);
}

namespace detail {

template <class X, class Y>
constexpr auto quotient(const X& x, const Y& y) {
  constexpr auto of_integers = [](stretch<tensor_spec> s) { return is_integer(s[0].dtype); };
  return detail::call_one_of<ops::truncate_divide, ops::divide>(of_integers, x, y);
}

}  // namespace detail

/// The quotient; integers truncate as in C++.
/// Errors: integer division by zero throws invalid_argument.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator/(const X& x, const Y& y) {
  return detail::quotient(x, y);
}

}  // namespace jig
