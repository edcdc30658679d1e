// SPDX-License-Identifier: MIT
#pragma once
// What the kernels of the functions have in common. Their coefficients are minimax for the relative error.

#include <jig/eval/simd.hpp>
#include <jig/ops/activation.hpp>

namespace jig::maths {

template <class B>
using number = typename B::value_type;

/// c[0] x^(N-1) + … + c[N-1]
template <class B, std::size_t N>
[[gnu::always_inline]] inline B polynomial(const B& x, const number<B> (&c)[N]) {
  B y(c[0]);
#pragma GCC unroll 32
  for (std::size_t k = 1; k < N; ++k) y = simd::multiply_add(y, x, B(c[k]));
  return y;
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
