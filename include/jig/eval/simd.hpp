// SPDX-License-Identifier: MIT
#pragma once
// The few things the evaluator asks of xsimd, under names of our own, so that differences between its releases stay here.

#include <jig/core/dtype.hpp>
#include <jig/ops/select.hpp>

// GCC 12 warns of uninitialised values in its own AVX-512 header (GCC bug 105593, fixed in 13).
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#pragma GCC diagnostic ignored "-Wuninitialized"
#include <xsimd/xsimd.hpp>
#pragma GCC diagnostic pop
#else
#include <xsimd/xsimd.hpp>
#endif

#include <bit>
#include <cstring>

namespace jig::simd {

/// As many elements of T as one register holds.
template <class T>
using batch = xsimd::batch<T>;

/// One truth value for each element of a batch<T>.
template <class T>
using mask = xsimd::batch_bool<T>;

template <class T>
inline constexpr index lanes = static_cast<index>(xsimd::batch<T>::size);

template <class T>
[[gnu::always_inline]] inline batch<T> load(const T* from) {
  return batch<T>::load_unaligned(from);
}
template <class T>
[[gnu::always_inline]] inline void store(T* to, const batch<T>& x) {
  x.store_unaligned(to);
}
template <class T>
[[gnu::always_inline]] inline mask<T> load_mask(const bool* from) {
  return mask<T>::load_unaligned(from);
}
template <class T>
[[gnu::always_inline]] inline void store_mask(bool* to, const mask<T>& x) {
  x.store_unaligned(to);
}

/// The same truth values for batches of another dtype of the same size.
template <class To, class From>
[[gnu::always_inline]] inline mask<To> mask_cast(const mask<From>& x) {
  if constexpr (std::is_same_v<To, From>) return x;
#if XSIMD_VERSION_MAJOR < 9
  else return mask<To>(std::bit_cast<typename mask<To>::register_type>(static_cast<typename mask<From>::register_type>(x)));
#else
  else return xsimd::batch_bool_cast<To>(x);
#endif
}

/// Elements as another integer dtype of the same size.
template <class To, class From>
[[gnu::always_inline]] inline batch<To> reinterpret(const batch<From>& x) {
  if constexpr (std::is_same_v<To, From>) return x;
#if XSIMD_VERSION_MAJOR < 9
  else return xsimd::bitwise_cast<batch<To>>(x);
#else
  else return xsimd::bitwise_cast<To>(x);
#endif
}

/// Elements of one register in memory.
template <class T>
struct aligned_lanes {
  alignas(alignment) T at[lanes<T>];
};

}  // namespace jig::simd
