// SPDX-License-Identifier: MIT
#pragma once
// log(x) = log(1 + f) + e log(2), where x = (1 + f) 2^e and 1 + f is between sqrt(1/2) and sqrt(2).

#include <jig/eval/maths/exponential.hpp>

namespace jig::maths {

// Terms: those of (log(1 + f) - f + f²/2) / f³.
template <class T>
struct log_numbers;
template <>
struct log_numbers<float> {
  static constexpr std::uint32_t sqrt_half = 0x3f3504f3;
  static constexpr float terms[] = {-0.0763450041f, 0.12761578f,  -0.13160181f,  0.142017573f,
                                    -0.166233569f,  0.200012267f, -0.250008196f, 0.333333313f};
};
template <>
struct log_numbers<double> {
  static constexpr std::uint64_t sqrt_half = 0x3fe6a09e667f3bcd;
  static constexpr double terms[] = {0.026151041295167734, -0.059817160924451093, 0.065034920516182745, -0.05677779611301511,
                                     0.056683765038236945, -0.061966791595173064, 0.066845893405256998, -0.071494394396119848,
                                     0.076915297974593469, -0.083329135452379452, 0.090909239330748251, -0.10000015206082376,
                                     0.11111111147426979,  -0.12499999691446777,  0.14285714280093845,  -0.16666666669825841,
                                     0.20000000000066606,  -0.24999999999987976,  0.33333333333333143};
};

/// x = m 2^e of positive normal numbers.
template <class B>
struct log_parts {
  simd::words<B> shift;  // e as it stands in the bits of a number
  B e;
  [[gnu::always_inline]] explicit log_parts(const B& x) {
    constexpr auto bits = simd::fraction_bits<B>;
    constexpr auto bias = simd::exponent_bias<B>;
    // The bias keeps what is shifted above zero.
    const auto biased = (simd::to_words(x) + ((bias << bits) - log_numbers<number<B>>::sqrt_half)) >> bits;
    shift = (biased - bias) << bits;
    e = simd::from_words<B>(biased + simd::to_words(B(simd::no_fraction<B>))) - B(simd::no_fraction<B> + number<B>(bias));
  }
  [[gnu::always_inline]] B over_power(const B& x) const { return simd::from_words<B>(simd::to_words(x) - shift); }
};

/// log(1 + f) + e log(2)
template <class B>
[[gnu::always_inline]] inline B sum_of_logs(const B& f, const B& e) {
  using numbers = exp_numbers<number<B>>;
  const B square = f * f;
  B y = simd::multiply_add(square * f, polynomial(f, log_numbers<number<B>>::terms), e * B(numbers::ln2_rest));
  y = simd::multiply_add(square, B(-0.5), y) + f;
  return simd::multiply_add(e, B(numbers::ln2), y);
}

/// Denormal numbers times a power of two, others as they are; `e` is what the exponent of the result is too large by.
template <class B>
[[gnu::always_inline]] inline B normalized(const B& x, B& e) {
  constexpr int digits = std::numeric_limits<number<B>>::digits;
  const auto tiny = x < B((std::numeric_limits<number<B>>::min)());
  e = xsimd::select(tiny, B(digits), B(0));
  return xsimd::select(tiny, x * B(number<B>(std::uint64_t{1} << digits)), x);
}

/// The logarithm of zero, negative, denormal and infinite numbers, of NaN, and of others.
template <class B>
[[gnu::noinline]] B any_log(const B& x) {
  B too_large;
  const B normal = normalized(x, too_large);
  const log_parts<B> parts(normal);
  const B y = sum_of_logs(parts.over_power(normal) - B(1), parts.e - too_large);
  const B other = xsimd::select(x == B(0), B(-infinity<B>), xsimd::select(x < B(0), B(not_a_number<B>), x));
  return xsimd::select((x > B(0)) & (x < B(infinity<B>)), y, other);
}

template <class B>
[[gnu::always_inline]] inline bool all_normal(const B& x) {
  return xsimd::all((x >= B((std::numeric_limits<number<B>>::min)())) & (x < B(infinity<B>)));
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::log>, const B& x) {
  const log_parts<B> parts(x);
  const B y = sum_of_logs(parts.over_power(x) - B(1), parts.e);
  if (!all_normal(x)) [[unlikely]]
    return any_log(x);
  return y;
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::log1p>, const B& x) {
  const B one(1), sum = one + x;
  const log_parts<B> parts(sum);
  // (1 + x) / 2^e - 1 without the error of the sum, unless x is so large that 1 does not count.
  const B f = xsimd::select(sum == x, parts.over_power(x) - one, parts.over_power(x) + (parts.over_power(one) - one));
  // Small numbers are their own result, which keeps the sign of zero.
  B y = xsimd::select(simd::magnitude(x) < B(std::numeric_limits<number<B>>::epsilon() / 2), x, sum_of_logs(f, parts.e));
  if (!all_normal(sum)) [[unlikely]]
    y = xsimd::select((sum > B(0)) & (sum < B(infinity<B>)), y, any_log(sum));
  return y;
}

}  // namespace jig::maths
