// SPDX-License-Identifier: MIT
#pragma once
// What the kernels of the functions have in common. Their coefficients are minimax for the relative error.

#include <jig/eval/float_bits.hpp>
#include <jig/ops/activation.hpp>

namespace jig::maths {

template <class B>
using number = typename B::value_type;

/// c[0] x^(N-1) + … + c[N-1]. Of long ones four terms at a time do not wait for those before them, but for the last one,
/// which most of the error comes from.
template <class B, std::size_t N>
[[gnu::always_inline]] inline B polynomial(const B& x, const number<B> (&c)[N]) {
  auto terms = [&](std::size_t from, std::size_t n) __attribute__((always_inline)) {
    B y(c[from]);
#pragma GCC unroll 8
    for (std::size_t k = 1; k < n; ++k) y = simd::multiply_add(y, x, B(c[from + k]));
    return y;
  };
  if constexpr (N <= 6) {
    return terms(0, N);
  } else {
    constexpr std::size_t first = (N - 1) % 4 == 0 ? 4 : (N - 1) % 4;
    const B step = x * x * (x * x);
    B y = terms(0, first);
    std::size_t k = first;
    if constexpr (N >= 17) {
      // So many that the sum of what is done side by side would be the longest way.
      const B steps = step * step;
      y = simd::multiply_add(y, step, terms(k, 4));
#pragma GCC unroll 8
      for (k += 4; k + 8 < N; k += 8) y = simd::multiply_add(y, steps, simd::multiply_add(terms(k, 4), step, terms(k + 4, 4)));
    }
#pragma GCC unroll 8
    for (; k + 1 < N; k += 4) y = simd::multiply_add(y, step, terms(k, 4));
    return simd::multiply_add(y, x, B(c[N - 1]));
  }
}

/// x + x³ P(x²)
template <class B, std::size_t N>
[[gnu::always_inline]] inline B odd_polynomial(const B& x, const B& square, const number<B> (&c)[N]) {
  return simd::multiply_add(x * square, polynomial(square, c), x);
}

template <class B>
inline constexpr number<B> infinity = std::numeric_limits<number<B>>::infinity();
template <class B>
inline constexpr number<B> not_a_number = std::numeric_limits<number<B>>::quiet_NaN();

/// A single number, computed as every number of a batch.
template <const op& Op, class T>
T compute_single(function<Op> f, const T& x, const auto&... y) {
  return f(simd::batch<T>(x), simd::batch<T>(y)...).get(0);
}

}  // namespace jig::maths
