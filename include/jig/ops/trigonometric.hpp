// SPDX-License-Identifier: MIT
#pragma once
// Functions of angles and of hyperbolic ones, and their inverses.

#include <jig/ops/exponential.hpp>

namespace jig {

namespace ops {

extern const op sin, sinh;

}  // namespace ops

namespace ops {
inline constexpr op cos = detail::function_of_floats("Cos", [](gradient_context& c) {
                            c.give(0, -(c.adjoint() * c.call(sin, {c.input(0)})));
                          }).making(made_ops<sin>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::cos> cos;
}
/// The cosine of an angle.
/// Units: radians.
template <Operand X>
constexpr auto cos(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::cos>(x);
}

namespace ops {
inline constexpr op sin = detail::function_of_floats("Sin", [](gradient_context& c) {
                            c.give(0, c.adjoint() * c.call(cos, {c.input(0)}));
                          }).making(made_ops<cos>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::sin> sin;
}
/// The sine of an angle.
/// Units: radians.
template <Operand X>
constexpr auto sin(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::sin>(x);
}

namespace ops {
inline constexpr op cosh = detail::function_of_floats("Cosh", [](gradient_context& c) {
                             c.give(0, c.adjoint() * c.call(sinh, {c.input(0)}));
                           }).making(made_ops<sinh>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::cosh> cosh;
}
/// The hyperbolic cosine.
template <Operand X>
constexpr auto cosh(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::cosh>(x);
}

namespace ops {
inline constexpr op sinh = detail::function_of_floats("Sinh", [](gradient_context& c) {
                             c.give(0, c.adjoint() * c.call(cosh, {c.input(0)}));
                           }).making(made_ops<cosh>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::sinh> sinh;
}
/// The hyperbolic sine.
template <Operand X>
constexpr auto sinh(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::sinh>(x);
}

namespace ops {
inline constexpr op tan =
    detail::function_of_floats("Tan", [](gradient_context& c) { c.give(0, c.adjoint() * (c.output() * c.output() + 1)); });
}  // namespace ops
namespace maths {
inline constexpr function<ops::tan> tan;
}
/// The tangent of an angle.
/// Units: radians.
template <Operand X>
constexpr auto tan(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::tan>(x);
}

namespace ops {
inline constexpr op tanh = detail::function_of_floats("Tanh", [](gradient_context& c) {
                             c.give(0, c.adjoint() * (1 - c.output() * c.output()));
                           }).with(fact::pairs);
}  // namespace ops
namespace maths {
inline constexpr function<ops::tanh> tanh;
}
/// The hyperbolic tangent.
template <Operand X>
constexpr auto tanh(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::tanh>(x);
}

namespace ops {
inline constexpr op atan =
    detail::function_of_floats("Atan", [](gradient_context& c) { c.give(0, c.adjoint() / (c.input(0) * c.input(0) + 1)); });
}  // namespace ops
namespace maths {
inline constexpr function<ops::atan> atan;
}
/// The inverse tangent.
/// Units: radians.
template <Operand X>
constexpr auto atan(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::atan>(x);
}

namespace ops {
inline constexpr op atanh =
    detail::function_of_floats("Atanh", [](gradient_context& c) { c.give(0, c.adjoint() / (1 - c.input(0) * c.input(0))); });
}  // namespace ops
namespace maths {
inline constexpr function<ops::atanh> atanh;
}
/// The inverse hyperbolic tangent.
template <Operand X>
constexpr auto atanh(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::atanh>(x);
}

namespace ops {
// The slopes 1 / sqrt(…) of inverse functions.
inline constexpr op asin = detail::function_of_floats("Asin", [](gradient_context& c) {
                             c.give(0, c.adjoint() * c.call(rsqrt, {1 - c.input(0) * c.input(0)}));
                           }).making(made_ops<rsqrt>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::asin> asin;
}
/// The inverse sine.
/// Units: radians.
template <Operand X>
constexpr auto asin(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::asin>(x);
}

namespace ops {
inline constexpr op acos = detail::function_of_floats("Acos", [](gradient_context& c) {
                             c.give(0, -(c.adjoint() * c.call(rsqrt, {1 - c.input(0) * c.input(0)})));
                           }).making(made_ops<rsqrt>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::acos> acos;
}
/// The inverse cosine.
/// Units: radians.
template <Operand X>
constexpr auto acos(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::acos>(x);
}

namespace ops {
inline constexpr op asinh = detail::function_of_floats("Asinh", [](gradient_context& c) {
                              c.give(0, c.adjoint() * c.call(rsqrt, {c.input(0) * c.input(0) + 1}));
                            }).making(made_ops<rsqrt>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::asinh> asinh;
}
/// The inverse hyperbolic sine.
template <Operand X>
constexpr auto asinh(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::asinh>(x);
}

namespace ops {
inline constexpr op acosh = detail::function_of_floats("Acosh", [](gradient_context& c) {
                              c.give(0, c.adjoint() * c.call(rsqrt, {c.input(0) * c.input(0) - 1}));
                            }).making(made_ops<rsqrt>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::acosh> acosh;
}
/// The inverse hyperbolic cosine.
template <Operand X>
constexpr auto acosh(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::acosh>(x);
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
/// The angle of the point (x, y).
/// Units: radians, -pi to pi.
template <Operand Y, Operand X>
constexpr auto atan2(const Y& y, const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, y, x);
  return call<ops::atan2>(y, x);
}

}  // namespace jig
