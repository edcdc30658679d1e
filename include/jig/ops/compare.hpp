// SPDX-License-Identifier: MIT
#pragma once
// Comparisons and logic: results are bool. Comparisons with NaN are false, except `!=`.

#include <jig/ops/call.hpp>
#include <jig/ops/rules.hpp>

namespace jig {

namespace ops {

inline constexpr op equal{.name = "Equal",
                          .label = "Equal",
                          .facts = fact::elementwise | fact::commutative,
                          .rule = detail::predicate_rule<anything>};
inline constexpr op not_equal{.name = "NotEqual",
                              .label = "NotEqual",
                              .facts = fact::elementwise | fact::commutative,
                              .rule = detail::predicate_rule<anything>};
inline constexpr op less{
    .name = "Less", .label = "Less", .facts = fact::elementwise, .rule = detail::predicate_rule<numbers | strings>};
inline constexpr op less_equal{.name = "LessEqual",
                               .label = "LessEqual",
                               .facts = fact::elementwise,
                               .rule = detail::predicate_rule<numbers | strings>};
inline constexpr op greater{
    .name = "Greater", .label = "Greater", .facts = fact::elementwise, .rule = detail::predicate_rule<numbers | strings>};
inline constexpr op greater_equal{.name = "GreaterEqual",
                                  .label = "GreaterEqual",
                                  .facts = fact::elementwise,
                                  .rule = detail::predicate_rule<numbers | strings>};
inline constexpr op is_nan{
    .name = "IsNan", .label = "IsNan", .facts = fact::elementwise, .rule = detail::predicate_rule<floats>};
inline constexpr op is_inf{
    .name = "IsInf", .label = "IsInf", .facts = fact::elementwise, .rule = detail::predicate_rule<floats>};
inline constexpr op is_finite{
    .name = "IsFinite", .label = "IsFinite", .facts = fact::elementwise, .rule = detail::predicate_rule<floats>};
inline constexpr op logical_and{.name = "LogicalAnd",
                                .label = "LogicalAnd",
                                .facts = fact::elementwise | fact::commutative,
                                .rule = detail::elementwise_rule<booleans>};
inline constexpr op logical_or{.name = "LogicalOr",
                               .label = "LogicalOr",
                               .facts = fact::elementwise | fact::commutative,
                               .rule = detail::elementwise_rule<booleans>};
inline constexpr op logical_not{
    .name = "LogicalNot",
    .label = "LogicalNot",
    .facts = fact::elementwise,
    .rule = detail::elementwise_rule<booleans>,
    .makes = made_ops<equal, not_equal, less, less_equal, greater, greater_equal>};

}  // namespace ops

template <>
struct meaning<ops::equal> {
  static auto apply(const auto& x, const auto& y) { return detail::equal(x, y); }
};
// Not with `!=`, which is false for NaN on batches of xsimd 8.1 with AVX.
template <>
struct meaning<ops::not_equal> {
  static auto apply(const auto& x, const auto& y) { return detail::inverse(detail::equal(x, y)); }
};
template <>
struct meaning<ops::less> {
  static auto apply(const auto& x, const auto& y) { return x < y; }
};
template <>
struct meaning<ops::less_equal> {
  static auto apply(const auto& x, const auto& y) { return x <= y; }
};
template <>
struct meaning<ops::greater> {
  static auto apply(const auto& x, const auto& y) { return x > y; }
};
template <>
struct meaning<ops::greater_equal> {
  static auto apply(const auto& x, const auto& y) { return x >= y; }
};
// Written with arithmetic, not with isnan and relatives, so that one text serves elements and batches.
template <>
struct meaning<ops::is_nan> {
  static auto apply(const auto& x) { return !(x == x); }
};
template <>
struct meaning<ops::is_inf> {
  static auto apply(const auto& x) { return (x == x) & !((x - x) == (x - x)); }
};
template <>
struct meaning<ops::is_finite> {
  static auto apply(const auto& x) { return (x - x) == (x - x); }
};
template <>
struct meaning<ops::logical_and> {
  static auto apply(const auto& x, const auto& y) { return x & y; }
};
template <>
struct meaning<ops::logical_or> {
  static auto apply(const auto& x, const auto& y) { return x | y; }
};
template <>
struct meaning<ops::logical_not> {
  static auto apply(const auto& x) { return detail::inverse(x); }
};

/// Whether elements are equal; NaN equals nothing.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator==(const X& x, const Y& y) {
  return call<ops::equal>(x, y);
}

/// Whether elements differ; NaN differs from everything.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator!=(const X& x, const Y& y) {
  return call<ops::not_equal>(x, y);
}

/// Whether x is less than y.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator<(const X& x, const Y& y) {
  return call<ops::less>(x, y);
}

/// Whether x is at most y.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator<=(const X& x, const Y& y) {
  return call<ops::less_equal>(x, y);
}

/// Whether x is greater than y.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator>(const X& x, const Y& y) {
  return call<ops::greater>(x, y);
}

/// Whether x is at least y.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator>=(const X& x, const Y& y) {
  return call<ops::greater_equal>(x, y);
}

/// Whether x is NaN.
template <Operand X>
constexpr auto is_nan(const X& x) {
  return call<ops::is_nan>(x);
}

/// Whether x is plus or minus infinity.
template <Operand X>
constexpr auto is_inf(const X& x) {
  return call<ops::is_inf>(x);
}

/// Whether x is neither NaN nor infinite.
template <Operand X>
constexpr auto is_finite(const X& x) {
  return call<ops::is_finite>(x);
}

/// Not, of bool tensors.
template <class X>
  requires OperatorArguments<X>
constexpr auto operator!(const X& x) {
  return call<ops::logical_not>(x);
}

/// And, of bool tensors. Both operands are computed.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator&&(const X& x, const Y& y) {
  return call<ops::logical_and>(x, y);
}

/// Or, of bool tensors. Both operands are computed.
template <class X, class Y>
  requires OperatorArguments<X, Y>
constexpr auto operator||(const X& x, const Y& y) {
  return call<ops::logical_or>(x, y);
}

}  // namespace jig
