// SPDX-License-Identifier: MIT
#pragma once
// Activations of neural networks. NaN passes through all of them, and none overflows where its result is
// finite.

#include <jig/ops/create.hpp>
#include <jig/ops/exponential.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/special.hpp>
#include <jig/ops/unary.hpp>

namespace jig {

namespace ops {
inline constexpr op relu{.name = "Relu",
                         .label = "Relu",
                         .facts = fact::elementwise | fact::idempotent,
                         .rule = elementwise_rule<numbers>,
                         .gradient = [](gradient_context& c) { c.give(0, where(0 < c.output(), c.adjoint(), 0)); },
                         .value = [](const known_operands& x) { return x.element(x.is_negative(0) ? 0 : x[0]); }};
}  // namespace ops
// Comparisons are written so that NaN, which they are false for, takes the branch that returns it.
template <>
struct functor<ops::relu> {
  static auto apply(const auto& x) {
    using detail::select;
    auto zero = detail::number_like(x, 0);
    return select(x < zero, zero, x);
  }
};

/// x where it is positive, 0 elsewhere.
template <Operand X>
constexpr auto relu(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::relu>(x);
}

namespace ops {
inline constexpr op relu6{
    .name = "Relu6",
    .label = "Relu6",
    .facts = fact::elementwise | fact::idempotent,
    .rule = elementwise_rule<numbers>,
    .gradient = [](gradient_context& c) { c.give(0, where(0 < c.output(), where(c.output() < 6, c.adjoint(), 0), 0)); }};
}  // namespace ops
template <>
struct functor<ops::relu6> {
  static auto apply(const auto& x) {
    using detail::select;
    auto zero = detail::number_like(x, 0), six = detail::number_like(x, 6);
    return select(x < zero, zero, select(x > six, six, x));
  }
};

/// x limited to the range from 0 to 6.
template <Operand X>
constexpr auto relu6(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::relu6>(x);
}

namespace ops {
/// Inputs: x and the slope below zero.
inline constexpr op leaky_relu{.name = "LeakyRelu",
                               .label = "LeakyRelu",
                               .facts = fact::elementwise,
                               .rule = elementwise_rule<floats>,
                               .gradient = [](gradient_context& c) {
                                 auto x = c.input(0);
                                 if (c.wants(0)) c.give(0, where(0 < x, c.adjoint(), c.adjoint() * c.input(1)));
                                 if (c.wants(1)) c.give(1, c.adjoint() * where(0 < x, c.number(x, 0), x));
                               }};
}  // namespace ops
template <>
struct functor<ops::leaky_relu> {
  static auto apply(const auto& x, const auto& slope) {
    using detail::select;
    return select(x > detail::number_like(x, 0), x, slope * x);
  }
};

/// x where it is positive, slope * x elsewhere.
template <Operand X, Operand S = double>
constexpr auto leaky_relu(const X& x, const S& slope = 0.2, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, slope);
  return call<ops::leaky_relu>(x, slope);
}

namespace ops {
inline constexpr op softsign{.name = "Softsign",
                             .label = "Softsign",
                             .facts = fact::elementwise,
                             .rule = elementwise_rule<floats>,
                             .gradient =
                                 [](gradient_context& c) {
                                   auto d = c.call(abs, {c.input(0)}) + 1;
                                   c.give(0, c.adjoint() / (d * d));
                                 },
                             .makes = made_ops<abs>};
}  // namespace ops
template <>
struct functor<ops::softsign> {
  static auto apply(const auto& x) {
    using std::abs;
    return x / (detail::number_like(x, 1) + abs(x));
  }
};

/// x / (1 + |x|).
template <Operand X>
constexpr auto softsign(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::softsign>(x);
}

namespace ops {
inline constexpr op elu =
    detail::function_of_floats("Elu", [](gradient_context& c) { c.give(0, c.adjoint() * where(c.input(0) < 0, c.output() + 1, 1)); });
}  // namespace ops
template <>
struct functor<ops::elu> {
  static auto apply(const auto& x) {
    using detail::select;
    using maths::expm1;
    return select(x < detail::number_like(x, 0), expm1(x), x);
  }
};

/// x where it is positive, exp(x) - 1 elsewhere.
template <Operand X>
constexpr auto elu(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::elu>(x);
}

namespace ops {
inline constexpr op selu = detail::function_of_floats("Selu", [](gradient_context& c) {
  c.give(0, c.adjoint() * where(c.input(0) < 0, c.output() + 1.7580993408473768600, 1.0507009873554804934));
});
}  // namespace ops
template <>
struct functor<ops::selu> {
  static auto apply(const auto& x) {
    using detail::select;
    using maths::expm1;
    auto scale = detail::number_like(x, 1.0507009873554804934);
    auto below = detail::number_like(x, 1.7580993408473768600);
    return select(x < detail::number_like(x, 0), below * expm1(x), scale * x);
  }
};

/// The scaled elu that keeps mean 0 and variance 1 from layer to layer (Klambauer et al., 2017).
template <Operand X>
constexpr auto selu(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::selu>(x);
}

namespace ops {
inline constexpr op sigmoid = detail::function_of_floats("Sigmoid", [](gradient_context& c) {
                                c.give(0, c.adjoint() * (c.output() * (1 - c.output())));
                              }).with(fact::pairs);
}  // namespace ops
/// 1 / (1 + exp(-x)).
template <Operand X>
constexpr auto sigmoid(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::sigmoid>(x);
}

namespace ops {
inline constexpr op silu = detail::function_of_floats("Silu", [](gradient_context& c) {
                             auto s = c.call(sigmoid, {c.input(0)});
                             c.give(0, c.adjoint() * (s + c.output() * (1 - s)));
                           }).making(made_ops<sigmoid>);
}  // namespace ops
/// x * sigmoid(x), also known as swish.
template <Operand X>
constexpr auto silu(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::silu>(x);
}

namespace ops {
// With the normal distribution and its density: Phi(x) + x phi(x).
inline constexpr op gelu = detail::function_of_floats("Gelu", [](gradient_context& c) {
                             auto x = c.input(0);
                             auto distribution = 0.5 * c.call(erfc, {-0.70710678118654752440 * x});
                             auto density = 0.39894228040143267794 * c.call(exp, {-0.5 * (x * x)});
                             c.give(0, c.adjoint() * (distribution + x * density));
                           }).making(made_ops<erfc, exp>);
}  // namespace ops
/// x times the probability that a standard normal variable is below x: by way of erf, not of its tanh
/// approximation.
template <Operand X>
constexpr auto gelu(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::gelu>(x);
}

namespace ops {
inline constexpr op softplus = detail::function_of_floats("Softplus", [](gradient_context& c) {
                                 c.give(0, c.adjoint() * c.call(sigmoid, {c.input(0)}));
                               }).making(made_ops<sigmoid>);
}  // namespace ops
template <>
struct functor<ops::softplus> {
  // The exponential of a negative number never overflows.
  static auto apply(const auto& x) {
    using detail::select;
    using maths::exp, maths::log1p;
    using std::abs;
    auto zero = detail::number_like(x, 0);
    return select(x < zero, zero, x) + log1p(exp(-abs(x)));
  }
};

/// log(1 + exp(x)).
template <Operand X>
constexpr auto softplus(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::softplus>(x);
}

/// The logarithm of sigmoid, without its loss of small values.
template <Operand X>
constexpr auto log_sigmoid(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return -softplus(call<ops::neg>(x));
}

/// Exponentials that sum to 1 along an axis. As in TensorFlow, a row whose largest element is infinite, of
/// either sign, is NaN.
/// Shape: that of x.
template <index Axis = -1, Operand X>
constexpr auto softmax(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  // Any shift gives the same result, so gradients need not go through it.
  auto e = exp(x - stop_gradient(reduce_max<Axis>(x, keepdims)));
  return e * reciprocal(reduce_sum<Axis>(e, keepdims));
}

/// The logarithm of softmax, without its loss of small values.
/// Shape: that of x.
template <index Axis = -1, Operand X>
constexpr auto log_softmax(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  auto shifted = x - stop_gradient(reduce_max<Axis>(x, keepdims));
  return shifted - log(reduce_sum<Axis>(exp(shifted), keepdims));
}

}  // namespace jig
