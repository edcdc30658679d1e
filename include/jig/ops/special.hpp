// SPDX-License-Identifier: MIT
#pragma once
// The error function and the gamma function.

#include <jig/ops/exponential.hpp>

#include <cmath>
#include <limits>

namespace jig {

namespace ops {
// 2 / sqrt(pi) exp(-x²).
inline constexpr op erf = detail::function_of_floats("Erf", [](gradient_context& c) {
                            c.give(0, c.adjoint() * (1.12837916709551257390 * c.call(exp, {-(c.input(0) * c.input(0))})));
                          }).making(made_ops<exp>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::erf> erf;
}
/// The error function.
template <Operand X>
constexpr auto erf(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::erf>(x);
}

namespace ops {
inline constexpr op erfc = detail::function_of_floats("Erfc", [](gradient_context& c) {
                             c.give(0, c.adjoint() * (-1.12837916709551257390 * c.call(exp, {-(c.input(0) * c.input(0))})));
                           }).making(made_ops<exp>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::erfc> erfc;
}
/// One minus the error function, exact for large x.
template <Operand X>
constexpr auto erfc(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::erfc>(x);
}

namespace ops {
inline constexpr op digamma{
    .name = "Digamma", .label = "Digamma", .facts = fact::elementwise | fact::scalar_only, .rule = elementwise_rule<floats>};
}
template <>
struct functor<ops::digamma> {
  template <class T>
  static T apply(T value) {
    const auto x = static_cast<double>(value);
    if (!(x > 0)) {
      // The reflection formula; NaN at the poles.
      if (x == std::floor(x)) return std::numeric_limits<T>::quiet_NaN();
      const double pi = 3.14159265358979323846;
      return static_cast<T>(of_positive(1 - x) - pi / std::tan(pi * (x - std::floor(x))));
    }
    return static_cast<T>(of_positive(x));
  }

 private:
  // The asymptotic series, to which the recurrence leads. Source: Abramowitz and Stegun, 6.3.5 and 6.3.18.
  static double of_positive(double x) {
    double sum = 0;
    for (; x < 10; x += 1) sum -= 1 / x;
    const double r = 1 / (x * x);
    return sum + std::log(x) - 0.5 / x -
           r * (1. / 12 - r * (1. / 120 - r * (1. / 252 - r * (1. / 240 - r * (1. / 132 - r * (691. / 32760))))));
  }
};

/// The derivative of lgamma; NaN at 0 and the negative integers.
template <Operand X>
constexpr auto digamma(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::digamma>(x);
}

namespace ops {
inline constexpr op lgamma{.name = "Lgamma",
                           .label = "Lgamma",
                           .facts = fact::elementwise | fact::scalar_only,
                           .rule = elementwise_rule<floats>,
                           .gradient = [](gradient_context& c) { c.give(0, c.adjoint() * c.call(digamma, {c.input(0)})); },
                           .makes = made_ops<digamma>};
}  // namespace ops
template <>
struct functor<ops::lgamma> {
  static auto apply(const auto& x) {
    using std::lgamma;
    return lgamma(x);
  }
};

/// The logarithm of the absolute value of the gamma function.
template <Operand X>
constexpr auto lgamma(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::lgamma>(x);
}

}  // namespace jig
