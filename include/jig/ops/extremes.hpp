// SPDX-License-Identifier: MIT
#pragma once
// The larger and the smaller of two numbers.

#include <jig/graph/gradient.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/rules.hpp>

#include <type_traits>

namespace jig {

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
                            .value = [](const known_operands& x) { return detail::known_choice(x, !x.is_less()); },
                            .range = [](const known_ranges& x) -> value_range {
                              return {x[0].low > x[1].low ? x[0].low : x[1].low, x[0].high > x[1].high ? x[0].high : x[1].high};
                            }};
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
constexpr auto maximum(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
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
                            .value = [](const known_operands& x) { return detail::known_choice(x, x.is_less()); },
                            .range = [](const known_ranges& x) -> value_range {
                              return {x[0].low < x[1].low ? x[0].low : x[1].low, x[0].high < x[1].high ? x[0].high : x[1].high};
                            }};
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
constexpr auto minimum(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return call<ops::minimum>(x, y);
}

}  // namespace jig
