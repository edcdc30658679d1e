// SPDX-License-Identifier: MIT
#pragma once
// Functions of one number: rounding, roots, exponentials, trigonometry.

#include <jig/graph/gradient.hpp>
#include <jig/graph/simplification.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/maths.hpp>
#include <jig/ops/rules.hpp>

#include <cmath>
#include <limits>

namespace jig {

namespace ops {

extern const op rsqrt, neg, add, log1p, sin, sinh, abs;

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
constexpr auto exp(const X& x) {
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
constexpr auto expm1(const X& x) {
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
constexpr auto log(const X& x) {
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
constexpr auto log1p(const X& x) {
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
constexpr auto sqrt(const X& x) {
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
constexpr auto rsqrt(const X& x) {
  return call<ops::rsqrt>(x);
}

namespace ops {
inline constexpr op cos = detail::function_of_floats("Cos", [](gradient_context& c) {
                            c.give(0, -(c.adjoint() * c.call(sin, {c.input(0)})));
                          }).making(made_ops<sin>);
}  // namespace ops
namespace maths {
inline constexpr function<ops::cos> cos;
}
/// The cosine of an angle. **Units** radians.
template <Operand X>
constexpr auto cos(const X& x) {
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
/// The sine of an angle. **Units** radians.
template <Operand X>
constexpr auto sin(const X& x) {
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
constexpr auto cosh(const X& x) {
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
constexpr auto sinh(const X& x) {
  return call<ops::sinh>(x);
}

namespace ops {
inline constexpr op tan =
    detail::function_of_floats("Tan", [](gradient_context& c) { c.give(0, c.adjoint() * (c.output() * c.output() + 1)); });
}  // namespace ops
namespace maths {
inline constexpr function<ops::tan> tan;
}
/// The tangent of an angle. **Units** radians.
template <Operand X>
constexpr auto tan(const X& x) {
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
constexpr auto tanh(const X& x) {
  return call<ops::tanh>(x);
}

namespace ops {
inline constexpr op atan =
    detail::function_of_floats("Atan", [](gradient_context& c) { c.give(0, c.adjoint() / (c.input(0) * c.input(0) + 1)); });
}  // namespace ops
namespace maths {
inline constexpr function<ops::atan> atan;
}
/// The inverse tangent. **Units** radians.
template <Operand X>
constexpr auto atan(const X& x) {
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
constexpr auto atanh(const X& x) {
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
/// The inverse sine. **Units** radians.
template <Operand X>
constexpr auto asin(const X& x) {
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
/// The inverse cosine. **Units** radians.
template <Operand X>
constexpr auto acos(const X& x) {
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
constexpr auto asinh(const X& x) {
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
constexpr auto acosh(const X& x) {
  return call<ops::acosh>(x);
}

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
constexpr auto erf(const X& x) {
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
constexpr auto erfc(const X& x) {
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
constexpr auto digamma(const X& x) {
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
constexpr auto lgamma(const X& x) {
  return call<ops::lgamma>(x);
}

namespace detail {

constexpr op rounding(std::string_view name, known_bits (*value)(const known_operands&)) {
  return {.name = name,
          .label = name,
          .facts = fact::elementwise | fact::float_lanes | fact::rounds,
          .rule = elementwise_rule<floats>,
          .gradient = [](gradient_context& c) { c.nothing(); },
          .value = value};
}

enum class direction { down, up, to_zero, to_nearest };

template <direction Towards>
constexpr known_bits rounded_to_integer(const known_operands& x) {
  const double value = x.number(0), size = value < 0 ? -value : value;
  const std::uint64_t sign = x[0] & sign_bit(x.type);
  if (size >= 0x1p52) return x.element(x[0]);
  const auto whole = static_cast<std::int64_t>(size);
  const double rest = size - static_cast<double>(whole);
  const bool away = Towards == direction::to_nearest ? rest > 0.5 || (rest == 0.5 && whole % 2 != 0)
                    : Towards == direction::to_zero  ? false
                                                     : rest > 0 && (Towards == direction::down) == (sign != 0);
  const known_bits out = x.rounded(static_cast<double>(whole + away));
  return {out.known, out.bits | sign};
}

}  // namespace detail

namespace ops {
inline constexpr op floor = detail::rounding("Floor", detail::rounded_to_integer<detail::direction::down>);
}
template <>
struct functor<ops::floor> {
  static auto apply(const auto& x) {
    using std::floor;
    return floor(x);
  }
};

/// The largest integer not above x.
template <Operand X>
constexpr auto floor(const X& x) {
  return call<ops::floor>(x);
}

namespace ops {
inline constexpr op ceil = detail::rounding("Ceil", detail::rounded_to_integer<detail::direction::up>);
}
template <>
struct functor<ops::ceil> {
  static auto apply(const auto& x) {
    using std::ceil;
    return ceil(x);
  }
};

/// The smallest integer not below x.
template <Operand X>
constexpr auto ceil(const X& x) {
  return call<ops::ceil>(x);
}

namespace ops {
inline constexpr op trunc = detail::rounding("Trunc", detail::rounded_to_integer<detail::direction::to_zero>);
}
template <>
struct functor<ops::trunc> {
  static auto apply(const auto& x) {
    using std::trunc;
    return trunc(x);
  }
};

/// x without its fraction.
template <Operand X>
constexpr auto trunc(const X& x) {
  return call<ops::trunc>(x);
}

namespace ops {
inline constexpr op rint = detail::rounding("Rint", detail::rounded_to_integer<detail::direction::to_nearest>);
}
template <>
struct functor<ops::rint> {
  static auto apply(const auto& x) {
    using std::rint;
    return rint(x);
  }
};

/// The nearest integer; halves go to the even one.
template <Operand X>
constexpr auto rint(const X& x) {
  return call<ops::rint>(x);
}

namespace ops {
inline constexpr op round = detail::rounding("Round", detail::rounded_to_integer<detail::direction::to_nearest>);
}
template <>
struct functor<ops::round> {
  static auto apply(const auto& x) {
    using std::rint;
    return rint(x);
  }
};

/// The nearest integer; halves go to the even one, as in TensorFlow.
template <Operand X>
constexpr auto round(const X& x) {
  return call<ops::round>(x);
}

namespace ops {
inline constexpr op reciprocal{.name = "Reciprocal",
                               .label = "Reciprocal",
                               .facts = fact::elementwise | fact::float_lanes,
                               .rule = elementwise_rule<floats>,
                               .gradient = [](gradient_context& c) { c.give(0, -(c.adjoint() * (c.output() * c.output()))); },
                               .value = [](const known_operands& x) { return x.quotient(detail::bits_of_number(x.type, 1), x[0]); },
                               .simplify =
                                   [](simplification& s) {
                                     if (s.value_changing && s.is(s.inputs[0], sqrt)) s.become(rsqrt, {s.input(s.inputs[0])});
                                   }};
}  // namespace ops
template <>
struct functor<ops::reciprocal> {
  static auto apply(const auto& x) { return 1 / x; }
};

/// One over x.
template <Operand X>
constexpr auto reciprocal(const X& x) {
  return call<ops::reciprocal>(x);
}

namespace ops {
inline constexpr op neg{
    .name = "Neg",
    .label = "neg",
    .facts = fact::elementwise | fact::wraps | fact::pairs | fact::involution,
    .rule = elementwise_rule<numbers>,
    .gradient = [](gradient_context& c) { c.give(0, -c.adjoint()); },
    .value = [](const known_operands& x) { return x.is_floating() ? x.element(x[0] ^ detail::sign_bit(x.type)) : x.wrapped(0 - x[0]); }};
}  // namespace ops
template <>
struct functor<ops::neg> {
  // Batches of floating numbers of xsimd 8.1 lose the sign of zero when they are negated.
  static auto apply(const auto& x) {
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (requires { requires std::is_floating_point_v<typename T::value_type>; }) return x * T(-1);
    else return -x;
  }
};

/// Minus x. Integer overflow wraps.
template <class X>
  requires OperatorArguments<X>
constexpr auto operator-(const X& x) {
  return call<ops::neg>(x);
}

namespace detail {

constexpr void simplify_even(simplification& s) {
  const edge x = s.inputs[0];
  if (s.is(x, ops::neg) || (s.is(x, ops::abs) && is_signed(s.result.dtype))) s.become(s.kind, {s.input(x)});
}

}  // namespace detail

namespace ops {
inline constexpr op square{.name = "Square",
                           .label = "Square",
                           .facts = fact::elementwise | fact::wraps | fact::pairs,
                           .rule = elementwise_rule<numbers>,
                           .gradient = [](gradient_context& c) { c.give(0, c.adjoint() * (2 * c.input(0))); },
                           .value = [](const known_operands& x) { return x.product(x[0], x[0]); },
                           .simplify = detail::simplify_even};
}  // namespace ops
template <>
struct functor<ops::square> {
  static auto apply(const auto& x) { return x * x; }
};

/// x times x. Integer overflow wraps.
template <Operand X>
constexpr auto square(const X& x) {
  return call<ops::square>(x);
}

namespace ops {
inline constexpr op sign{.name = "Sign",
                         .label = "Sign",
                         .facts = fact::elementwise | fact::float_lanes | fact::idempotent,
                         .rule = elementwise_rule<numbers>,
                         .gradient = [](gradient_context& c) { c.nothing(); },
                         .value =
                             [](const known_operands& x) {
                               return x.element(x.is_negative(0) ? detail::bits_of_number(x.type, -1)
                                                : (x[0] & ~(x.is_floating() ? detail::sign_bit(x.type) : 0)) != 0
                                                    ? detail::bits_of_number(x.type, 1)
                                                    : x[0]);
                             }};
}  // namespace ops
template <>
struct functor<ops::sign> {
  static auto apply(const auto& x) {
    using detail::select;
    using T = std::remove_cvref_t<decltype(x)>;
    // NaN is neither above nor below zero and passes through, as does the sign of zero.
    return select(x > T(0), T(1), select(x < T(0), T(-1), x));
  }
};

/// -1, 0 or 1; NaN for NaN.
template <Operand X>
constexpr auto sign(const X& x) {
  return call<ops::sign>(x);
}

namespace ops {
inline constexpr op abs{.name = "Abs",
                        .label = "Abs",
                        .facts = fact::elementwise | fact::float_lanes | fact::pairs | fact::idempotent,
                        .rule = elementwise_rule<numbers>,
                        .gradient = [](gradient_context& c) { c.give(0, c.adjoint() * c.call(sign, {c.input(0)})); },
                        .makes = made_ops<sign>,
                        .value =
                            [](const known_operands& x) {
                              return x.is_floating() ? x.element(x[0] & ~detail::sign_bit(x.type))
                                                     : x.wrapped(x.is_negative(0) ? 0 - x[0] : x[0]);
                            },
                        .simplify = detail::simplify_even};
}  // namespace ops
template <>
struct functor<ops::abs> {
  static auto apply(const auto& x) {
    using std::abs;
    using T = std::remove_cvref_t<decltype(x)>;
    if constexpr (std::is_unsigned_v<T>) return x;
    else if constexpr (std::is_integral_v<T>)
      return static_cast<T>(x < 0 ? T(0) - static_cast<std::make_unsigned_t<T>>(x) : static_cast<std::make_unsigned_t<T>>(x));
    else return abs(x);
  }
};

/// The absolute value; that of the lowest integer wraps to itself.
template <Operand X>
constexpr auto abs(const X& x) {
  return call<ops::abs>(x);
}

}  // namespace jig
