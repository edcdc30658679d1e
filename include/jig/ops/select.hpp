// SPDX-License-Identifier: MIT
#pragma once
// Choosing and converting elements.

#include <jig/ops/arithmetic.hpp>

namespace jig {

namespace detail {

constexpr void select_rule(rule_context& c) {
  if (c.inputs[0].dtype != dtype::boolean) return c.fail("the condition must be bool");
  check_dtypes(c, anything, 1);
  c.result = {c.inputs[1].dtype, broadcast_all(c)};
}

constexpr void cast_rule(rule_context& c) {
  auto to = static_cast<dtype>(c.integer("DstT"));
  if (c.inputs[0].dtype == dtype::string || to == dtype::string)
    if (c.inputs[0].dtype != to) return c.fail("strings do not convert to or from other dtypes");
  c.result = {to, c.inputs[0].shape};
}

constexpr void same_rule(rule_context& c) { c.result = c.inputs[0]; }

constexpr void select_gradient(gradient_context& c) {
  auto zero = c.number(c.adjoint(), 0);
  if (c.wants(1)) c.give(1, where(c.input(0), c.adjoint(), zero));
  if (c.wants(2)) c.give(2, where(c.input(0), zero, c.adjoint()));
}

constexpr void cast_gradient(gradient_context& c) {
  if (!c.wants(0)) return c.nothing();
  const index to = static_cast<index>(c.spec(c.input(0)).dtype);
  attribute_view with[] = {{"DstT", attribute_kind::type, {&to, 1}, {}, {}}};
  c.give(0, c.call(c.node().kind(), {c.adjoint()}, with));
}

constexpr void same_gradient(gradient_context& c) { c.give(0, c.adjoint()); }

}  // namespace detail

namespace ops {

inline constexpr op select{.name = "SelectV2",
                           .label = "SelectV2",
                           .facts = fact::elementwise,
                           .rule = detail::select_rule,
                           .free_inputs = 1,
                           .gradient = detail::select_gradient};
/// Attribute `DstT`: the dtype of the result.
inline constexpr op cast{.name = "Cast", .label = "Cast", .facts = fact::elementwise, .rule = detail::cast_rule, .gradient = detail::cast_gradient};
inline constexpr op identity{
    .name = "Identity", .label = "Identity", .facts = fact::elementwise, .rule = detail::same_rule, .gradient = detail::same_gradient};
inline constexpr op stop_gradient{
    .name = "StopGradient", .label = "StopGradient", .facts = fact::elementwise, .rule = detail::same_rule, .gradient = detail::zero_gradient};

}  // namespace ops

template <>
struct meaning<ops::select> {
  static auto apply(const auto& condition, const auto& yes, const auto& no) {
    using detail::select;
    using C = std::remove_cvref_t<decltype(condition)>;
    // Batches of bool have no select.
    if constexpr (std::is_same_v<C, std::remove_cvref_t<decltype(yes)>> && !std::is_same_v<C, bool>)
      return (condition & yes) | ((!condition) & no);
    else return select(condition, yes, no);
  }
};

/// Conversions are the evaluator's business for batches; this is that of one element.
template <>
struct meaning<ops::cast> {
  template <class To, class From>
  static To convert(const From& x) {
    if constexpr (std::is_same_v<To, From>) return x;
    else if constexpr (is_storage_float<From>) return convert<To, float>(x);
    else if constexpr (std::is_same_v<To, bool>) return x != From(0);
    else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
      // Truncates and saturates; the bounds as floating numbers are exact powers of two or rounded outwards.
      if (x != x) return 0;
      constexpr To lowest = std::numeric_limits<To>::lowest(), highest = (std::numeric_limits<To>::max)();
      if (x <= static_cast<From>(lowest)) return lowest;
      if (x >= static_cast<From>(highest)) return highest;
      return static_cast<To>(x);
    } else {
      return static_cast<To>(x);
    }
  }
};
template <>
struct meaning<ops::identity> {
  static auto apply(const auto& x) { return x; }
};
template <>
struct meaning<ops::stop_gradient> {
  static auto apply(const auto& x) { return x; }
};

/// yes where the condition holds, no elsewhere; all three broadcast.
template <Operand C, Operand X, Operand Y>
constexpr auto where(const C& condition, const X& yes, const Y& no) {
  return call<ops::select>(condition, yes, no);
}

/// x limited to lowest and highest; NaN stays.
template <Operand X, Operand L, Operand H>
constexpr auto clip(const X& x, const L& lowest, const H& highest) {
  return minimum(maximum(x, lowest), highest);
}

/// x as another dtype. Floating numbers are truncated towards zero and limited to the range of an integer; NaN becomes 0.
template <Element T, Operand X>
constexpr auto cast(const X& x) {
  return call<ops::cast, attributes<type_attribute<"DstT", dtype_of<T>>>>(x);
}

/// x itself, as a node of its own.
template <Operand X>
constexpr auto identity(const X& x) {
  return call<ops::identity>(x);
}

/// x, which gradients take as a constant.
template <Operand X>
constexpr auto stop_gradient(const X& x) {
  return call<ops::stop_gradient>(x);
}

}  // namespace jig
