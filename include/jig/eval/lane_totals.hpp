// SPDX-License-Identifier: MIT
#pragma once
// What the lanes of a reduction combine, and how it is stored.

#include <jig/eval/block_fold.hpp>
#include <jig/eval/lane_map.hpp>
#include <jig/eval/reduce.hpp>

#include <algorithm>

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
    part[k] = root::both(part[k], root::template first_lanes<Lanes>(r.template get<root::operand>()));
  }
  /// What is combined in register k, with what rounding lost of it.
  [[gnu::always_inline]] V whole(int k) const {
    if constexpr (root::compensated) return total[k] + lost[k];
    else return total[k];
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
    spill_count<Lanes, T, Lead>(static_cast<T*>(to), x);
  }
}
// Whether the registers of a root have as many lanes as the step, which can be moved.
template <class Step, int R>
inline constexpr bool fills_registers = [] {
  if constexpr (std::is_same_v<root_type<Step, R>, bool>) return false;
  else return static_cast<index>(reduced_root<Step, R>::vector::size) == step_lanes<Step>;
}();

// Stores the first lanes of what a root combines, as many as the call tells.
template <class Step, int R>
[[gnu::always_inline]] inline void store_first_lanes(typename reduced_root<Step, R>::vector x, void* to, index lanes, index count) {
  using T = root_type<Step, R>;
  using root = reduced_root<Step, R>;
  constexpr bool finishes = requires { root::means::finish(T(), count); };
  if constexpr (fills_registers<Step, R> && simd::cheap_parts && sizeof(T) < 4 && !finishes)
    return spill_first<T, typename root::Lead>(static_cast<T*>(to), x, lanes);
  alignas(alignment) char memory[alignment];
  store_lanes<Step, R, step_lanes<Step>>(x, memory, count);
  // A copy of a length that only the call knows would be a call.
  if constexpr (is_number(dtype_of<T>) && !is_storage_float<T> && sizeof(T) >= 4 && simd::lanes<T> == step_lanes<Step>)
    simd::store_first(static_cast<T*>(to), simd::batch<T>::load_aligned(reinterpret_cast<const T*>(memory)), lanes);
  else std::memcpy(to, memory, static_cast<std::size_t>(lanes) * sizeof(T));
}

// How what a root combines in a block is brought together.
template <class Step, int R>
struct block_of_root {
  using root = reduced_root<Step, R>;
  using T = typename root::T;
  using V = typename root::vector;

  // How many results there are behind axis a.
  template <class Block>
  static constexpr index results_of(int a) {
    index n = 1;
    for (; a < Block::shape.rank; ++a) n *= Block::shape.reduced[a] ? 1 : Block::shape.extent[a];
    return n;
  }
  /// Whether results of the first rows can be stored alone.
  static constexpr bool has_parts = fills_registers<Step, R> && (!requires { root::means::finish(T(), 1); } || std::is_floating_point_v<T>);
  /// Those of the first rows of a block whose parts have only been set.
  template <class Block, int Count>
  [[gnu::always_inline]] static void store_part(const lane_totals<Step, R, Count>& t, void* to, index count, index rows) {
    constexpr index lanes = step_lanes<Step>;
    V x[array_bound(Count)];
    // No loop: GCC would keep the memory.
    [&]<int... K>(std::integer_sequence<int, K...>)
        __attribute__((always_inline)) { ((x[K] = t.part[K]), ...); }(std::make_integer_sequence<int, Count>());
    simd::fold_block<Block>(x, root::template neutral<V>(),
                            [](const V& a, const V& b) __attribute__((always_inline)) { return root::template both<V>(a, b); });
    const index results = rows * results_of<Block>(1);
    [&]<int... Q>(std::integer_sequence<int, Q...>) __attribute__((always_inline)) {
      // A store of nothing takes long near memory that is not there.
      (void)([&]() __attribute__((always_inline)) {
        V all = from_zero<true>(x[Q]);
        if constexpr (requires { root::means::finish(T(), count); }) all = root::means::finish(all, count);
        spill_first<T, typename root::Lead>(static_cast<T*>(to) + Q * lanes, all, (std::min)(results - Q * lanes, lanes));
        return results > (Q + 1) * lanes;
      }() && ...);
    }(std::make_integer_sequence<int, simd::registers_of(results_of<Block>(0), static_cast<int>(lanes))>());
  }
  template <class Block, bool Parts, int Count>
  [[gnu::always_inline]] static void store(const lane_totals<Step, R, Count>& t, void* to, index count) {
    constexpr index results = results_of<Block>(0);
    V x[array_bound(Count)];
    [&]<int... K>(std::integer_sequence<int, K...>)
        __attribute__((always_inline)) { ((x[K] = Parts ? t.part[K] : t.whole(K)), ...); }(std::make_integer_sequence<int, Count>());
    if constexpr (fills_registers<Step, R>) {
      constexpr index lanes = step_lanes<Step>;
      simd::fold_block<Block>(x, root::template neutral<V>(),
                              [](const V& a, const V& b) __attribute__((always_inline)) { return root::template both<V>(a, b); });
      [&]<int... Q>(std::integer_sequence<int, Q...>) __attribute__((always_inline)) {
        (store_lanes<Step, R, (results - Q * lanes < lanes ? results - Q * lanes : lanes)>(from_zero<Parts>(x[Q]),
                                                                                           static_cast<T*>(to) + Q * lanes, count),
         ...);
      }(std::make_integer_sequence<int, simd::registers_of(results, static_cast<int>(lanes))>());
    } else {
      fold_in_memory<Block, results, Count>(x, static_cast<T*>(to), count);
    }
  }

 private:
  // Sums begin with 0, which makes 0 of -0.
  template <bool Parts>
  [[gnu::always_inline]] static V from_zero(const V& x) {
    if constexpr (Parts && root::compensated) return root::both(root::template neutral<V>(), x);
    else return x;
  }
  // Registers of truths, or of fewer lanes than there could be, become full ones.
  template <class Block, index Results, int Count>
  [[gnu::always_inline]] static void fold_in_memory(const V* x, T* to, index count) {
    using N = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;
    using B = simd::batch<N>;
    constexpr int width = static_cast<int>(B::size), full = simd::registers_of(Count * step_lanes<Step>, width);
    B y[array_bound(full)];
    if constexpr (std::is_same_v<T, bool> && simd::has_bits<typename root::Lead>) {
      simd::truths_as_bytes<typename root::Lead, Count>(y, x);
    } else {
      alignas(alignment) T at[array_bound(full * width)] = {};
#pragma GCC unroll 16
      for (int k = 0; k < Count; ++k) spill<T, typename root::Lead>(at + k * step_lanes<Step>, x[k]);
      std::memcpy(static_cast<void*>(y), at, sizeof(y));
    }
    simd::fold_block<Block>(y, B(static_cast<N>(root::template neutral<T>())),
                            [](const B& a, const B& b) __attribute__((always_inline)) { return root::template both<B>(a, b); });
    if constexpr (requires { root::means::finish(T(), count); }) {
      T at[array_bound(full * width)];
      std::memcpy(static_cast<void*>(at), y, sizeof(y));
      for (index k = 0; k < Results; ++k) to[k] = root::means::finish(at[k], count);
    } else {
      [&]<int... Q>(std::integer_sequence<int, Q...>) __attribute__((always_inline)) {
        (simd::store_part<(Results - Q * width < width ? Results - Q * width : width)>(reinterpret_cast<N*>(to) + Q * width, y[Q]), ...);
      }(std::make_integer_sequence<int, simd::registers_of(Results, width)>());
    }
  }
};

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
  /// Of register k what is combined in all, or in a part that is all there is.
  template <index Lanes, bool Part = false>
  [[gnu::always_inline]] void store(int k, void* const* to, index i, index count) {
    (store_lanes<Step, R, Lanes>(Part ? of<R>::part[k] : of<R>::whole(k), static_cast<root_type<Step, R>*>(to[R]) + i, count), ...);
  }
  [[gnu::always_inline]] void set(int k, registers<Step, true>& r) { (of<R>::set(k, r), ...); }
  /// Of the first rows of a block whose registers have only been set.
  template <class Block>
  [[gnu::always_inline]] void store_part(void* const* to, index count, index rows) {
    (block_of_root<Step, R>::template store_part<Block>(static_cast<const of<R>&>(*this), to[R], count, rows), ...);
  }
  /// What is combined of a block, whose registers these are: parts that have only been set, or totals.
  template <class Block, bool Parts>
  [[gnu::always_inline]] void store_block(void* const* to, index count) {
    (block_of_root<Step, R>::template store<Block, Parts>(static_cast<const of<R>&>(*this), to[R], count), ...);
  }
};

}  // namespace jig::detail
