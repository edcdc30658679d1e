// SPDX-License-Identifier: MIT
#pragma once
// Registers of a number of lanes that another dtype gives: beside the widest dtype of a loop narrower ones go in narrower
// registers, or in the first lanes of the narrowest there is.

#include <jig/eval/simd.hpp>

namespace jig::simd {

namespace detail {

// Units: bytes of the narrowest register.
inline constexpr index narrowest = 16;

template <class T, index Lanes>
struct sized_type {
  static constexpr index bytes = Lanes * static_cast<index>(sizeof(T));
  static constexpr index width = bytes < narrowest ? narrowest / static_cast<index>(sizeof(T)) : Lanes;
  static auto find() {
    if constexpr (width == lanes<T>) return std::type_identity<batch<T>>();
    else return std::type_identity<sized_batch<T, width>>();
  }
  using type = typename decltype(find())::type;
};

}  // namespace detail

/// A register in which the first `Lanes` elements count. There may be more of them where so few are less than a register: their
/// values mean nothing.
template <class T, index Lanes>
using sized = typename detail::sized_type<T, Lanes>::type;

/// The elements in the compiler's own vector.
template <class B>
[[gnu::always_inline]] inline native_of<B> to_native(const B& x) {
  return std::bit_cast<native_of<B>>(static_cast<typename B::register_type>(x));
}
template <class B, class N>
[[gnu::always_inline]] inline B from_native(const N& x) {
  return B(std::bit_cast<typename B::register_type>(x));
}

/// Exactly `Lanes` elements; memory behind them is not touched. The other lanes are zero.
template <class T, index Lanes>
[[gnu::always_inline]] inline sized<T, Lanes> load_lanes(const T* from) {
  using B = sized<T, Lanes>;
  if constexpr (static_cast<index>(B::size) == Lanes) {
    return B::load_unaligned(from);
  } else {
    typename native<T, Lanes>::type part;
    std::memcpy(&part, from, sizeof(part));
    using word_type =
        std::conditional_t<sizeof(part) == 8, std::uint64_t, std::conditional_t<sizeof(part) == 4, std::uint32_t, std::uint16_t>>;
    const native<std::uint64_t, 2>::type whole = {std::bit_cast<word_type>(part), 0};
    return from_native<B>(whole);
  }
}
// GCC takes a register that only one branch sets and stores for one that nobody sets.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif
template <class T, index Lanes>
[[gnu::always_inline]] inline void store_lanes(T* to, const sized<T, Lanes>& x) {
  using B = sized<T, Lanes>;
  if constexpr (static_cast<index>(B::size) == Lanes) {
    x.store_unaligned(to);
  } else {
    const auto whole = std::bit_cast<native<std::uint64_t, 2>::type>(static_cast<typename B::register_type>(x));
    const std::uint64_t part = whole[0];
    std::memcpy(to, &part, static_cast<std::size_t>(Lanes) * sizeof(T));
  }
}
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

/// Elements `first` to `first + Lanes` of n, of which those that there are not are zero. No memory but theirs is touched.
template <class T, index Lanes>
[[gnu::always_inline]] inline sized<T, Lanes> load_padded(const T* from, index first, index n) {
  using B = sized<T, Lanes>;
  if (first >= 0 && first + Lanes <= n) return load_lanes<T, Lanes>(from + first);
#if defined(__AVX__)
  // It may begin where the first of them would lie that there are not.
  [[maybe_unused]] const auto address = reinterpret_cast<std::uintptr_t>(from) + static_cast<std::uintptr_t>(first) * sizeof(T);
  if constexpr (std::is_same_v<B, batch<T>> && sizeof(T) >= 4 && (sizeof(B) == 64 || sizeof(B) == 32)) {
    const auto there = static_cast<typename mask<T>::register_type>(lanes_between<T>(-first, n - first));
    if constexpr (sizeof(B) == 64) {
#if defined(__AVX512F__)
      auto* memory = reinterpret_cast<const void*>(address);
      if constexpr (sizeof(T) == 8) return bits_as<T>(batch<double>(_mm512_maskz_loadu_pd(there, memory)));
      else return bits_as<T>(batch<float>(_mm512_maskz_loadu_ps(there, memory)));
#endif
    } else {
      const auto bits = std::bit_cast<__m256i>(there);
      if constexpr (sizeof(T) == 8) return bits_as<T>(batch<double>(_mm256_maskload_pd(reinterpret_cast<const double*>(address), bits)));
      else return bits_as<T>(batch<float>(_mm256_maskload_ps(reinterpret_cast<const float*>(address), bits)));
    }
  }
#endif
  alignas(sizeof(B)) T at[B::size] = {};
  for (index k = 0; k < Lanes; ++k)
    if (first + k >= 0 && first + k < n) at[k] = from[first + k];
  return B::load_aligned(at);
}

}  // namespace jig::simd
