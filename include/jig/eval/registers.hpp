// SPDX-License-Identifier: MIT
#pragma once
// The registers of a step: what holds values of each dtype, and how they go to memory and come from it.

#include <jig/eval/register_parts.hpp>
#include <jig/eval/step.hpp>
#include <jig/eval/stored_float.hpp>

namespace jig {

namespace detail {

template <class T, class Lead, bool Vector>
struct register_type {
  using type = T;
};
template <class T, class Lead>
struct register_type<T, Lead, true> {
  using type = simd::sized<T, simd::lanes<Lead>>;
};
template <class T, class Lead>
  requires is_storage_float<T>
struct register_type<T, Lead, true> {
  using type = simd::sized<float, simd::lanes<Lead>>;
};
template <class Lead>
struct register_type<bool, Lead, true> {
  using type = simd::mask<Lead>;
};
template <class Lead>
struct register_type<std::string, Lead, true> {
  using type = std::string;
};

template <class T, int N, class Lead, bool Vector>
struct register_bank {
  typename register_type<T, Lead, Vector>::type at[array_bound(N)];
};
template <class T, class Lead, bool Vector>
struct register_bank<T, 0, Lead, Vector> {};

template <class Step, bool Vector, class Dtypes>
struct all_banks;
template <class Step, bool Vector, std::size_t... D>
struct all_banks<Step, Vector, std::index_sequence<D...>>
    : register_bank<type_of<static_cast<dtype>(D)>, Step::table.count[D], typename Step::lead_type, Vector>... {};

}  // namespace detail

/// The values of all entries of a body at one place.
template <class Step, bool Vector>
struct registers : detail::all_banks<Step, Vector, std::make_index_sequence<dtype_count>> {
  /// All registers of one dtype.
  template <dtype D>
  [[gnu::always_inline]] auto& of() {
    using bank = detail::register_bank<type_of<D>, Step::table.count[static_cast<int>(D)], typename Step::lead_type, Vector>;
    return static_cast<bank&>(*this).at;
  }
  template <int Entry>
  [[gnu::always_inline]] auto& get() {
    return of<Step::table.type[Entry]>()[Step::table.number[Entry]];
  }
};

namespace detail {

template <class T, class Lead>
[[gnu::always_inline]] inline void spill(T* to, const typename register_type<T, Lead, true>::type& x) {
  constexpr index lanes = simd::lanes<Lead>;
  if constexpr (std::is_same_v<T, bool>) simd::store_mask<Lead>(to, x);
  else if constexpr (is_storage_float<T>) simd::store_stored<T, lanes>(to, x);
  else simd::store_lanes<T, lanes>(to, x);
}
template <class T, class Lead>
[[gnu::always_inline]] inline auto fill(const T* from) {
  constexpr index lanes = simd::lanes<Lead>;
  if constexpr (std::is_same_v<T, bool>) return simd::load_mask<Lead>(from);
  else if constexpr (is_storage_float<T>) return simd::load_stored<T, lanes>(from);
  else return simd::load_lanes<T, lanes>(from);
}

template <class T, class Lead>
struct spilled {
  alignas(alignment) T at[simd::lanes<Lead>];
};

// The first n elements of a register: nothing behind them is written.
template <class T, class Lead>
[[gnu::always_inline]] inline void spill_first(T* to, const typename register_type<T, Lead, true>::type& x, index n) {
  if constexpr (is_number(dtype_of<T>) && !is_storage_float<T>) {
    simd::store_first(to, x, n);
  } else {
    spilled<T, Lead> lane;
    spill<T, Lead>(lane.at, x);
    std::memcpy(static_cast<void*>(to), static_cast<const void*>(lane.at), static_cast<std::size_t>(n) * sizeof(T));
  }
}

// The same of a number known at compile time.
template <index Count, class T, class Lead>
[[gnu::always_inline]] inline void spill_count(T* to, const typename register_type<T, Lead, true>::type& x) {
  if constexpr (is_number(dtype_of<T>) && !is_storage_float<T>) simd::store_part<Count>(to, x);
  else spill_first<T, Lead>(to, x, Count);
}

}  // namespace detail

}  // namespace jig
