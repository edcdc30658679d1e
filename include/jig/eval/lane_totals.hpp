// SPDX-License-Identifier: MIT
#pragma once
// What the lanes of a reduction combine, and how it is stored.

#include <jig/eval/interleave.hpp>
#include <jig/eval/lane_map.hpp>
#include <jig/eval/reduce.hpp>

namespace jig::detail {

// What some lanes of one root combine: of a part, and in all.
template <class Step, int R, int Count>
struct lane_totals {
  using root = reduced_root<Step, R>;
  using V = typename root::vector;
  V part[array_bound(Count)], total[array_bound(Count)], lost[array_bound(Count)];

  template <int... K>
  [[gnu::always_inline]] void start(std::integer_sequence<int, K...>) {
    ((part[K] = root::template neutral<V>()), ...);
  }
  template <int... K>
  [[gnu::always_inline]] void close(bool first, std::integer_sequence<int, K...>) {
    if (first) ((total[K] = part[K], lost[K] = root::template neutral<V>()), ...);
    else (root::add_part(total[K], lost[K], part[K]), ...);
  }
  [[gnu::always_inline]] void add(int k, registers<Step, true>& r) { part[k] = root::both(part[k], r.template get<root::operand>()); }
  [[gnu::always_inline]] void set(int k, registers<Step, true>& r) { part[k] = r.template get<root::operand>(); }
  // Only the first lanes.
  template <index Lanes>
  [[gnu::always_inline]] void add_first(int k, registers<Step, true>& r) {
    using T = typename root::T;
    const auto mask = simd::lanes_between<typename root::Lead>(0, Lanes);
    V x = r.template get<root::operand>();
    if constexpr (std::is_same_v<T, bool>) x = (x & mask) | (root::template neutral<V>() & !mask);
    else x = xsimd::select(simd::as_mask<V, step_lanes<Step>>(mask), x, root::template neutral<V>());
    part[k] = root::both(part[k], x);
  }
  /// What is combined in register k, with what rounding lost of it.
  [[gnu::always_inline]] V whole(int k) const {
    if constexpr (root::compensated) return total[k] + lost[k];
    else return total[k];
  }
  [[gnu::always_inline]] static V combined(const V* x) {
    return simd::combine_groups<Count>(x, [](const V& a, const V& b) __attribute__((always_inline)) { return root::template both<V>(a, b); });
  }
  /// In groups of `Count` lanes, which become one.
  [[gnu::always_inline]] V grouped() const {
    V x[array_bound(Count)];
    [&]<int... K>(std::integer_sequence<int, K...>) __attribute__((always_inline)) { ((x[K] = whole(K)), ...); }
    (std::make_integer_sequence<int, Count>());
    return combined(x);
  }
  /// The same of parts that have only been set.
  [[gnu::always_inline]] V grouped_parts() const {
    // Sums begin with 0, which makes 0 of -0.
    if constexpr (root::compensated) return root::both(root::template neutral<V>(), combined(part));
    else return combined(part);
  }
};

// Stores the first lanes of what a root combines.
template <class Step, int R, index Lanes>
[[gnu::always_inline]] inline void store_lanes(typename reduced_root<Step, R>::vector x, void* to, index count) {
  using root = reduced_root<Step, R>;
  using T = typename root::T;
  using Lead = typename root::Lead;
  constexpr bool finishes = requires { root::means::finish(T(), count); };
  if constexpr (finishes && std::is_floating_point_v<T>) x = root::means::finish(x, count);
  if constexpr (Lanes == step_lanes<Step> && !(finishes && !std::is_floating_point_v<T>)) {
    spill<T, Lead>(static_cast<T*>(to), x);
  } else if constexpr (finishes && !std::is_floating_point_v<T>) {
    spilled<T, Lead> lane;
    spill<T, Lead>(lane.at, x);
    for (index l = 0; l < Lanes; ++l) lane.at[l] = root::means::finish(lane.at[l], count);
    std::memcpy(to, lane.at, static_cast<std::size_t>(Lanes) * sizeof(T));
  } else {
    spill_first<T, Lead>(static_cast<T*>(to), x, Lanes);
  }
}
template <class Step, int Count, class Roots = root_numbers<Step>>
struct all_lane_totals;
template <class Step, int Count, int... R>
struct all_lane_totals<Step, Count, std::integer_sequence<int, R...>> : lane_totals<Step, R, Count>... {
  template <int Root>
  using of = lane_totals<Step, Root, Count>;
  static constexpr std::make_integer_sequence<int, Count> all{};
  [[gnu::always_inline]] void start() { (of<R>::start(all), ...); }
  [[gnu::always_inline]] void close(bool first) { (of<R>::close(first, all), ...); }
  template <index Lanes>
  [[gnu::always_inline]] void add(int k, registers<Step, true>& r) {
    if constexpr (Lanes < step_lanes<Step>) (of<R>::template add_first<Lanes>(k, r), ...);
    else (of<R>::add(k, r), ...);
  }
  template <index Lanes>
  [[gnu::always_inline]] void store(int k, void* const* to, index i, index count) {
    (store_lanes<Step, R, Lanes>(of<R>::whole(k), static_cast<root_type<Step, R>*>(to[R]) + i, count), ...);
  }
  [[gnu::always_inline]] void set(int k, registers<Step, true>& r) { (of<R>::set(k, r), ...); }
  template <index Lanes>
  [[gnu::always_inline]] void store_grouped(void* const* to, index count) {
    (store_lanes<Step, R, Lanes>(of<R>::grouped(), to[R], count), ...);
  }
  template <index Lanes>
  [[gnu::always_inline]] void store_grouped_parts(void* const* to, index count) {
    (store_lanes<Step, R, Lanes>(of<R>::grouped_parts(), to[R], count), ...);
  }
};

// Whether the registers of a root have as many lanes as the step, which can be moved.
template <class Step, int R>
inline constexpr bool fills_registers = [] {
  if constexpr (std::is_same_v<root_type<Step, R>, bool>) return false;
  else return static_cast<index>(reduced_root<Step, R>::vector::size) == step_lanes<Step>;
}();

}  // namespace jig::detail
