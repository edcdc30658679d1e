// SPDX-License-Identifier: MIT
#pragma once
// Comparisons and logic: results are bool. Comparisons with NaN are false, except `!=`.

#include <jig/graph/simplification.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/rules.hpp>

namespace jig {

namespace detail {

// Of the same value on both sides, if it is not NaN.
template <bool Holds>
constexpr void simplify_comparison(simplification& s) {
  if (s.has_twins() && s.is_exact()) s.become_number(Holds, s.inputs[0]);
}

}  // namespace detail

namespace ops {
inline constexpr op equal{.name = "Equal",
                          .label = "Equal",
                          .facts = fact::elementwise | fact::commutative,
                          .rule = predicate_rule<anything>,
                          .value = [](const known_operands& x) { return x.truth(x.are_equal()); },
                          .simplify = detail::simplify_comparison<true>};
}  // namespace ops
template <>
struct functor<ops::equal> {
  static auto apply(const auto& x, const auto& y) { return detail::equal(x, y); }
};

/// Whether elements are equal; NaN equals nothing.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator==(const X& x, const Y& y) {
  return call<ops::equal>(x, y);
}

namespace ops {
inline constexpr op not_equal{.name = "NotEqual",
                              .label = "NotEqual",
                              .facts = fact::elementwise | fact::commutative,
                              .rule = predicate_rule<anything>,
                              .value = [](const known_operands& x) { return x.truth(!x.are_equal()); },
                              .simplify = detail::simplify_comparison<false>};
}  // namespace ops
// Not with `!=`, which is false for NaN on batches of xsimd 8.1 with AVX.
template <>
struct functor<ops::not_equal> {
  static auto apply(const auto& x, const auto& y) { return detail::inverse(detail::equal(x, y)); }
};

/// Whether elements differ; NaN differs from everything.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator!=(const X& x, const Y& y) {
  return call<ops::not_equal>(x, y);
}

namespace ops {
inline constexpr op less{.name = "Less",
                         .label = "Less",
                         .facts = fact::elementwise,
                         .rule = predicate_rule < numbers | strings >,
                         .value = [](const known_operands& x) { return x.truth(x.is_less()); },
                         .simplify = detail::simplify_comparison<false>};
}  // namespace ops
template <>
struct functor<ops::less> {
  static auto apply(const auto& x, const auto& y) { return x < y; }
};

/// Whether x is less than y.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator<(const X& x, const Y& y) {
  return call<ops::less>(x, y);
}

namespace ops {
inline constexpr op less_equal{.name = "LessEqual",
                               .label = "LessEqual",
                               .facts = fact::elementwise,
                               .rule = predicate_rule < numbers | strings >,
                               .value = [](const known_operands& x) { return x.truth(x.is_less() || x.are_equal()); },
                               .simplify = detail::simplify_comparison<true>};
}  // namespace ops
template <>
struct functor<ops::less_equal> {
  static auto apply(const auto& x, const auto& y) { return x <= y; }
};

/// Whether x is at most y.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator<=(const X& x, const Y& y) {
  return call<ops::less_equal>(x, y);
}

namespace ops {
inline constexpr op greater{.name = "Greater",
                            .label = "Greater",
                            .facts = fact::elementwise,
                            .rule = predicate_rule < numbers | strings >,
                            .value = [](const known_operands& x) { return x.truth(!x.is_less() && !x.are_equal()); },
                            .simplify = detail::simplify_comparison<false>};
}  // namespace ops
template <>
struct functor<ops::greater> {
  static auto apply(const auto& x, const auto& y) { return x > y; }
};

/// Whether x is greater than y.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator>(const X& x, const Y& y) {
  return call<ops::greater>(x, y);
}

namespace ops {
inline constexpr op greater_equal{.name = "GreaterEqual",
                                  .label = "GreaterEqual",
                                  .facts = fact::elementwise,
                                  .rule = predicate_rule < numbers | strings >,
                                  .value = [](const known_operands& x) { return x.truth(!x.is_less()); },
                                  .simplify = detail::simplify_comparison<true>};
}  // namespace ops
template <>
struct functor<ops::greater_equal> {
  static auto apply(const auto& x, const auto& y) { return x >= y; }
};

/// Whether x is at least y.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator>=(const X& x, const Y& y) {
  return call<ops::greater_equal>(x, y);
}

namespace ops {
inline constexpr op is_nan{
    .name = "IsNan", .label = "IsNan", .facts = fact::elementwise, .rule = predicate_rule<floats>, .value = [](const known_operands& x) {
      return x.truth(false);
    }};
}  // namespace ops
// Written with arithmetic, not with isnan and relatives, so that one text serves elements and batches.
template <>
struct functor<ops::is_nan> {
  static auto apply(const auto& x) { return !(x == x); }
};

/// Whether x is NaN.
template <Operand X>
constexpr auto is_nan(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::is_nan>(x);
}

namespace ops {
inline constexpr op is_inf{
    .name = "IsInf", .label = "IsInf", .facts = fact::elementwise, .rule = predicate_rule<floats>, .value = [](const known_operands& x) {
      return x.truth(false);
    }};
}  // namespace ops
template <>
struct functor<ops::is_inf> {
  static auto apply(const auto& x) { return (x == x) & !((x - x) == (x - x)); }
};

/// Whether x is plus or minus infinity.
template <Operand X>
constexpr auto is_inf(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::is_inf>(x);
}

namespace ops {
inline constexpr op is_finite{.name = "IsFinite",
                              .label = "IsFinite",
                              .facts = fact::elementwise,
                              .rule = predicate_rule<floats>,
                              .value = [](const known_operands& x) { return x.truth(true); }};
}  // namespace ops
template <>
struct functor<ops::is_finite> {
  static auto apply(const auto& x) { return (x - x) == (x - x); }
};

/// Whether x is neither NaN nor infinite.
template <Operand X>
constexpr auto is_finite(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::is_finite>(x);
}

namespace detail {

// With one operand that is `Neutral` it is the other one, with one that is not it is that.
template <bool Neutral>
constexpr void simplify_logic(simplification& s) {
  const constant_input c(s);
  if (!c.known || s.has_twins()) return;
  if ((c.bits != 0) == Neutral) s.become_input(c.x);
  else s.become_number(!Neutral, c.x);
}

}  // namespace detail

namespace ops {
inline constexpr op logical_and{.name = "LogicalAnd",
                                .label = "LogicalAnd",
                                .facts = fact::elementwise | fact::commutative | fact::idempotent,
                                .rule = elementwise_rule<booleans>,
                                .value = [](const known_operands& x) { return x.truth((x[0] & x[1]) != 0); },
                                .simplify = detail::simplify_logic<true>};
}  // namespace ops
template <>
struct functor<ops::logical_and> {
  static auto apply(const auto& x, const auto& y) { return x & y; }
};

/// And, of bool tensors. Both operands are computed.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator&&(const X& x, const Y& y) {
  return call<ops::logical_and>(x, y);
}

namespace ops {
inline constexpr op logical_or{.name = "LogicalOr",
                               .label = "LogicalOr",
                               .facts = fact::elementwise | fact::commutative | fact::idempotent,
                               .rule = elementwise_rule<booleans>,
                               .value = [](const known_operands& x) { return x.truth((x[0] | x[1]) != 0); },
                               .simplify = detail::simplify_logic<false>};
}  // namespace ops
template <>
struct functor<ops::logical_or> {
  static auto apply(const auto& x, const auto& y) { return x | y; }
};

/// Or, of bool tensors. Both operands are computed.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
constexpr auto operator||(const X& x, const Y& y) {
  return call<ops::logical_or>(x, y);
}

namespace detail {

constexpr void simplify_not(simplification& s) {
  constexpr const op* pairs[][2] = {{&ops::equal, &ops::not_equal}, {&ops::less, &ops::greater_equal}, {&ops::greater, &ops::less_equal}};
  const edge x = s.inputs[0];
  for (const auto& pair : pairs)
    for (int side = 0; side < 2; ++side) {
      if (!s.is(x, *pair[side]) || (&pair != &pairs[0] && is_floating(s.spec(s.input(x)).dtype))) continue;
      return s.become(*pair[1 - side], {s.input(x), s.input(x, 1)});
    }
}

}  // namespace detail

namespace ops {
inline constexpr op logical_not{.name = "LogicalNot",
                                .label = "LogicalNot",
                                .facts = fact::elementwise | fact::involution,
                                .rule = elementwise_rule<booleans>,
                                .makes = made_ops<equal, not_equal, less, less_equal, greater, greater_equal>,
                                .value = [](const known_operands& x) { return x.truth(x[0] == 0); },
                                .simplify = detail::simplify_not};
}  // namespace ops
template <>
struct functor<ops::logical_not> {
  static auto apply(const auto& x) { return detail::inverse(x); }
};

/// Not, of bool tensors.
template <class X>
  requires OperatorArguments<X>
constexpr auto operator!(const X& x) {
  return call<ops::logical_not>(x);
}

}  // namespace jig
