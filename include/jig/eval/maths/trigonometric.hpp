// SPDX-License-Identifier: MIT
#pragma once
// Functions of an angle x = n pi/2 + r, where |r| is at most pi/4, and their inverses.

#include <jig/eval/maths/root.hpp>
#include <jig/ops/trigonometric.hpp>

namespace jig::maths {

// The parts of pi/2: n times each but the last one is exact, or the difference from what is left of x is. Angles beyond
// `highest` go one by one. Terms: those of (sin(r) - r) / r³, (cos(r) - 1 + r²/2) / r⁴, (atan(t) - t) / t³ and
// (asin(t) - t) / t³, all in squares.
template <class T>
struct angle_numbers;
template <>
struct angle_numbers<float> {
  static constexpr float fused_half_pi[] = {1.57079637f, -4.37113883e-08f, -1.71512451e-15f};
  static constexpr float half_pi[] = {1.5703125f, 0.000482559204f, 1.26753002e-06f, 6.07087713e-11f, 6.22337197e-14f};
  static constexpr float highest = simd::fused ? 65536 : 6400;
  static constexpr float sin[] = {-0.000195169778f, 0.00833217613f, -0.166666552f};
  static constexpr float cos[] = {2.44380917e-05f, -0.00138873642f, 0.0416666456f};
  static constexpr float atan[] = {-0.00182721391f, 0.0110644456f, -0.0314557105f, 0.0582345612f, -0.0841946006f,
                                   0.109575763f,    -0.142652452f, 0.199986383f,   -0.333333015f};
  static constexpr float asin[] = {0.0422185697f, 0.0241475999f, 0.0454770997f, 0.0749524161f, 0.166667536f};
};
template <>
struct angle_numbers<double> {
  static constexpr double fused_half_pi[] = {1.5707963267948966, 6.123233995736766e-17, -1.4973849048591698e-33};
  static constexpr double half_pi[] = {1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603688996e-32};
  static constexpr double highest = simd::fused ? 0x1p30 : 0x1p20;
  static constexpr double sin[] = {1.589666650325653e-10,   -2.5050755961351616e-08, 2.7557313678665542e-06,
                                   -0.00019841269829771167, 0.0083333333333223698,   -0.16666666666666632};
  static constexpr double cos[] = {-1.1359559364626516e-11, 2.0875721624461714e-09, -2.7557314340665543e-07,
                                   2.4801587289443505e-05,  -0.0013888888888874064, 0.041666666666666602};
  static constexpr double atan[] = {1.3489317789889368e-05, -0.00015479730227880838, 0.00084348518704942005, -0.002919342228699297,
                                    0.0072633566404152698,  -0.013994985244608743,   0.022085151930070164,   -0.029985575987058918,
                                    0.036693534127621198,   -0.042217182953625934,   0.047232935810099429,   -0.052538056282083467,
                                    0.058805925742541662,   -0.066664150014982881,   0.076922811873625679,   -0.090909071193173749,
                                    0.11111111013654759,    -0.14285714282802364,    0.19999999999955437,    -0.33333333333333093};
  static constexpr double asin[] = {0.031958960721812806, -0.016294070482727088, 0.019573907526160554, 0.0065108511759481881,
                                    0.012173280362999814, 0.013884598183074977,  0.017359771155287269, 0.022371753518367614,
                                    0.030381959331545125, 0.044642856823473194,  0.075000000003430586, 0.16666666666665383};
};

/// The sine and cosine of r, and n modulo 4.
template <class B>
struct angle {
  using numbers = angle_numbers<number<B>>;
  B sin, cos;
  simd::words<B> quadrant;
  [[gnu::always_inline]] explicit angle(const B& x) {
    const B shifted = simd::multiply_add(x, B(number<B>(0.63661977236758134)), B(simd::no_fraction<B>));
    const B n = shifted - B(simd::no_fraction<B>);
    B r = x;
    auto subtract = [&](const auto& parts) __attribute__((always_inline)) {
#pragma GCC unroll 8
      for (number<B> part : parts) r = simd::multiply_add(n, B(-part), r);
    };
    if constexpr (simd::fused) subtract(numbers::fused_half_pi);
    else subtract(numbers::half_pi);
    const B square = r * r;
    sin = odd_polynomial(r, square, numbers::sin);
    cos = simd::multiply_add(square * square, polynomial(square, numbers::cos), simd::multiply_add(square, B(-0.5), B(1)));
    quadrant = simd::to_words(shifted);
  }
  /// The sine, or the cosine in every other quadrant.
  [[gnu::always_inline]] B turned(simd::words<B> by) const {
    const auto other = 0 - (by & 1);
    return simd::from_words<B>((simd::to_words(cos) & other) | (simd::to_words(sin) & ~other));
  }
  /// Changes the sign where the last bit of `by` is set.
  [[gnu::always_inline]] static B negated(const B& x, simd::words<B> by) {
    return simd::from_words<B>(simd::to_words(x) ^ (by << (8 * sizeof(number<B>) - 1)));
  }
};

// Small helper of the three: the function on |x|, or on single large numbers.
template <class B, class F>
[[gnu::always_inline]] inline B unless_large(const B& x, const B& y, F single) {
  const auto large = simd::magnitude(x) > B(angle_numbers<number<B>>::highest);
  if (xsimd::any(large)) [[unlikely]]
    return simd::patch(y, x, large, single);
  return y;
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::sin>, const B& x) {
  const angle<B> a(simd::magnitude(x));
  const B y = a.negated(a.turned(a.quadrant), a.quadrant >> 1);
  return unless_large(x, simd::flip_sign(y, x), [](auto v) { return std::sin(v); });
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::cos>, const B& x) {
  // That of the sine: a compiler computes it once for both.
  const angle<B> a(simd::magnitude(x));
  const auto quadrant = a.quadrant + 1;
  return unless_large(x, a.negated(a.turned(quadrant), quadrant >> 1), [](auto v) { return std::cos(v); });
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::tan>, const B& x) {
  const angle<B> a(simd::magnitude(x));
  const B y = a.negated(a.turned(a.quadrant) / a.turned(a.quadrant + 1), a.quadrant);
  return unless_large(x, simd::flip_sign(y, x), [](auto v) { return std::tan(v); });
}

/// multiple * pi/2 - x
template <class B>
[[gnu::always_inline]] inline B from_half_pi(number<B> multiple, const B& x) {
  constexpr auto& half_pi = angle_numbers<number<B>>::fused_half_pi;
  return B(multiple * half_pi[0]) - (x - B(multiple * half_pi[1]));
}

/// asin(t) = t + t³ P(t²) up to 1/2, and pi/2 - 2 asin(sqrt((1 - t) / 2)) above.
template <class B>
struct arc {
  xsimd::batch_bool<number<B>, typename B::arch_type> large;
  B value;
  [[gnu::always_inline]] explicit arc(const B& x) {
    const B a = simd::magnitude(x);
    large = a > B(0.5);
    const B square = xsimd::select(large, (B(1) - a) * B(0.5), x * x);
    const B t = xsimd::select(large, sqrt(square), a);
    value = odd_polynomial(t, square, angle_numbers<number<B>>::asin);
  }
};

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::asin>, const B& x) {
  const arc<B> a(x);
  return simd::flip_sign(xsimd::select(a.large, from_half_pi(1, a.value + a.value), a.value), x);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::acos>, const B& x) {
  const arc<B> a(x);
  const B twice = a.value + a.value;
  return xsimd::select(a.large, xsimd::select(x < B(0), from_half_pi(2, twice), twice), from_half_pi(1, simd::flip_sign(a.value, x)));
}

/// atan(t) of t between 0 and 1, or pi/2 - atan(t).
template <class B, class M>
[[gnu::always_inline]] inline B atan_of_ratio(const B& t, const M& inverted) {
  const B y = odd_polynomial(t, t * t, angle_numbers<number<B>>::atan);
  return xsimd::select(inverted, from_half_pi(1, y), y);
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::atan>, const B& x) {
  const B a = simd::magnitude(x), one(1);
  const auto large = a > one;
  return simd::flip_sign(atan_of_ratio(xsimd::select(large, one, a) / xsimd::select(large, a, one), large), x);
}

template <class B>
B compute(function<ops::atan2>, const B& y, const B& x) {
  const B ay = simd::magnitude(y), ax = simd::magnitude(x);
  const auto steep = ay > ax;
  const B low = xsimd::select(steep, ax, ay), high = xsimd::select(steep, ay, ax);
  // The ratio of two infinities is 1 here, that of two zeros 0.
  const B ratio = xsimd::select(low == high, xsimd::select(high == B(0), B(0), B(1)), low / high);
  const B angle = atan_of_ratio(ratio, steep);
  // The sign bit of x counts, also of zero.
  return simd::flip_sign(xsimd::select(simd::flip_sign(B(1), x) < B(0), from_half_pi(2, angle), angle), y);
}

}  // namespace jig::maths
