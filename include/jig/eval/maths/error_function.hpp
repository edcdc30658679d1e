// SPDX-License-Identifier: MIT
#pragma once
// erfc(a) = e^(-a²) G(t) / (1 + 2a) for a >= 0, where t = (a - 29/8) / (a + 29/8) (after M. M. Shepherd and
// J. G. Laframboise, Mathematics of Computation 36, 1981).

#include <jig/eval/maths/exponential.hpp>
#include <jig/ops/special.hpp>

namespace jig::maths {

// Terms: those of erf(x) / x in x², up to 1/2, and of G.
template <class T>
struct erf_numbers;
template <>
struct erf_numbers<float> {
  static constexpr float highest = 11;
  static constexpr float erf[] = {0.00471992791f, -0.0267581549f, 0.112828381f, -0.376126081f, 1.12837911f};
  static constexpr float terms[] = {0.000823178561f, 0.00058929337f, -0.00700571295f, 0.0236772392f, -0.053996142f, 0.0905633792f,
                                    -0.112185434f,   0.0897781029f,  -0.00316681853f, -0.140248731f, 1.23989022f};
};
template <>
struct erf_numbers<double> {
  static constexpr double highest = 28;
  static constexpr double erf[] = {1.4726898101213019e-06,  -1.484595253785789e-05, 0.00012053339320777157,
                                   -0.00085482978424637746, 0.0052239773740622147,  -0.026866170632954177,
                                   0.11283791670925561,     -0.37612638903183476,   1.1283791670955126};
  static constexpr double terms[] = {3.5373662992205843e-10,  8.8262980211166023e-09, 1.9101728354662122e-08,  -6.5233689193281706e-08,
                                     -1.800754179435e-07,     4.2770708894990534e-07, 1.0957630650067516e-06,  -3.3710062908635138e-06,
                                     -4.9411705392391998e-06, 2.9143430366162821e-05, -2.9178479048616184e-06, -0.00022365741979488707,
                                     0.00051480050034997894,  0.00056466905493819674, -0.0068283033411011594,  0.023746312810982832,
                                     -0.054030534585459915,   0.090545185146637147,   -0.11218276725509349,    0.089779701483167149,
                                     -0.0031668982611098716,  -0.14024877120472778,   1.2398902104127223};
};

/// y 2^n = erfc(a / scale). `square` and `rest` add up to the square of that in twice the precision, `below` is one more than
/// twice of it.
template <class B>
struct erfc_parts {
  using numbers = erf_numbers<number<B>>;
  B y, n;
  [[gnu::always_inline]] erfc_parts(const B& a, number<B> scale, const B& below, const B& square, const B& rest) {
    const exp_parts<B> parts(B(0) - square, B(0) - rest);
    const B middle(number<B>(3.625) * scale), t = (a - middle) / (a + middle);
    const B scaled = polynomial(t, numbers::terms) / below;
    y = simd::multiply_add(scaled, parts.power_minus_one(), scaled);
    n = parts.n;
  }
};

/// erfc(|x|)
template <class B>
[[gnu::always_inline]] inline B erfc_of_magnitude(const B& x) {
  const B a = (xsimd::min)(B(erf_numbers<number<B>>::highest), simd::magnitude(x)), square = a * a;
  const erfc_parts<B> parts(a, 1, simd::multiply_add(a, B(2), B(1)), square, simd::product_error(a, a, square));
  return simd::scale(parts.y, parts.n);
}

/// erf(x) of |x| up to 1/2.
template <class B>
[[gnu::always_inline]] inline B small_erf(const B& x) {
  return x * polynomial(B(x * x), erf_numbers<number<B>>::erf);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::erfc>, const B& x) {
  // Where all are small, as a single one may well be, that is known much sooner.
  const auto is_small = simd::magnitude(x) < B(0.5);
  const B from_one = B(1) - small_erf(x);
  if (xsimd::all(is_small)) return from_one;
  const B y = erfc_of_magnitude(x);
  return xsimd::select(is_small, from_one, xsimd::select(x < B(0), B(2) - y, y));
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::erf>, const B& x) {
  const auto is_small = simd::magnitude(x) < B(0.5);
  const B near_zero = small_erf(x);
  if (xsimd::all(is_small)) return near_zero;
  return xsimd::select(is_small, near_zero, simd::flip_sign(B(1) - erfc_of_magnitude(x), x));
}

/// x erfc(-x / sqrt(2)) / 2. The square of the argument is that of x, halved, so that nothing is lost far below zero.
template <class B>
[[gnu::always_inline]] inline B compute(function<ops::gelu>, const B& x) {
  const B half(0.5), z = x * B(number<B>(0.70710678118654752));
  // Minus infinity has the limit 0.
  const B a = (xsimd::min)(B(erf_numbers<number<B>>::highest * number<B>(1.41)), simd::magnitude(x)), square = a * a;
  // 1 + sqrt(2) a
  constexpr auto root = number<B>(1.4142135623730950488L), root_rest = number<B>(1.4142135623730950488L - root);
  const B below = simd::multiply_add(a, B(root), simd::multiply_add(a, B(root_rest), B(1)));
  const erfc_parts<B> parts(a, root, below, half * square, half * simd::product_error(a, a, square));
  const B tail = half * parts.y;
  const B inner = x * simd::multiply_add(half, small_erf(z), half);
  const B large = xsimd::select(x < B(0), simd::scale(B(0) - tail * a, parts.n), x * (B(1) - simd::scale(tail, parts.n)));
  return xsimd::select(simd::magnitude(z) < half, inner, large);
}

}  // namespace jig::maths
