// SPDX-License-Identifier: MIT
#pragma once
// erfc(a) = e^(-a²) G(t) / (1 + 2a) for a >= 0, where t = (a - 7/2) / (a + 7/2) (after M. M. Shepherd and
// J. G. Laframboise, Mathematics of Computation 36, 1981).

#include <jig/eval/maths/exponential.hpp>

namespace jig::maths {

// Terms: those of erf(x) / x in x², up to 1/2, and of G.
template <class T>
struct erf_numbers;
template <>
struct erf_numbers<float> {
  static constexpr float highest = 11;
  static constexpr float erf[] = {0.00471992791f, -0.0267581549f, 0.112828381f, -0.376126081f, 1.12837911f};
  static constexpr float terms[] = {0.000502026407f, -0.000527915254f, -0.00425989181f, 0.0192056224f,
                                    -0.048787035f,   0.0879634321f,    -0.115096629f,   0.0975206047f,
                                    -0.0105551835f,  -0.14000921f,     1.24234927f};
};
template <>
struct erf_numbers<double> {
  static constexpr double highest = 28;
  static constexpr double erf[] = {1.4726898101213019e-06, -1.484595253785789e-05, 0.00012053339320777157,
                                   -0.00085482978424637746, 0.0052239773740622147, -0.026866170632954177,
                                   0.11283791670925561, -0.37612638903183476, 1.1283791670955126};
  static constexpr double terms[] = {
      2.6754917639430387e-09,  1.1055994442631626e-08,  -8.3574902986750593e-09, -9.5271393276274952e-08,
      4.9740464740997371e-09,  6.0346064391490547e-07,  -5.4807570131899413e-08, -3.8170945581982999e-06,
      2.3337078161901375e-06,  2.4262292889211222e-05,  -4.2784013917885157e-05, -0.00012151285102758583,
      0.00056438479948160334,  -0.00030226779300288558, -0.0042150199594824392,  0.019099330932544588,
      -0.04882332582374585,    0.087983153825489963,    -0.11508959816036678,    0.097519095153240767,
      -0.010555596332215362,   -0.14000918013761926,    1.2423492448711544};
};

/// y 2^n = erfc(a / scale), where `square` and `rest` add up to the square of that in twice the precision.
template <class B>
struct erfc_parts {
  using numbers = erf_numbers<number<B>>;
  B y, n;
  [[gnu::always_inline]] erfc_parts(const B& a, number<B> scale, const B& square, const B& rest) {
    exp_parts<B> parts(B(0) - square);
    parts.r = parts.r - rest;
    const B middle(number<B>(3.5) * scale), t = (a - middle) / (a + middle);
    const B scaled = polynomial(t, numbers::terms) / simd::multiply_add(a, B(2 / scale), B(1));
    y = simd::multiply_add(scaled, parts.power_minus_one(), scaled);
    n = parts.n;
  }
};

/// erfc(|x|)
template <class B>
[[gnu::always_inline]] inline B erfc_of_magnitude(const B& x) {
  const B a = xsimd::min(B(erf_numbers<number<B>>::highest), simd::magnitude(x)), square = a * a;
  const erfc_parts<B> parts(a, 1, square, simd::product_error(a, a, square));
  return simd::scale(parts.y, parts.n);
}

/// erf(x) of |x| up to 1/2.
template <class B>
[[gnu::always_inline]] inline B small_erf(const B& x) {
  return x * polynomial(B(x * x), erf_numbers<number<B>>::erf);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::erfc>, const B& x) {
  const B y = erfc_of_magnitude(x);
  return xsimd::select(simd::magnitude(x) < B(0.5), B(1) - small_erf(x), xsimd::select(x < B(0), B(2) - y, y));
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::erf>, const B& x) {
  return xsimd::select(simd::magnitude(x) < B(0.5), small_erf(x), simd::flip_sign(B(1) - erfc_of_magnitude(x), x));
}

/// x erfc(-x / sqrt(2)) / 2. The square of the argument is that of x, halved, so that nothing is lost far below zero.
template <class B>
[[gnu::always_inline]] inline B compute(function<ops::gelu>, const B& x) {
  const B half(0.5), z = x * B(number<B>(0.70710678118654752));
  // Minus infinity has the limit 0.
  const B a = xsimd::min(B(erf_numbers<number<B>>::highest * number<B>(1.41)), simd::magnitude(x)), square = a * a;
  const erfc_parts<B> parts(a, number<B>(1.4142135623730950), half * square, half * simd::product_error(a, a, square));
  const B tail = half * parts.y;
  const B small = x * simd::multiply_add(half, small_erf(z), half);
  const B large = xsimd::select(x < B(0), simd::scale(B(0) - tail * a, parts.n), x * (B(1) - simd::scale(tail, parts.n)));
  return xsimd::select(simd::magnitude(z) < half, small, large);
}

}  // namespace jig::maths
