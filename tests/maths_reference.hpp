// SPDX-License-Identifier: MIT
#pragma once
// The functions of one number, each with a judge in more than its precision.

#include <jig.hpp>

#include <cmath>
#include <limits>

// The next wider type.
template <class T>
using wider = std::conditional_t<std::is_same_v<T, float>, double, long double>;

// How far a result is from the exact one. Units: distances of T's numbers around the latter. Infinite where NaN, an infinity
// or the sign of zero is wrong.
template <class T>
double ulps_off(T found, wider<T> exact) {
  using W = wider<T>;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  if (std::isnan(exact) || std::isnan(found)) return std::isnan(exact) && std::isnan(found) ? 0 : wrong;
  if (exact == 0) return found == 0 && std::signbit(found) == std::signbit(exact) ? 0 : found == 0 ? wrong : 1e9;
  // What is out of range counts as the first number that is.
  const W beyond = std::ldexp(W(1), std::numeric_limits<T>::max_exponent);
  auto in_range = [beyond](W x) { return x > beyond ? beyond : x < -beyond ? -beyond : x; };
  if (std::isinf(exact) && !std::isinf(found)) return wrong;
  int e;
  std::frexp(in_range(exact), &e);
  if (e > std::numeric_limits<T>::max_exponent) e = std::numeric_limits<T>::max_exponent;
  if (e < std::numeric_limits<T>::min_exponent) e = std::numeric_limits<T>::min_exponent;
  return static_cast<double>(std::abs(in_range(W(found)) - in_range(exact)) / std::ldexp(W(1), e - std::numeric_limits<T>::digits));
}

// Each calls f with the name of its functions, their functors and their judges. Kernels are by families, as in eval/maths/.
#define FUNCTION(name) f(#name, jig::functor<jig::ops::name>(), [](auto x) { return std::name(x); });
#define FUNCTION_BY(name, result) f(#name, jig::functor<jig::ops::name>(), [](auto x) { return result; });
template <class F>
void for_each_root(F f) {
  FUNCTION(sqrt)
  FUNCTION_BY(rsqrt, 1 / std::sqrt(x))
}
template <class F>
void for_each_exponential(F f) {
  FUNCTION(exp)
  FUNCTION(expm1)
  FUNCTION_BY(sigmoid, 1 / (1 + std::exp(-x)))
  FUNCTION_BY(elu, x < 0 ? std::expm1(x) : x)
  // Minus infinity has the limit -0.
  FUNCTION_BY(silu, x < 0 && std::isinf(x) ? 1 / x : x / (1 + std::exp(-x)))
}
template <class F>
void for_each_logarithm(F f) {
  FUNCTION(log)
  FUNCTION(log1p)
  FUNCTION_BY(softplus, (x > 0 ? x : x != x ? x : 0) + std::log1p(std::exp(-std::abs(x))))
}
template <class F>
void for_each_trigonometric(F f) {
  FUNCTION(sin)
  FUNCTION(cos)
  FUNCTION(tan)
  FUNCTION(asin)
  FUNCTION(acos)
  FUNCTION(atan)
}
template <class F>
void for_each_hyperbolic(F f) {
  FUNCTION(sinh)
  FUNCTION(cosh)
  FUNCTION(tanh)
  FUNCTION(asinh)
  FUNCTION(acosh)
  FUNCTION(atanh)
}
template <class F>
void for_each_error_function(F f) {
  FUNCTION(erf)
  FUNCTION(erfc)
  FUNCTION_BY(gelu, x < 0 && std::isinf(x) ? 1 / x : x / 2 * std::erfc(-x * static_cast<decltype(x)>(0.70710678118654752440084436210485L)))
}
#undef FUNCTION_BY
#undef FUNCTION
template <class F>
void for_each_function(F f) {
  for_each_root(f);
  for_each_exponential(f);
  for_each_logarithm(f);
  for_each_trigonometric(f);
  for_each_hyperbolic(f);
  for_each_error_function(f);
}
