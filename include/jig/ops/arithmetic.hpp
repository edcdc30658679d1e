// SPDX-License-Identifier: MIT
#pragma once
// Sums, differences, products and quotients. dtypes never mix silently; integers wrap on overflow and throw on division by zero.

#include <jig/ops/unary.hpp>

#include <cmath>
#include <type_traits>

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
                        .simplify = detail::simplify_sum,
                        .range = [](const known_ranges& x) -> value_range { return {x[0].low + x[1].low, x[0].high + x[1].high}; }};
}  // namespace ops
template <>
struct functor<ops::add> {
  static auto apply(const auto& x, const auto& y) { return x + y; }
};

/// The sum, NumPy-broadcast; strings are joined. Integer overflow wraps.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
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
                             .simplify = detail::simplify_difference,
                             .range = [](const known_ranges& x) -> value_range { return {x[0].low - x[1].high, x[0].high - x[1].low}; }};
}  // namespace ops
template <>
struct functor<ops::subtract> {
  static auto apply(const auto& x, const auto& y) { return x - y; }
};

/// The difference. Integer overflow wraps.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
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
                             .simplify = detail::simplify_product,
                             .range = [](const known_ranges& x) { return x[0].times(x[1]); }};
}  // namespace ops
template <>
struct functor<ops::multiply> {
  static auto apply(const auto& x, const auto& y) { return x * y; }
};

/// The product, element by element. Integer overflow wraps.
template <class X, class Y>
  requires OperatorArgumentsWithoutLine<X, Y>
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
constexpr auto squared_difference(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
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
constexpr auto fma(const X& x, const Y& y, const Z& z, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y, z);
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

}  // namespace jig
