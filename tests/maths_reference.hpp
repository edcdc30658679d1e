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

// Calls f with the name of each function, its functor and its judge.
template <class F>
void for_each_function(F f) {
#define FUNCTION(name) f(#name, jig::functor<jig::ops::name>(), [](auto x) { return std::name(x); });
  FUNCTION(exp)
  FUNCTION(expm1)
  FUNCTION(log)
  FUNCTION(log1p)
  FUNCTION(sqrt)
  FUNCTION(sin)
  FUNCTION(cos)
  FUNCTION(tan)
  FUNCTION(asin)
  FUNCTION(acos)
  FUNCTION(atan)
  FUNCTION(sinh)
  FUNCTION(cosh)
  FUNCTION(tanh)
  FUNCTION(asinh)
  FUNCTION(acosh)
  FUNCTION(atanh)
  FUNCTION(erf)
  FUNCTION(erfc)
#undef FUNCTION
#define FUNCTION(name, result) f(#name, jig::functor<jig::ops::name>(), [](auto x) { return result; });
  FUNCTION(rsqrt, 1 / std::sqrt(x))
  FUNCTION(sigmoid, 1 / (1 + std::exp(-x)))
  FUNCTION(softplus, (x > 0 ? x : x != x ? x : 0) + std::log1p(std::exp(-std::abs(x))))
  FUNCTION(elu, x < 0 ? std::expm1(x) : x)
  // Minus infinity has the limit -0.
  FUNCTION(silu, x < 0 && std::isinf(x) ? 1 / x : x / (1 + std::exp(-x)))
  FUNCTION(gelu, x < 0 && std::isinf(x) ? 1 / x : x / 2 * std::erfc(-x * static_cast<decltype(x)>(0.70710678118654752440084436210485L)))
#undef FUNCTION
}
