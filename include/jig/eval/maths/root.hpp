// SPDX-License-Identifier: MIT
#pragma once
// Square roots. Where the machine estimates 1 / sqrt(x), Newton's method is faster than its instruction for floats.

#include <jig/eval/maths/polynomial.hpp>

namespace jig::maths {

template <class B>
inline constexpr bool estimated = simd::has_estimates && sizeof(number<B>) == 4;

/// At most 1 ulp off, and exact where the root is a float.
template <class B>
[[gnu::always_inline]] inline B compute(function<ops::sqrt>, const B& x) {
  if constexpr (estimated<B>) {
    using simd::multiply_add;
    const B r(simd::detail::estimate_rsqrt(x)), half = B(0.5) * r, root = x * r;
    const B better = multiply_add(root, multiply_add<true>(root, half, B(0.5)), root);
    const B y = multiply_add(multiply_add<true>(better, better, x), half, better);
    if (simd::detail::any_special(x)) [[unlikely]]
      return xsimd::sqrt(x);
    return y;
  } else {
    return xsimd::sqrt(x);
  }
}

template <class B>
[[gnu::always_inline]] inline B compute(function<ops::rsqrt>, const B& x) {
  if constexpr (estimated<B>) {
    using simd::multiply_add;
    const B r(simd::detail::estimate_rsqrt(x)), product = x * r;
    const B y = multiply_add(r * B(0.5), multiply_add<true>(product, r, B(1)), r);
    if (simd::detail::any_special(x)) [[unlikely]]
      return B(1) / xsimd::sqrt(x);
    return y;
  } else {
    return B(1) / xsimd::sqrt(x);
  }
}

}  // namespace jig::maths
