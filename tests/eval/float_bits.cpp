// SPDX-License-Identifier: MIT
#include <jig/eval/float_bits.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

template <class T>
T first_of(const jig::simd::batch<T>& x) {
  T out[jig::simd::lanes<T>];
  jig::simd::store(out, x);
  return out[0];
}

}  // namespace

TEST_CASE_TEMPLATE("signs are bits, of zero and NaN too", T, float, double) {
  using B = jig::simd::batch<T>;
  constexpr T inf = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  for (T x : {T(0), T(-0.0), T(1.5), T(-2), inf, -inf, nan, -nan})
    for (T y : {T(0), T(-0.0), T(3), T(-4), inf, -inf}) {
      const T m = first_of<T>(jig::simd::magnitude(B(x))), f = first_of<T>(jig::simd::flip_sign(B(x), B(y)));
      CHECK(!std::signbit(m));
      CHECK(std::isnan(m) == std::isnan(x));
      CHECK((std::isnan(x) || m == std::fabs(x)));
      CHECK(std::signbit(f) == (std::signbit(x) != std::signbit(y)));
    }
}

TEST_CASE_TEMPLATE("powers of two scale with one rounding", T, float, double) {
  using B = jig::simd::batch<T>;
  const int most = std::numeric_limits<T>::max_exponent;
  for (T x : {T(1), T(-1.75), T(0.3), T(0), std::numeric_limits<T>::max(), std::numeric_limits<T>::min()})
    for (int n : {0, 1, -1, 20, -20, most - 1, -most, most + 20, -most - 20, 2 * most - 4, 4 - 2 * most})
      CHECK(first_of<T>(jig::simd::scale(B(x), B(static_cast<T>(n)))) == std::ldexp(x, n));
}

TEST_CASE_TEMPLATE("what a product loses", T, float, double) {
  using B = jig::simd::batch<T>;
  for (T x : {T(1) / 3, T(1.1), T(-12345.678), T(7)})
    for (T y : {T(1) / 7, T(3.3), T(98765.4321), T(-2)}) {
      const T product = x * y;
      CHECK(first_of<T>(jig::simd::product_error(B(x), B(y), B(product))) == std::fma(x, y, -product));
    }
}
