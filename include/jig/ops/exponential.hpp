// SPDX-License-Identifier: MIT
#pragma once
// Exponentials, logarithms and roots.

#include <jig/graph/gradient.hpp>
#include <jig/graph/simplification.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/maths.hpp>
#include <jig/ops/rules.hpp>

namespace jig {

namespace ops {

extern const op rsqrt, add, log1p;

}  // namespace ops

namespace detail {

constexpr op function_of_floats(std::string_view name, void (*gradient)(gradient_context&)) {
  return {.name = name,
          .label = name,
          .facts = fact::elementwise | fact::float_lanes | fact::lanes_only,
          .rule = elementwise_rule<floats>,
          .gradient = gradient};
}

}  // namespace detail

namespace ops {
inline constexpr op exp =
    detail::function_of_floats("Exp", [](gradient_context& c) { c.give(0, c.adjoint() * c.output()); }).with(fact::pairs);
}  // namespace ops
namespace maths {
inline constexpr function<ops::exp> exp;
}
/// e to the power of x.
template <Operand X>
constexpr auto exp(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::exp>(x);
}

namespace ops {
inline constexpr op expm1 = detail::function_of_floats("Expm1", [](gradient_context& c) { c.give(0, c.adjoint() * (c.output() + 1)); });
}  // namespace ops
namespace maths {
inline constexpr function<ops::expm1> expm1;
}
/// e to the power of x, minus one, exact near 0.
template <Operand X>
constexpr auto expm1(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::expm1>(x);
}

namespace ops {
inline constexpr op log = detail::function_of_floats("Log", [](gradient_context& c) { c.give(0, c.adjoint() / c.input(0)); })
                              .with(fact::pairs)
                              .simplified_by([](simplification& s) {
                                const edge x = s.inputs[0];
                                if (!s.value_changing || !s.is(x, add)) return;
                                for (std::size_t k = 0; k < 2; ++k) {
                                  const known_bits one = s.uniform(s.input(x, k));
                                  const edge other = s.input(x, 1 - k);
                                  if (one.known && one.bits == detail::bits_of_number(s.result.dtype, 1) && s.spec(other) == s.result)
                                    return s.become(log1p, {other});
                                }
                              });
}  // namespace ops
namespace maths {
inline constexpr function<ops::log> log;
}
/// The natural logarithm.
template <Operand X>
constexpr auto log(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::log>(x);
}

namespace ops {
inline constexpr op log1p = detail::function_of_floats("Log1p", [](gradient_context& c) { c.give(0, c.adjoint() / (c.input(0) + 1)); });
}  // namespace ops
namespace maths {
inline constexpr function<ops::log1p> log1p;
}
/// The natural logarithm of 1 + x, exact near 0.
template <Operand X>
constexpr auto log1p(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::log1p>(x);
}

namespace ops {
inline constexpr op sqrt =
    detail::function_of_floats("Sqrt", [](gradient_context& c) { c.give(0, c.adjoint() * 0.5 / c.output()); }).with(fact::pairs);
}  // namespace ops
namespace maths {
inline constexpr function<ops::sqrt> sqrt;
}
/// The square root; NaN below zero.
template <Operand X>
constexpr auto sqrt(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::sqrt>(x);
}

namespace ops {
inline constexpr op rsqrt =
    detail::function_of_floats("Rsqrt", [](gradient_context& c) { c.give(0, c.adjoint() * (-0.5 * (c.output() / c.input(0)))); });
}  // namespace ops
namespace maths {
inline constexpr function<ops::rsqrt> rsqrt;
}
/// One over the square root.
template <Operand X>
constexpr auto rsqrt(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::rsqrt>(x);
}

}  // namespace jig
