// SPDX-License-Identifier: MIT
#pragma once
// Hyperbolic functions by way of exponentials, their inverses by way of logarithms.

#include <jig/eval/maths/logarithm.hpp>
#include <jig/eval/maths/root.hpp>
#include <jig/ops/trigonometric.hpp>

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
  static constexpr double terms[] = {7.7593121530887605e-13, 1.6057240342991507e-10, 2.5052123398532907e-08, 2.7557319155336998e-06,
                                     0.00019841269841437681, 0.0083333333333331389,  0.16666666666666669};
};

/// e^|x| / 2, which is infinite no sooner than the result.
template <class B>
[[gnu::always_inline]] inline B half_exp(const B& x) {
  const exp_parts<B> parts((xsimd::min)(B(exp_numbers<number<B>>::highest), simd::magnitude(x)));
  return simd::scale(parts.power(), parts.n - B(1));
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::sinh>, const B& x) {
  const B e = half_exp(x), square = x * x;
  const B large = simd::flip_sign(e - B(0.25) / e, x);
  const B other = x * simd::multiply_add(square, polynomial(square, sinh_numbers<number<B>>::terms), B(1));
  return xsimd::select(simd::magnitude(x) < B(1), other, large);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::cosh>, const B& x) {
  const B e = half_exp(x);
  return e + B(0.25) / e;
}

// The odd rational function of degree 13 over 6 that Eigen and TensorFlow use for float (coefficients: Eigen, ptanh_float),
// both parts times 256 for the sake of small numbers. Below 0.14 the last one of `over` would be too small by 2 ulp.
struct tanh_numbers {
  static constexpr float highest = 7.90531110763549805f;
  static constexpr float over[] = {-256 * 2.76076847742355e-16f, 256 * 2.00018790482477e-13f, -256 * 8.60467152213735e-11f,
                                   256 * 5.12229709037114e-08f,  256 * 1.48572235717979e-05f, 256 * 6.37261928875436e-04f};
  static constexpr float last_over = 256 * 4.89352455891786e-03f;
  static constexpr float under[] = {256 * 1.19825839466702e-06f, 256 * 1.18534705686654e-04f, 256 * 2.26843463243900e-03f,
                                    256 * 4.89352518554385e-03f};
};

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::tanh>, const B& given) {
  if constexpr (sizeof(number<B>) == 4) {
    using numbers = tanh_numbers;
    const B x = (xsimd::min)(B(numbers::highest), (xsimd::max)(B(-numbers::highest), given)), square = x * x;
    const B last = xsimd::select(square < B(0.0196f), B(numbers::under[3]), B(numbers::last_over));
    return x * simd::multiply_add(square, polynomial(square, numbers::over), last) / polynomial(square, numbers::under);
  } else {
    // With t = e^2|x| - 1, it is t / (t + 2).
    const B a = (xsimd::min)(B(exp_numbers<number<B>>::tanh_highest), simd::magnitude(given));
    const B t = expm1(a + a);
    return simd::flip_sign(t / (t + B(2)), given);
  }
}

/// log(a + sqrt(a² ± 1)) of large a is log(2 a), of others log1p(small).
template <class B>
[[gnu::always_inline]] inline B log_of_twice_or(const B& a, const B& other) {
  const auto large = a > B(number<B>(1) / std::numeric_limits<number<B>>::epsilon());
  const B y = log1p(xsimd::select(large, a, other));
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
