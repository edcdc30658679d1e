// SPDX-License-Identifier: MIT
#pragma once
// Arithmetic on two numbers. dtypes never mix silently; integers wrap on overflow and throw on division by zero.

#include <jig/graph/gradient.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/maths.hpp>
#include <jig/ops/rules.hpp>
#include <jig/ops/unary.hpp>

#include <cmath>
#include <limits>

namespace jig {

namespace ops {

extern const op multiply, subtract;

}  // namespace ops

namespace detail {

constexpr void add_gradient(gradient_context& c) {
  for (std::size_t i = 0; i < c.inputs(); ++i) c.give(i, c.adjoint());
}

// IEEE arithmetic knows no difference between a - b and a + -b.
constexpr void simplify_sum(simplification& s) {
  const constant_input c(s);
  if (c.adds_nothing(s.is_real())) return s.become_input(c.x);
  const edge x = s.inputs[0], y = s.inputs[1];
  if (c.known || s.has_twins()) return;
  if (s.is(y, ops::neg)) s.become(ops::subtract, {x, s.input(y)});
  else if (s.is(x, ops::neg)) s.become(ops::subtract, {y, s.input(x)});
}

}  // namespace detail

namespace ops {
inline constexpr op add{.name = "AddV2",
                        .label = "add",
                        .facts = fact::elementwise | fact::commutative | fact::wraps | fact::pairs | fact::associative,
                        .rule = elementwise_rule < numbers | strings >,
                        .gradient = detail::add_gradient,
                        .makes = made_ops<subtract>,
                        .value = [](const known_operands& x) { return x.sum(x[0], x[1]); },
                        .simplify = detail::simplify_sum};
}  // namespace ops
template <>
struct functor<ops::add> {
  static auto apply(const auto& x, const auto& y) { return x + y; }
};

/// The sum, NumPy-broadcast; strings are joined. Integer overflow wraps.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator+(const X& x, const Y& y) {
  return call<ops::add>(x, y);
}

namespace detail {

constexpr void subtract_gradient(gradient_context& c) {
  c.give(0, c.adjoint());
  if (c.wants(1)) c.give(1, -c.adjoint());
}

constexpr void simplify_difference(simplification& s) {
  const edge x = s.inputs[0], y = s.inputs[1];
  if (s.has_twins()) return s.is_real() ? s.become_number(0, x) : void();
  const constant_input c(s);
  if (!c.known) return s.is(y, ops::neg) ? s.become(ops::add, {x, s.input(y)}) : void();
  if (c.right && (c.is(0) || (s.value_changing && c.is_minus_zero()))) return s.become_input(x);
  if (!(s.spec(c.x) == s.result)) return;
  if (!c.right && c.adds_nothing(s.is_real())) s.become(ops::neg, {c.x});
  else if (c.right && s.value_changing && !s.is_exact() && c.is(1) && s.is(x, ops::exp)) s.become(ops::expm1, {s.input(x)});
}

}  // namespace detail

namespace ops {
inline constexpr op subtract{.name = "Sub",
                             .label = "sub",
                             .facts = fact::elementwise | fact::wraps | fact::pairs,
                             .rule = elementwise_rule<numbers>,
                             .gradient = detail::subtract_gradient,
                             .makes = made_ops<add, neg>,
                             .value = [](const known_operands& x) { return x.difference(x[0], x[1]); },
                             .simplify = detail::simplify_difference};
}  // namespace ops
template <>
struct functor<ops::subtract> {
  static auto apply(const auto& x, const auto& y) { return x - y; }
};

/// The difference. Integer overflow wraps.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator-(const X& x, const Y& y) {
  return call<ops::subtract>(x, y);
}

namespace detail {

constexpr void multiply_gradient(gradient_context& c) {
  if (c.wants(0)) c.give(0, c.adjoint() * c.input(1));
  if (c.wants(1)) c.give(1, c.adjoint() * c.input(0));
}

constexpr void simplify_product(simplification& s) {
  const edge x = s.inputs[0], y = s.inputs[1];
  if (s.has_twins()) return s.become(ops::square, {x});
  const constant_input c(s);
  if (c.is(1)) s.become_input(c.x);
  else if (c.is(-1) && is_signed(c.type) && s.spec(c.x) == s.result) s.become(ops::neg, {c.x});
  else if (s.is_real() && (c.is(0) || c.is_minus_zero())) s.become_number(0, c.x);
  else if (!c.known && s.is(x, ops::neg) && s.is(y, ops::neg)) s.become(s.kind, {s.input(x), s.input(y)});
}

}  // namespace detail

namespace ops {
inline constexpr op multiply{.name = "Mul",
                             .label = "mul",
                             .facts = fact::elementwise | fact::commutative | fact::wraps | fact::pairs | fact::associative,
                             .rule = elementwise_rule<numbers>,
                             .gradient = detail::multiply_gradient,
                             .makes = made_ops<square, neg>,
                             .value = [](const known_operands& x) { return x.product(x[0], x[1]); },
                             .simplify = detail::simplify_product};
}  // namespace ops
template <>
struct functor<ops::multiply> {
  static auto apply(const auto& x, const auto& y) { return x * y; }
};

/// The product, element by element. Integer overflow wraps.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator*(const X& x, const Y& y) {
  return call<ops::multiply>(x, y);
}

namespace detail {

constexpr void divide_gradient(gradient_context& c) {
  auto share = c.adjoint() / c.input(1);
  c.give(0, share);
  if (c.wants(1)) c.give(1, -(share * c.output()));
}

// A power of two has a reciprocal, and rounding the same real number twice gives the same.
constexpr void simplify_quotient(simplification& s) {
  const edge x = s.inputs[0], y = s.inputs[1];
  const constant_input c(s);
  if (s.has_twins()) return;
  if (!c.known) {
    if (s.value_changing && s.is(y, ops::sqrt)) {
      const edge under_root = s.input(y);
      const tensor_spec spec = s.spec(y);
      s.become(ops::multiply, {x, s.make(ops::rsqrt, spec, {under_root})});
    } else if (s.is(x, ops::neg) && s.is(y, ops::neg)) {
      s.become(s.kind, {s.input(x), s.input(y)});
    }
    return;
  }
  if (!c.right) return;
  if (c.is(1)) return s.become_input(x);
  const std::uint64_t fraction = c.type == dtype::float32 ? 0x7fffff : 0xfffffffffffff;
  if (is_storage(c.type) || (!s.value_changing && (c.bits & fraction) != 0) || !is_finite_number(c.type, c.bits)) return;
  const known_operands divisor({&c.bits, 1}, c.type, c.type);
  const known_bits reciprocal = divisor.quotient(bits_of_number(c.type, 1), c.bits);
  const bool subnormal = (reciprocal.bits & ~sign_bit(c.type)) <= fraction;
  if (!reciprocal.known || subnormal) return;
  list<std::uint64_t> words;
  for (std::size_t i = 0; i < s.words(c.c).size(); ++i) words.push_back(reciprocal.bits);
  const tensor_spec spec = s.spec(c.c);
  s.become(ops::multiply, {x, s.make_constant(spec, words)});
}

}  // namespace detail

namespace ops {
inline constexpr op divide{.name = "RealDiv",
                           .label = "truediv",
                           .facts = fact::elementwise | fact::pairs,
                           .rule = elementwise_rule<floats>,
                           .gradient = detail::divide_gradient,
                           .makes = made_ops<multiply>,
                           .value = [](const known_operands& x) { return x.quotient(x[0], x[1]); },
                           .simplify = detail::simplify_quotient};
}  // namespace ops
template <>
struct functor<ops::divide> {
  static auto apply(const auto& x, const auto& y) { return x / y; }
};

namespace detail {

constexpr void zero_gradient(gradient_context& c) { c.nothing(); }

constexpr void simplify_division(simplification& s) {
  const constant_input c(s);
  if (c.right && s.is_exact() && c.is(1) && !s.has_twins()) s.become_input(c.x);
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
                                    .simplify = detail::simplify_division};
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
                                 .value = detail::known_division<detail::division::rest, false>};
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
  requires OperatorArguments<X, Y>
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
constexpr auto floordiv(const X& x, const Y& y) {
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
constexpr auto floormod(const X& x, const Y& y) {
  return call<ops::floor_mod>(x, y);
}

namespace detail {

// The logarithm counts only where the base is positive, as in TensorFlow.
constexpr void power_gradient(gradient_context& c) {
  auto x = c.input(0), y = c.input(1);
  if (c.wants(0)) c.give(0, c.adjoint() * (y * c.call(c.node().kind(), {x, y - 1})));
  if (!c.wants(1)) return;
  auto positive = 0 < x;
  c.give(1, c.adjoint() * (c.output() * where(positive, c.call(c.ops().log, {where(positive, x, 1)}), 0)));
}

constexpr void simplify_power(simplification& s) {
  const constant_input c(s);
  if (!c.right || s.has_twins()) return;
  const edge x = c.x;
  // Whatever it is, its power of 0 is 1.
  if (c.is(0)) return s.become_number(1, x);
  if (!(s.spec(x) == s.result)) return;
  if (c.is(1)) return s.become(x);
  if (c.is(2)) return s.become(ops::square, {x});
  if (s.value_changing && !s.is_exact()) {
    if (c.is(-1)) return s.become(ops::reciprocal, {x});
    if (c.bits == rounded_bits(c.type, 0.5).bits) return s.become(ops::sqrt, {x});
    if (c.bits == rounded_bits(c.type, -0.5).bits) return s.become(ops::rsqrt, {x});
  }
  // Products of integers are exact, and `pow` of floating numbers is one for the smallest exponents; storage dtypes round each.
  const int most = s.is_real() ? 16 : is_storage(c.type) ? 2 : maths::most_multiplied;
  for (int exponent = 3; exponent <= most; ++exponent) {
    if (!c.is(exponent)) continue;
    // By squaring, from the second bit of the exponent on.
    edge out = x;
    int bit = 1;
    while (bit * 2 <= exponent) bit *= 2;
    while ((bit /= 2) > 0) {
      out = s.make(ops::square, s.result, {out});
      if ((exponent & bit) != 0) out = s.make(ops::multiply, s.result, {out, x});
    }
    return s.become(out);
  }
}

constexpr known_bits known_power(const known_operands& x) {
  if (x.is_floating() || (x.is_signed() && x.integer(1) < 0)) return {};
  std::uint64_t out = 1;
  for (std::uint64_t base = x[0], n = x[1]; n != 0; n >>= 1, base *= base)
    if (n & 1) out *= base;
  return x.wrapped(out);
}

template <class T>
T integer_power(T x, T y) {
  if constexpr (std::is_signed_v<T>)
    if (y < 0) throw_invalid_argument("Pow: a negative exponent has no integer result");
  // 64 bits hold every dtype, and unsigned arithmetic wraps without promotion to a signed type.
  std::uint64_t result = 1, base = static_cast<std::uint64_t>(x);
  for (auto n = static_cast<std::make_unsigned_t<T>>(y); n != 0; n = static_cast<std::make_unsigned_t<T>>(n >> 1)) {
    if (n & 1) result *= base;
    base *= base;
  }
  return static_cast<T>(result);
}

}  // namespace detail

namespace ops {
inline constexpr op power{.name = "Pow",
                          .label = "Pow",
                          .facts = fact::elementwise | fact::float_lanes | fact::checked | fact::lanes_only,
                          .rule = elementwise_rule<numbers>,
                          .gradient = detail::power_gradient,
                          .makes = made_ops<square, multiply>,
                          .value = detail::known_power,
                          .simplify = detail::simplify_power};
}
namespace maths {
inline constexpr function<ops::power> pow;
}
template <>
struct functor<ops::power> {
  template <class T>
  static auto apply(const T& x, const T& y) {
    if constexpr (std::is_integral_v<T>) return detail::integer_power(x, y);
    else return maths::pow(x, y);
  }
};

/// x to the power of y. Integer overflow wraps.
/// Errors: a negative exponent of an integer throws invalid_argument.
template <Operand X, Operand Y>
constexpr auto pow(const X& x, const Y& y) {
  return call<ops::power>(x, y);
}

namespace detail {

// Where both are equal the first one takes all.
constexpr void maximum_gradient(gradient_context& c) {
  auto first = c.input(0) >= c.input(1);
  if (c.wants(0)) c.give(0, where(first, c.adjoint(), 0));
  if (c.wants(1)) c.give(1, c.adjoint() - where(first, c.adjoint(), 0));
}

// Which one of 0 and -0 is the machine's business.
constexpr known_bits known_choice(const known_operands& x, bool first) {
  if (x[0] != x[1] && x.are_equal()) return {};
  return x.element(first ? x[0] : x[1]);
}

}  // namespace detail

namespace ops {
/// Which of 0 and -0 is the result depends on their places, as for minimum: they do not commute.
inline constexpr op maximum{.name = "Maximum",
                            .label = "Maximum",
                            .facts = fact::elementwise | fact::idempotent,
                            .rule = elementwise_rule<numbers>,
                            .gradient = detail::maximum_gradient,
                            .value = [](const known_operands& x) { return detail::known_choice(x, !x.is_less()); }};
}  // namespace ops
template <>
struct functor<ops::maximum> {
  // A NaN on either side is the result: of numbers that have no order max returns x, which reductions wait for; y they do not.
  static auto apply(const auto& x, const auto& y) {
    using detail::select;
    if constexpr (detail::has_integers<std::remove_cvref_t<decltype(y)>>) return apply_number(x, y);
    else return select(y == y, apply_number(x, y), y);
  }
  /// The same for y that are no NaN.
  static auto apply_number(const auto& x, const auto& y) {
    using detail::max;
    return max<>(y, x);
  }
};

/// The larger of two; NaN if either is.
template <Operand X, Operand Y>
constexpr auto maximum(const X& x, const Y& y) {
  return call<ops::maximum>(x, y);
}

namespace detail {

constexpr void minimum_gradient(gradient_context& c) {
  auto first = c.input(1) >= c.input(0);
  if (c.wants(0)) c.give(0, where(first, c.adjoint(), 0));
  if (c.wants(1)) c.give(1, c.adjoint() - where(first, c.adjoint(), 0));
}

}  // namespace detail

namespace ops {
inline constexpr op minimum{.name = "Minimum",
                            .label = "Minimum",
                            .facts = fact::elementwise | fact::idempotent,
                            .rule = elementwise_rule<numbers>,
                            .gradient = detail::minimum_gradient,
                            .value = [](const known_operands& x) { return detail::known_choice(x, x.is_less()); }};
}  // namespace ops
template <>
struct functor<ops::minimum> {
  static auto apply(const auto& x, const auto& y) {
    using detail::select;
    if constexpr (detail::has_integers<std::remove_cvref_t<decltype(y)>>) return apply_number(x, y);
    else return select(y == y, apply_number(x, y), y);
  }
  /// The same for y that are no NaN.
  static auto apply_number(const auto& x, const auto& y) {
    using detail::min;
    return min<>(y, x);
  }
};

/// The smaller of two; NaN if either is.
template <Operand X, Operand Y>
constexpr auto minimum(const X& x, const Y& y) {
  return call<ops::minimum>(x, y);
}

namespace detail {

constexpr void atan2_gradient(gradient_context& c) {
  auto y = c.input(0), x = c.input(1);
  auto share = c.adjoint() / (x * x + y * y);
  if (c.wants(0)) c.give(0, share * x);
  if (c.wants(1)) c.give(1, -(share * y));
}

}  // namespace detail

namespace ops {
inline constexpr op atan2{.name = "Atan2",
                          .label = "Atan2",
                          .facts = fact::elementwise | fact::float_lanes | fact::lanes_only,
                          .rule = elementwise_rule<floats>,
                          .gradient = detail::atan2_gradient};
}
namespace maths {
inline constexpr function<ops::atan2> atan2;
}
/// The angle of the point (x, y). Units: radians, -pi to pi.
template <Operand Y, Operand X>
constexpr auto atan2(const Y& y, const X& x) {
  return call<ops::atan2>(y, x);
}

namespace detail {

constexpr void squared_difference_gradient(gradient_context& c) {
  auto share = c.adjoint() * (2 * (c.input(0) - c.input(1)));
  c.give(0, share);
  if (c.wants(1)) c.give(1, -share);
}

constexpr void simplify_squared_difference(simplification& s) {
  if (s.has_twins() && s.is_real()) s.become_number(0, s.inputs[0]);
}

}  // namespace detail

namespace ops {
inline constexpr op squared_difference{.name = "SquaredDifference",
                                       .label = "SquaredDifference",
                                       .facts = fact::elementwise | fact::commutative | fact::wraps,
                                       .rule = elementwise_rule<numbers>,
                                       .gradient = detail::squared_difference_gradient,
                                       .value =
                                           [](const known_operands& x) {
                                             const known_bits difference = x.difference(x[0], x[1]);
                                             return difference.known &&
                                                            (!x.is_floating() || detail::is_finite_number(x.type, difference.bits))
                                                        ? x.product(difference.bits, difference.bits)
                                                        : x.unknown();
                                           },
                                       .simplify = detail::simplify_squared_difference};
}  // namespace ops
template <>
struct functor<ops::squared_difference> {
  static auto apply(const auto& x, const auto& y) { return (x - y) * (x - y); }
};

/// (x - y) squared.
template <Operand X, Operand Y>
constexpr auto squared_difference(const X& x, const Y& y) {
  return call<ops::squared_difference>(x, y);
}

namespace detail {

constexpr void fma_gradient(gradient_context& c) {
  multiply_gradient(c);
  c.give(2, c.adjoint());
}

}  // namespace detail

namespace ops {
inline constexpr op fma{.name = "Fma",
                        .label = "Fma",
                        .facts = fact::elementwise | fact::float_lanes,
                        .rule = elementwise_rule<floats>,
                        .gradient = detail::fma_gradient};
}
template <>
struct functor<ops::fma> {
  static auto apply(const auto& x, const auto& y, const auto& z) {
    using std::fma;
    return fma(x, y, z);
  }
};

/// x * y + z, rounded once.
template <Operand X, Operand Y, Operand Z>
constexpr auto fma(const X& x, const Y& y, const Z& z) {
  return call<ops::fma>(x, y, z);
}

namespace ops {
inline constexpr op add_n{.name = "AddN",
                          .label = "AddN",
                          .facts = fact::elementwise | fact::wraps,
                          .rule = elementwise_rule<numbers>,
                          .gradient = detail::add_gradient,
                          .value = [](const known_operands& x) {
                            known_bits total{true, x[0]};
                            for (std::size_t k = 1; k < x.size() && total.known; ++k)
                              total =
                                  !x.is_floating() || detail::is_finite_number(x.type, total.bits) ? x.sum(total.bits, x[k]) : x.unknown();
                            return total;
                          }};
}  // namespace ops
template <>
struct functor<ops::add_n> {
  static auto apply(const auto& x, const auto&... more) { return (x + ... + more); }
};

/// The sum of all arguments, from left to right.
template <Operand X, Operand... More>
constexpr auto add_n(const X& x, const More&... more) {
  return call<ops::add_n>(x, more...);
}

/// The quotient; integers truncate as in C++.
/// Errors: integer division by zero throws invalid_argument.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator/(const X& x, const Y& y) {
  using element = typename detail::operands<ops::divide, X, Y>::element;
  if constexpr (detail::is_dynamic<X, Y>)
    return is_integer(detail::dtype_of_first(x, y)) ? call<ops::truncate_divide>(x, y) : call<ops::divide>(x, y);
  else if constexpr (std::is_integral_v<element> && !std::is_same_v<element, bool>) return call<ops::truncate_divide>(x, y);
  else return call<ops::divide>(x, y);
}

}  // namespace jig
