// SPDX-License-Identifier: MIT
#pragma once
// e^x = 2^n e^r, where n is integral and |r| at most ln(2)/2.

#include <jig/eval/maths/polynomial.hpp>
#include <jig/ops/exponential.hpp>

namespace jig::maths {

// ln(2) is split so that n times its upper part is exact. Terms: those of (e^r - 1 - r) / r², fewer of them for the
// exponential of floats, which is 2 ulp off and the fastest.
template <class T>
struct exp_numbers;
template <>
struct exp_numbers<float> {
  static constexpr float log2_e = 1.44269502f, ln2 = 0.693359375f, ln2_rest = -0.00021219444f;
  static constexpr float lowest = -104, highest = 90, expm1_lowest = -18, tanh_highest = 10;
  static constexpr float few_terms[] = {0.00831250101f, 0.0418903306f, 0.166671157f, 0.499992311f};
  static constexpr float terms[] = {0.00139464962f, 0.00836661085f, 0.0416662805f, 0.166665435f, 0.5f};
};
template <>
struct exp_numbers<double> {
  static constexpr double log2_e = 1.4426950408889634, ln2 = 0.69314718060195446, ln2_rest = -4.2009150726810846e-11;
  static constexpr double lowest = -746, highest = 711, expm1_lowest = -38, tanh_highest = 22;
  static constexpr double terms[] = {2.5114517128994983e-08, 2.7626382196676439e-07, 2.7557227826392426e-06, 2.4801504312168339e-05,
                                     0.00019841269903158392, 0.0013888888932484253,  0.008333333333314541,   0.041666666666573322,
                                     0.16666666666666685,    0.50000000000000056};
  static constexpr auto& few_terms = terms;
};

/// x = n ln(2) + r. NaN stays NaN in r.
template <class B>
struct exp_parts {
  using numbers = exp_numbers<number<B>>;
  B n, r;
  [[gnu::always_inline]] explicit exp_parts(const B& x) {
    reduce(x);
    r = simd::multiply_add<true>(n, B(numbers::ln2_rest), r);
  }
  /// The sum of x and what is too small for its last digit.
  [[gnu::always_inline]] exp_parts(const B& x, const B& rest) {
    reduce(x);
    r = r + simd::multiply_add<true>(n, B(numbers::ln2_rest), rest);
  }
  /// e^r
  [[gnu::always_inline]] B power() const { return power_of(polynomial(r, numbers::terms)); }
  [[gnu::always_inline]] B rough_power() const { return power_of(polynomial(r, numbers::few_terms)); }
  /// e^r - 1
  [[gnu::always_inline]] B power_minus_one() const { return simd::multiply_add(r * r, polynomial(r, numbers::terms), r); }

 private:
  [[gnu::always_inline]] void reduce(const B& x) {
    const B magic(simd::no_fraction<B>);
    n = simd::multiply_add(x, B(numbers::log2_e), magic) - magic;
    r = simd::multiply_add<true>(n, B(numbers::ln2), x);
  }
  [[gnu::always_inline]] B power_of(const B& p) const {
    const B one(1);
    return simd::multiply_add(simd::multiply_add(p, r, one), r, one);
  }
};

// Of two operands of which one is NaN, min and max return the second one.
template <class B>
[[gnu::always_inline]] inline B compute(function<ops::exp>, const B& x) {
  using numbers = exp_numbers<number<B>>;
  const exp_parts<B> parts((xsimd::min)(B(numbers::highest), x));
  return simd::scale_from(B(numbers::lowest), x, parts.rough_power(), parts.n);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::expm1>, const B& x) {
  using numbers = exp_numbers<number<B>>;
  const exp_parts<B> parts((xsimd::min)(B(numbers::highest - 1), (xsimd::max)(B(numbers::expm1_lowest), x)));
  // Half of it, since 2^n may be just out of range. Small numbers are their own result, which keeps the sign of zero.
  const B half = simd::scale(B(0.5), parts.n);
  const B y = B(2) * simd::multiply_add(half, parts.power_minus_one(), half - B(0.5));
  return xsimd::select(simd::magnitude(x) < B(std::numeric_limits<number<B>>::epsilon() / 2), x, y);
}

/// 1 / (1 + e^-x), or e^x / (1 + e^x) below zero, which is small there.
template <class B>
[[gnu::always_inline]] inline B compute(function<ops::sigmoid>, const B& x) {
  const B minus = simd::from_words<B>(simd::to_words(x) | simd::sign_bit<B>), one(1);
  const exp_parts<B> parts((xsimd::max)(B(exp_numbers<number<B>>::lowest), minus));
  const B e = simd::scale(parts.power(), parts.n);
  return xsimd::select(x < B(0), e, one) / (one + e);
}

/// x times its sigmoid, scaled last: it is normal where the sigmoid is not. Minus infinity has the limit 0.
template <class B>
[[gnu::always_inline]] inline B compute(function<ops::silu>, const B& x) {
  const B lowest(exp_numbers<number<B>>::lowest - 8), one(1);
  const exp_parts<B> parts((xsimd::max)(lowest, simd::from_words<B>(simd::to_words(x) | simd::sign_bit<B>)));
  const B power = parts.power(), sum = one + simd::scale(power, parts.n);
  return xsimd::select(x < B(0), simd::scale((xsimd::max)(lowest, x) * power / sum, parts.n), x / sum);
}

}  // namespace jig::maths
