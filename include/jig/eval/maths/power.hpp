// SPDX-License-Identifier: MIT
#pragma once
// x^y = e^(y log(x)), where the logarithm has twice the precision: its error grows with y.

#include <jig/eval/maths/logarithm.hpp>
#include <jig/ops/power.hpp>

namespace jig::maths {

// Terms: those of (2 atanh(s) - 2s - 2/3 s³) / s⁵ in s².
template <class T>
struct power_numbers;
template <>
struct power_numbers<float> {
  static constexpr float two_thirds_rest = -1.98682155e-08f;
  static constexpr float terms[] = {0.234188244f, 0.285471231f, 0.400001526f};
};
template <>
struct power_numbers<double> {
  static constexpr double two_thirds_rest = 3.7007434154171883e-17;
  static constexpr double terms[] = {0.13196521012736959, 0.13256797364891251, 0.15386758192100997, 0.18181784348740682,
                                     0.22222222520129634, 0.28571428570098434, 0.40000000000002256};
};

/// A number in twice the precision.
template <class B>
struct twofold {
  B high, low;
};
template <class B>
[[gnu::always_inline]] inline twofold<B> product(const B& x, const B& y) {
  const B p = x * y;
  return {p, simd::product_error(x, y, p)};
}
template <class B>
[[gnu::always_inline]] inline twofold<B> product(const twofold<B>& x, const twofold<B>& y) {
  auto p = product(x.high, y.high);
  p.low = p.low + x.high * y.low + x.low * y.high;
  return p;
}
/// |x| is not below |y|, or x is 0.
template <class B>
[[gnu::always_inline]] inline twofold<B> ordered_sum(const B& x, const B& y) {
  const B s = x + y;
  return {s, y - (s - x)};
}

/// The logarithm of a positive number.
template <class B>
[[gnu::always_inline]] inline twofold<B> long_log(const B& x) {
  using numbers = power_numbers<number<B>>;
  using exp_terms = exp_numbers<number<B>>;
  B too_large;
  const B normal = normalized(x, too_large);
  const log_parts<B> parts(normal);
  const B m = parts.over_power(normal), e = parts.e - too_large, one(1);
  // s = (m - 1) / (m + 1)
  const B above = m - one, below = m + one, below_rest = m - (below - one);
  twofold<B> s;
  s.high = above / below;
  const auto back = product(s.high, below);
  s.low = (above - back.high - back.low - s.high * below_rest) / below;
  const auto square = product(s, s);
  const auto cube = product(square, s);
  const auto third = product(cube, twofold<B>{B(number<B>(2.0 / 3.0)), B(numbers::two_thirds_rest)});
  const B rest = cube.high * square.high * polynomial(square.high, numbers::terms);
  // From large to small: e log(2), 2s, 2/3 s³ and the rest.
  const auto first = ordered_sum(e * B(exp_terms::ln2), s.high + s.high);
  const auto second = ordered_sum(first.high, third.high);
  const B low = first.low + second.low + (s.low + s.low + third.low + rest + e * B(exp_terms::ln2_rest));
  return ordered_sum(second.high, low);
}

template <class B>
B compute(function<ops::power>, const B& x, const B& y) {
  using exp_terms = exp_numbers<number<B>>;
  const B zero(0), one(1), a = simd::magnitude(x), inf(infinity<B>), nan(not_a_number<B>);
  const auto logarithm = long_log(a);
  const auto exponent = product(logarithm, twofold<B>{y, zero});
  const B high = (xsimd::min)(B(exp_terms::highest), (xsimd::max)(B(exp_terms::lowest), exponent.high));
  const exp_parts<B> parts(high, xsimd::select(high == exponent.high, exponent.low, zero));
  B power = simd::scale(parts.power(), parts.n);
  // Powers of 0, 1 and infinity.
  power = xsimd::select(a == zero, xsimd::select(y < zero, inf, zero), power);
  power = xsimd::select(a == inf, xsimd::select(y < zero, zero, inf), power);
  power = xsimd::select(a == one, one, power);
  // Negative bases have powers with integral exponents only.
  const B half = y * B(0.5);
  const auto integral = xsimd::trunc(y) == y;
  const B sign = xsimd::select(integral & !(xsimd::trunc(half) == half), x, zero);
  power = xsimd::select((x < zero) & (a < inf) & !integral, nan, simd::flip_sign(power, sign));
  power = xsimd::select((x == x) & (y == y), power, x + y);
  // The most frequent exponents are products, one by one as graphs have them.
  const B square = x * x;
  static_assert(most_multiplied == 4);
  power = xsimd::select(y == one, x, xsimd::select(y == B(2), square, power));
  power = xsimd::select(y == B(3), square * x, xsimd::select(y == B(4), square * square, power));
  return xsimd::select((y == zero) | (x == one), one, power);
}

}  // namespace jig::maths
