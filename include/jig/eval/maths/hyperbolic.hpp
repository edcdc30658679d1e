// SPDX-License-Identifier: MIT
#pragma once
// Hyperbolic functions by way of exponentials, their inverses by way of logarithms.

#include <jig/eval/maths/logarithm.hpp>
#include <jig/eval/maths/root.hpp>

namespace jig::maths {

// Terms: those of (sinh(x) - x) / x³ in x², up to 1.
template <class T>
struct sinh_numbers;
template <>
struct sinh_numbers<float> {
  static constexpr float terms[] = {2.81743951e-06f, 0.000198360663f, 0.00833335053f, 0.166666672f};
};
template <>
struct sinh_numbers<double> {
  static constexpr double terms[] = {7.7593121530887605e-13, 1.6057240342991507e-10, 2.5052123398532907e-08,
                                     2.7557319155336998e-06, 0.00019841269841437681, 0.0083333333333331389,
                                     0.16666666666666669};
};

/// e^|x| / 2, which is infinite no sooner than the result.
template <class B>
[[gnu::always_inline]] inline B half_exp(const B& x) {
  const exp_parts<B> parts(xsimd::min(B(exp_numbers<number<B>>::highest), simd::magnitude(x)));
  return simd::scale(parts.power(), parts.n - B(1));
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::sinh>, const B& x) {
  const B e = half_exp(x), square = x * x;
  const B large = simd::flip_sign(e - B(0.25) / e, x);
  const B small = x * simd::multiply_add(square, polynomial(square, sinh_numbers<number<B>>::terms), B(1));
  return xsimd::select(simd::magnitude(x) < B(1), small, large);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::cosh>, const B& x) {
  const B e = half_exp(x);
  return e + B(0.25) / e;
}

// The odd rational function of degree 13 over 6 that Eigen and TensorFlow use for float (coefficients: Eigen, ptanh_float).
struct tanh_numbers {
  static constexpr float highest = 7.90531110763549805f;
  static constexpr float over[] = {-2.76076847742355e-16f, 2.00018790482477e-13f, -8.60467152213735e-11f, 5.12229709037114e-08f,
                                   1.48572235717979e-05f,  6.37261928875436e-04f, 4.89352455891786e-03f};
  static constexpr float under[] = {1.19825839466702e-06f, 1.18534705686654e-04f, 2.26843463243900e-03f, 4.89352518554385e-03f};
};

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::tanh>, const B& given) {
  if constexpr (sizeof(number<B>) == 4) {
    const B x = xsimd::min(B(tanh_numbers::highest), xsimd::max(B(-tanh_numbers::highest), given)), square = x * x;
    const B y = x * polynomial(square, tanh_numbers::over) / polynomial(square, tanh_numbers::under);
    // Small numbers are their own tanh, which keeps the sign of zero.
    return xsimd::select(simd::magnitude(given) < B(0.0004f), given, y);
  } else {
    // With t = e^2|x| - 1, it is t / (t + 2).
    const B a = xsimd::min(B(exp_numbers<number<B>>::tanh_highest), simd::magnitude(given));
    const B t = expm1(a + a);
    return simd::flip_sign(t / (t + B(2)), given);
  }
}

/// log(a + sqrt(a² ± 1)) of large a is log(2 a), of others log1p(small).
template <class B>
[[gnu::always_inline]] inline B log_of_twice_or(const B& a, const B& small) {
  const auto large = a > B(number<B>(1) / std::numeric_limits<number<B>>::epsilon());
  const B y = log1p(xsimd::select(large, a, small));
  return y + xsimd::select(large, B(number<B>(0.69314718055994531)), B(0));
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::asinh>, const B& x) {
  const B a = simd::magnitude(x), square = a * a;
  return simd::flip_sign(log_of_twice_or(a, a + square / (B(1) + xsimd::sqrt(B(1) + square))), x);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::acosh>, const B& x) {
  const B above = x - B(1);
  // Below -1 the root is real.
  const B y = log_of_twice_or(x, above + xsimd::sqrt(simd::multiply_add(above, above, above + above)));
  return xsimd::select(x < B(1), B(not_a_number<B>), y);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::atanh>, const B& x) {
  const B a = simd::magnitude(x);
  return simd::flip_sign(B(0.5) * log1p((a + a) / (B(1) - a)), x);
}

}  // namespace jig::maths
