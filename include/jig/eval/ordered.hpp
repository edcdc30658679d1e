// SPDX-License-Identifier: MIT
#pragma once
// Whether any of many registers has NaN, as truth values that become false there: one comparison looks at two of them.

#include <jig/eval/simd.hpp>

namespace jig::simd {

/// The truth values m, and false where x or y is NaN.
template <class T, class A>
[[gnu::always_inline]] inline xsimd::batch_bool<T, A> and_ordered(const xsimd::batch_bool<T, A>& m, const xsimd::batch<T, A>& x,
                                                                  const xsimd::batch<T, A>& y) {
  using M = xsimd::batch_bool<T, A>;
  using R = typename M::register_type;
#if defined(__AVX512F__)
  if constexpr (sizeof(x) == 64 && sizeof(R) <= 8) {
    if constexpr (sizeof(T) == 4)
      return M(static_cast<R>(_mm512_mask_cmp_ps_mask(static_cast<__mmask16>(static_cast<R>(m)), x, y, _CMP_ORD_Q)));
    else return M(static_cast<R>(_mm512_mask_cmp_pd_mask(static_cast<__mmask8>(static_cast<R>(m)), x, y, _CMP_ORD_Q)));
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(x) == 32 && sizeof(R) == 32) {
    if constexpr (sizeof(T) == 4) return m & M(_mm256_cmp_ps(x, y, _CMP_ORD_Q));
    else return m & M(_mm256_cmp_pd(x, y, _CMP_ORD_Q));
  }
#endif
#if defined(__SSE2__)
  if constexpr (sizeof(x) == 16 && sizeof(R) == 16) {
    if constexpr (sizeof(T) == 4) return m & M(_mm_cmpord_ps(x, y));
    else return m & M(_mm_cmpord_pd(x, y));
  }
#endif
  return m & (x == x) & (y == y);
}

}  // namespace jig::simd
