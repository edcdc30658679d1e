// SPDX-License-Identifier: MIT
#pragma once
// Choosing and converting elements.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/extremes.hpp>

namespace jig {

namespace detail {

constexpr void select_rule(rule_context& c) {
  if (c.inputs[0].dtype != dtype::boolean) return c.fail("the condition must be bool");
  check_dtypes(c, anything, 1);
  c.result = {c.inputs[1].dtype, broadcast_all(c)};
}

constexpr void select_gradient(gradient_context& c) {
  auto zero = c.number(c.adjoint(), 0);
  if (c.wants(1)) c.give(1, where(c.input(0), c.adjoint(), zero));
  if (c.wants(2)) c.give(2, where(c.input(0), zero, c.adjoint()));
}

// Whether every value of a dtype is one of another.
constexpr bool holds(dtype wide, dtype narrow) {
  if (narrow == dtype::boolean || wide == narrow) return true;
  if (wide == dtype::boolean || (is_floating(narrow) && !is_floating(wide))) return false;
  const auto digits = [](dtype d) {
    constexpr int of_floats[] = {24, 53, 11, 8};
    return is_floating(d) ? of_floats[static_cast<int>(d)] : 8 * static_cast<int>(size_of(d)) - is_signed(d);
  };
  if (is_floating(wide) && is_floating(narrow)) return digits(wide) > digits(narrow) && wide <= dtype::float64;
  return digits(wide) >= digits(narrow) && is_signed(wide) >= is_signed(narrow);
}

constexpr void simplify_choice(simplification& s) {
  const edge condition = s.inputs[0], yes = s.inputs[1], no = s.inputs[2];
  if (yes == no && s.is_harmless(condition)) return s.become_input(yes);
  const known_bits known = s.uniform(condition);
  if (known.known && s.is_harmless(known.bits != 0 ? no : yes)) return s.become_input(known.bits != 0 ? yes : no);
  if (!s.is(condition, ops::logical_not)) return;

  s.become(s.kind, {s.input(condition), no, yes});
}

}  // namespace detail

namespace ops {
inline constexpr op select{.name = "SelectV2",
                           .label = "SelectV2",
                           .facts = fact::elementwise | fact::moves,
                           .rule = detail::select_rule,
                           .free_inputs = 1,
                           .gradient = detail::select_gradient,
                           .value = [](const known_operands& x) { return x.element(x[0] != 0 ? x[1] : x[2]); },
                           .simplify = detail::simplify_choice,
                           .range = [](const known_ranges& x) { return x[1].with(x[2]); }};
}  // namespace ops
template <>
struct functor<ops::select> {
  static auto apply(const auto& condition, const auto& yes, const auto& no) {
    using detail::select;
    using C = std::remove_cvref_t<decltype(condition)>;
    // Batches of bool have no select.
    if constexpr (std::is_same_v<C, std::remove_cvref_t<decltype(yes)>> && !std::is_same_v<C, bool>)
      return (condition & yes) | ((!condition) & no);
    else return select(condition, yes, no);
  }
};

/// yes where the condition holds, no elsewhere; all three broadcast.
template <Operand C, Operand X, Operand Y>
constexpr auto where(const C& condition, const X& yes, const Y& no, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, condition, yes, no);
  return call<ops::select>(condition, yes, no);
}

namespace detail {

constexpr void cast_rule(rule_context& c) {
  auto to = static_cast<dtype>(c.integer("DstT"));
  if (c.inputs[0].dtype == dtype::string || to == dtype::string)
    if (c.inputs[0].dtype != to) return c.fail("strings do not convert to or from other dtypes");
  c.result = {to, c.inputs[0].shape};
}

constexpr void cast_gradient(gradient_context& c) {
  if (!c.wants(0)) return c.nothing();
  const index to = static_cast<index>(c.spec(c.input(0)).dtype);
  attribute_view with[] = {{"DstT", attribute_kind::type, {&to, 1}}};
  c.give(0, c.call(c.node().kind(), {c.adjoint()}, with));
}

constexpr known_bits known_conversion(const known_operands& x) {
  const dtype from = x.type, to = x.result;
  if (to == from) return x.element(x[0]);
  if (to == dtype::boolean) return x.truth(x.is_floating() ? x.number(0) != 0 : x[0] != 0);
  if (!x.is_floating()) {
    if (!is_floating(to)) return x.element(wrapped_bits(to, x[0]));
    const std::int64_t a = x.integer(0);
    if (to == dtype::float64)
      return x.element(std::bit_cast<std::uint64_t>(x.is_signed() ? static_cast<double>(a) : static_cast<double>(x[0])));
    if (to == dtype::float32)
      return x.element(std::bit_cast<std::uint32_t>(x.is_signed() ? static_cast<float>(a) : static_cast<float>(x[0])));
    // Larger numbers would be rounded twice on the way through float.
    const bool fits = x.is_signed() ? a <= 1 << 24 && a >= -(1 << 24) : x[0] <= 1 << 24;
    return fits ? rounded_bits(to, static_cast<double>(a)) : x.unknown();
  }
  const double value = x.number(0);
  if (is_storage(to)) {
    const double bounded = value < 1e30 && value > -1e30 ? value : 0;
    return static_cast<double>(static_cast<float>(bounded)) == value ? rounded_bits(to, value) : x.unknown();
  }
  if (is_floating(to)) return rounded_bits(to, value);
  // Truncates and saturates.
  const int bits = 8 * static_cast<int>(size_of(to)) - is_signed(to);
  double end = 1;
  for (int i = 0; i < bits; ++i) end *= 2;
  const std::uint64_t highest = bits == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << bits) - 1;
  if (value >= end) return x.element(highest);
  if (!is_signed(to)) return x.element(value <= 0 ? 0 : static_cast<std::uint64_t>(value));
  return x.element(wrapped_bits(to, value <= -end ? highest + 1 : static_cast<std::uint64_t>(static_cast<std::int64_t>(value))));
}

// What a floating number is limited to by a range that an integer's own lies in, which the cast limits it to.
constexpr edge without_wide_limits(const simplification& s, edge x, dtype to) {
  double lowest = is_signed(to) ? -1 : 0, highest = 1;
  for (int i = 0; i < 8 * static_cast<int>(size_of(to)) - is_signed(to); ++i) lowest *= 2, highest *= 2;
  for (;;) {
    const bool from_below = s.is(x, ops::maximum);
    if (!from_below && !s.is(x, ops::minimum)) return x;
    edge next{-1, 0};
    for (std::size_t k = 0; k < 2; ++k) {
      const known_bits c = s.uniform(s.input(x, k));
      const edge other = s.input(x, 1 - k);
      if (!c.known || s.spec(other) != s.spec(x)) continue;
      const double limit = number_of_bits(s.spec(x).dtype, c.bits);
      if (from_below ? limit <= lowest : limit >= highest - 1) next = other;
    }
    if (next.node < 0) return x;
    x = next;
  }
}

constexpr void simplify_cast(simplification& s) {
  const edge x = s.inputs[0];
  if (s.spec(x) == s.result) return s.become(x);
  if (is_floating(s.spec(x).dtype) && is_integer(s.result.dtype))
    if (const edge from = without_wide_limits(s, x, s.result.dtype); from != x)
      return s.become(s.make(s.kind, s.result, {from}, s.attributes));
  if (!s.is(x, s.kind)) return;
  const edge from = s.input(x);
  const dtype first = s.spec(from).dtype, middle = s.spec(x).dtype, last = s.result.dtype;
  if (first == dtype::string || !holds(middle, first)) return;
  if (s.spec(from) == s.result) return s.become(from);
  // Integers wrap where floating numbers saturate; storage dtypes are rounded once more on the way.
  if (is_floating(middle) && !is_floating(first) && is_integer(last)) return;
  if (is_storage(last) && !is_floating(first)) return;
  s.become(s.make(s.kind, s.result, {from}, s.attributes));
}

}  // namespace detail

namespace ops {
/// Attribute `DstT`: the dtype of the result.
inline constexpr op cast{.name = "Cast",
                         .label = "Cast",
                         .facts = fact::elementwise,
                         .rule = detail::cast_rule,
                         .gradient = detail::cast_gradient,
                         .value = detail::known_conversion,
                         .simplify = detail::simplify_cast};
}  // namespace ops

namespace detail {

/// Appends a conversion to the dtype of a spec.
constexpr edge add_cast(graph& to, const edge& from, const tensor_spec& spec) {
  const index type = static_cast<index>(spec.dtype);
  const attribute_view with[] = {{"DstT", attribute_kind::type, {&type, 1}, {}, {}}};
  return to.add(ops::cast, spec, {&from, 1}, with);
}

}  // namespace detail
/// Conversions are the evaluator's business for batches; this is that of one element.
template <>
struct functor<ops::cast> {
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

/// x as another dtype. Floating numbers are truncated towards zero and limited to the range of an integer; NaN becomes 0.
template <Element T, Operand X>
constexpr auto cast(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::cast, attributes<type_attribute<"DstT", dtype_of<T>>>>(x);
}

namespace detail {

constexpr void same_rule(rule_context& c) { c.result = c.inputs[0]; }

constexpr void simplify_identity(simplification& s) { s.become_input(s.inputs[0]); }

constexpr void same_gradient(gradient_context& c) { c.give(0, c.adjoint()); }

}  // namespace detail

namespace ops {
inline constexpr op identity{.name = "Identity",
                             .label = "Identity",
                             .facts = fact::elementwise | fact::moves,
                             .rule = detail::same_rule,
                             .gradient = detail::same_gradient,
                             .value = [](const known_operands& x) { return x.element(x[0]); },
                             .simplify = detail::simplify_identity};
}  // namespace ops
template <>
struct functor<ops::identity> {
  static auto apply(const auto& x) { return x; }
};

/// x itself, as a node of its own.
template <Operand X>
constexpr auto identity(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::identity>(x);
}

namespace ops {
inline constexpr op stop_gradient{.name = "StopGradient",
                                  .label = "StopGradient",
                                  .facts = fact::elementwise | fact::moves,
                                  .rule = detail::same_rule,
                                  .gradient = detail::zero_gradient,
                                  .value = [](const known_operands& x) { return x.element(x[0]); },
                                  .simplify = detail::simplify_identity};
}  // namespace ops
template <>
struct functor<ops::stop_gradient> {
  static auto apply(const auto& x) { return x; }
};

/// x, which gradients take as a constant.
template <Operand X>
constexpr auto stop_gradient(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::stop_gradient>(x);
}

/// x limited to lowest and highest; NaN stays.
template <Operand X, Operand L, Operand H>
constexpr auto clip(const X& x, const L& lowest, const H& highest, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, lowest, highest);
  return jig::minimum(jig::maximum(x, lowest), highest);
}

/// TensorFlow's name of `clip`.
template <Operand X, Operand L, Operand H>
constexpr auto clip_by_value(const X& x, const L& lowest, const H& highest, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, lowest, highest);
  return jig::clip(x, lowest, highest);
}

}  // namespace jig
