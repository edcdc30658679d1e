// SPDX-License-Identifier: MIT
#pragma once
// Elements of several values side by side in memory, a group of them for each place.

#include <jig/eval/interleave.hpp>
#include <jig/eval/registers.hpp>

namespace jig::detail {

template <class T, int N>
struct group {
  T at[array_bound(N)];
};
/// What is stored for a place: an element, or a group of them.
template <class T, int N>
using grouped = typename std::conditional_t<N == 1, std::type_identity<T>, std::type_identity<group<T, N>>>::type;

// What lanes of T are moved as.
template <class T>
using moved_as = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, std::conditional_t<is_storage_float<T>, std::uint16_t, T>>;

// Lanes of a step in the compiler's own vector, under the names that moves of lanes use.
template <class T, index Lanes>
struct moved_lanes {
  using value_type = T;
  using register_type = typename simd::native<T, Lanes>::type;
  static constexpr std::size_t size = static_cast<std::size_t>(Lanes);
  register_type data;

  moved_lanes() = default;
  [[gnu::always_inline]] explicit moved_lanes(const register_type& x) : data(x) {}
  [[gnu::always_inline]] operator register_type() const { return data; }
};
template <class T, class Lead>
[[gnu::always_inline]] inline auto to_moved_lanes(const typename register_type<T, Lead, true>::type& x) {
  using moved = moved_lanes<moved_as<T>, simd::lanes<Lead>>;
  if constexpr (sizeof(x) == sizeof(moved) && !std::is_same_v<T, bool> && !is_storage_float<T>) {
    return moved(simd::to_native(x));
  } else {
    spilled<T, Lead> lane;
    spill<T, Lead>(lane.at, x);
    typename moved::register_type out;
    std::memcpy(&out, static_cast<const void*>(lane.at), sizeof(out));
    return moved(out);
  }
}

// The first Count elements of a register.
template <index Count, class T, class N>
[[gnu::always_inline]] inline void store_some([[maybe_unused]] T* to, [[maybe_unused]] const N& x) {
  constexpr index lanes = static_cast<index>(sizeof(N) / sizeof(T));
  if constexpr (Count >= lanes) std::memcpy(static_cast<void*>(to), &x, sizeof(x));
  else if constexpr (Count > 0) std::memcpy(static_cast<void*>(to), &x, static_cast<std::size_t>(Count) * sizeof(T));
}

/// Stores the first Count lanes of some registers as groups of one lane of each.
template <index Count, class T, class Lead, class... Register>
[[gnu::always_inline]] inline void store_in_groups(T* to, const Register&... x) {
  constexpr auto n = static_cast<int>(sizeof...(Register));
  constexpr index lanes = simd::lanes<Lead>;
  moved_lanes<moved_as<T>, lanes> lane[] = {to_moved_lanes<T, Lead>(x)...};
  simd::interleave_groups<n>(lane);
  // Register by register: as one run they would go through memory.
  [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) {
    (store_some<(Count * n - K * lanes)>(to + K * lanes, lane[K].data), ...);
  }(std::make_integer_sequence<int, n>());
}

}  // namespace jig::detail
