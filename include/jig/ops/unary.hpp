// SPDX-License-Identifier: MIT
#pragma once
// Arithmetic on one number.

#include <jig/ops/exponential.hpp>

#include <cmath>
#include <type_traits>

namespace jig {

namespace ops {

extern const op neg, abs;

}  // namespace ops

namespace ops {
inline constexpr op reciprocal{.name = "Reciprocal",
                               .label = "Reciprocal",
                               .facts = fact::elementwise | fact::float_lanes,
                               .rule = elementwise_rule<floats>,
                               .gradient = [](gradient_context& c) { c.give(0, -(c.adjoint() * (c.output() * c.output()))); },
                               .value = [](const known_operands& x) { return x.quotient(detail::bits_of_number(x.type, 1), x[0]); },
                               .simplify =
                                   [](simplification& s) {
                                     if (s.value_changing && s.is(s.inputs[0], sqrt)) s.become(rsqrt, {s.input(s.inputs[0])});
                                   }};
}  // namespace ops
template <>
struct functor<ops::reciprocal> {
  static auto apply(const auto& x) { return 1 / x; }
};

/// One over x.
template <Operand X>
constexpr auto reciprocal(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::reciprocal>(x);
}

namespace ops {
inline constexpr op neg{
    .name = "Neg",
    .label = "neg",
    .facts = fact::elementwise | fact::wraps | fact::pairs | fact::involution,
    .rule = elementwise_rule<numbers>,
    .gradient = [](gradient_context& c) { c.give(0, -c.adjoint()); },
    .value = [](const known_operands& x) { return x.is_floating() ? x.element(x[0] ^ detail::sign_bit(x.type)) : x.wrapped(0 - x[0]); },
    .range = [](const known_ranges& x) -> value_range { return {-x[0].high, -x[0].low}; }};
}  // namespace ops
template <>
struct functor<ops::neg> {
  // Batches of floating numbers of xsimd 8.1 lose the sign of zero when they are negated.
  static auto apply(const auto& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (requires { requires std::is_floating_point_v<typename T::value_type>; }) return x * T(-1);
    else return -x;
  }
};

/// Minus x. Integer overflow wraps.
template <class X>
  requires OperatorArguments<X>
constexpr auto operator-(const X& x) {
  return call<ops::neg>(x);
}

namespace detail {

constexpr void simplify_even(simplification& s) {
  const edge x = s.inputs[0];
  if (s.is(x, ops::neg) || s.is(x, ops::abs)) s.become(s.kind, {s.input(x)});
}
// A number without a sign is its own absolute value; -x then wraps, so that it is not x that is left of it.
constexpr void simplify_abs(simplification& s) {
  if (is_signed(s.result.dtype)) simplify_even(s);
  else s.become_input(s.inputs[0]);
}

constexpr value_range range_of_squares(const known_ranges& x) {
  const index low = x[0].low * x[0].low, high = x[0].high * x[0].high;
  return {x[0].low <= 0 && x[0].high >= 0 ? 0 : low < high ? low : high, low > high ? low : high};
}

}  // namespace detail

namespace ops {
inline constexpr op square{.name = "Square",
                           .label = "Square",
                           .facts = fact::elementwise | fact::wraps | fact::pairs,
                           .rule = elementwise_rule<numbers>,
                           .gradient = [](gradient_context& c) { c.give(0, c.adjoint() * (2 * c.input(0))); },
                           .value = [](const known_operands& x) { return x.product(x[0], x[0]); },
                           .simplify = detail::simplify_even,
                           .range = detail::range_of_squares};
}  // namespace ops
template <>
struct functor<ops::square> {
  static auto apply(const auto& x) { return x * x; }
};

/// x times x. Integer overflow wraps.
template <Operand X>
constexpr auto square(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::square>(x);
}

namespace ops {
inline constexpr op sign{.name = "Sign",
                         .label = "Sign",
                         .facts = fact::elementwise | fact::float_lanes | fact::idempotent,
                         .rule = elementwise_rule<numbers>,
                         .gradient = detail::zero_gradient,
                         .value = [](const known_operands& x) {
                           return x.element(x.is_negative(0) ? detail::bits_of_number(x.type, -1)
                                            : (x[0] & ~(x.is_floating() ? detail::sign_bit(x.type) : 0)) != 0
                                                ? detail::bits_of_number(x.type, 1)
                                                : x[0]);
                         }};
}  // namespace ops
template <>
struct functor<ops::sign> {
  static auto apply(const auto& x) {
    using detail::select;
    using T = std::remove_cvref_t<decltype(x)>;
    // NaN is neither above nor below zero and passes through, as does the sign of zero.
    return select(x > T(0), T(1), select(x < T(0), T(-1), x));
  }
};

/// -1, 0 or 1; NaN for NaN.
template <Operand X>
constexpr auto sign(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::sign>(x);
}

namespace ops {
inline constexpr op abs{.name = "Abs",
                        .label = "Abs",
                        .facts = fact::elementwise | fact::float_lanes | fact::pairs | fact::idempotent,
                        .rule = elementwise_rule<numbers>,
                        .gradient = [](gradient_context& c) { c.give(0, c.adjoint() * c.call(sign, {c.input(0)})); },
                        .makes = made_ops<sign>,
                        .value =
                            [](const known_operands& x) {
                              return x.is_floating() ? x.element(x[0] & ~detail::sign_bit(x.type))
                                                     : x.wrapped(x.is_negative(0) ? 0 - x[0] : x[0]);
                            },
                        .simplify = detail::simplify_abs,
                        .range = [](const known_ranges& x) -> value_range {
                          return {x[0].low > 0 ? x[0].low : x[0].high < 0 ? -x[0].high : 0, x[0].high > -x[0].low ? x[0].high : -x[0].low};
                        }};
}  // namespace ops
template <>
struct functor<ops::abs> {
  static auto apply(const auto& x) {
    using std::abs;
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_unsigned_v<T>) return x;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(x < 0 ? T(0) - static_cast<std::make_unsigned_t<T>>(x) : static_cast<std::make_unsigned_t<T>>(x));
    else return abs(x);
  }
};

/// The absolute value; that of the lowest integer wraps to itself.
template <Operand X>
constexpr auto abs(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::abs>(x);
}

}  // namespace jig
