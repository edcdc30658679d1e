// SPDX-License-Identifier: MIT
#pragma once
// Functions of one number or two beside their judges, at numbers all over the range.

#include "maths_reference.hpp"

#include <doctest/doctest.h>

#include <bit>
#include <random>
#include <string>
#include <vector>

// Zeros, infinities, NaN, where digits get few, where results leave the range, and where kernels change their way.
template <class T>
std::vector<T> special() {
  using limits = std::numeric_limits<T>;
  std::vector<T> v{0,
                   limits::denorm_min(),
                   limits::min() / 4,
                   limits::min(),
                   limits::epsilon() / 4,
                   limits::epsilon(),
                   limits::max(),
                   limits::infinity(),
                   limits::quiet_NaN(),
                   T(1e4),
                   T(6500),
                   T(7e4),
                   T(1e10),
                   T(2e9)};
  for (double x : {0.125,
                   0.14,
                   0.5,
                   0.70710678118654752,
                   0.75,
                   1.0,
                   1.5707963267948966,
                   2.0,
                   3.1415926535897932,
                   9.0,
                   10.0,
                   14.4,
                   17.0,
                   18.0,
                   27.0,
                   38.0,
                   87.4,
                   88.7,
                   88.73,
                   89.4,
                   89.42,
                   103.0,
                   103.98,
                   104.0,
                   105.0,
                   708.5,
                   709.8,
                   710.4,
                   710.48,
                   744.5,
                   745.2,
                   746.0,
                   760.0})
    for (T y : {static_cast<T>(x), std::nextafter(static_cast<T>(x), T(0)), std::nextafter(static_cast<T>(x), limits::max())})
      v.push_back(y);
  for (std::size_t i = 0, n = v.size(); i < n; ++i) v.push_back(-v[i]);
  return v;
}

// Bit patterns, all over the range: 20 of each exponent of floats, as many of doubles.
template <class T>
std::vector<T> samples() {
  std::vector<T> v = special<T>();
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << 32; bits += 419'431)
    if constexpr (sizeof(T) == 4) v.push_back(std::bit_cast<T>(static_cast<std::uint32_t>(bits)));
    else v.push_back(std::bit_cast<T>(bits << 32 | ((bits * 0x9e3779b97f4a7c15u) >> 32)));
  return v;
}

template <class T>
void compare(const std::string& name, auto function, auto judge) {
  using batch = jig::simd::batch<T>;
  auto x = samples<T>();
  x.resize((x.size() + batch::size - 1) / batch::size * batch::size);
  // The odd 13/6 rational tanh of floats is what TensorFlow computes.
  const double allowed = name == "tanh" && sizeof(T) == 4 ? 5 : 4;
  for (std::size_t i = 0; i < x.size(); i += batch::size) {
    T y[batch::size];
    function.apply(batch::load_unaligned(x.data() + i)).store_unaligned(y);
    for (std::size_t k = 0; k < batch::size; ++k) {
      const auto exact = judge(static_cast<wider<T>>(x[i + k]));
      if (const double off = ulps_off(y[k], exact); !(off <= allowed))
        FAIL_CHECK(name << " of " << sizeof(T) << " bytes: (" << x[i + k] << ") = " << y[k] << ", not " << exact << ": " << off);
    }
  }
}

// The function at all pairs of special numbers, and at pairs with results all over the range.
template <class T>
void compare_pairs(auto function, auto judge, auto make) {
  using batch = jig::simd::batch<T>;
  using limits = std::numeric_limits<T>;
  const T some[] = {0,
                    1,
                    2,
                    3,
                    T(0.5),
                    T(2.5),
                    T(1e30),
                    T(16777215),
                    limits::infinity(),
                    limits::quiet_NaN(),
                    limits::max(),
                    limits::min(),
                    limits::denorm_min(),
                    1 + limits::epsilon(),
                    1 - limits::epsilon() / 2};
  std::vector<T> x, y;
  for (T a : some)
    for (T b : some)
      for (int signs = 0; signs < 4; ++signs) x.push_back(signs & 1 ? -a : a), y.push_back(signs & 2 ? -b : b);
  std::mt19937 g(5);
  std::uniform_real_distribution<double> d(-1, 1);
  while (x.size() < 6000) {
    auto [a, b] = make(d(g), d(g));
    x.push_back(static_cast<T>(a)), y.push_back(static_cast<T>(b));
  }
  x.resize(x.size() / batch::size * batch::size);
  for (std::size_t i = 0; i < x.size(); i += batch::size) {
    T z[batch::size];
    function.apply(batch::load_unaligned(x.data() + i), batch::load_unaligned(y.data() + i)).store_unaligned(z);
    for (std::size_t k = 0; k < batch::size; ++k) {
      const auto exact = judge(static_cast<wider<T>>(x[i + k]), static_cast<wider<T>>(y[i + k]));
      if (const double off = ulps_off(z[k], exact); !(off <= 4))
        FAIL_CHECK("(" << x[i + k] << ", " << y[i + k] << ") gives " << z[k] << ", not " << exact << ": " << off);
    }
  }
}

// For the functions of a family, float and double.
inline constexpr auto compare_both = [](const char* name, auto function, auto judge) {
  compare<float>(name, function, judge);
  compare<double>(name, function, judge);
};

// A kernel decides for all numbers of a batch how to compute them: what one gives does not depend on those beside it.
template <class T>
void same_beside_others(auto function) {
  using batch = jig::simd::batch<T>;
  alignas(sizeof(batch)) T beside[batch::size] = {};
  for (T x : samples<T>())
    for (T other : {T(0.1), T(2), T(0)}) {
      for (std::size_t i = 0; i < batch::size; ++i) beside[i] = i == 0 ? x : other;
      const T one = function(x), many = function(batch::load_aligned(beside)).get(0);
      CAPTURE(x);
      CAPTURE(other);
      CHECK((one == many || (one != one && many != many)));
    }
}
