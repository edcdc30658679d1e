// SPDX-License-Identifier: MIT
#pragma once
// Many short rows in order: their elements are exchanged as a network says, which is the same for all rows, so that lanes run along them.

#include <jig/eval/interleave.hpp>
#include <jig/eval/partial_registers.hpp>
#include <jig/eval/phases.hpp>
#include <jig/passes/exchanges.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace jig::detail {

/// Rows of more elements are sorted one by one.
inline constexpr int longest_network = 16;

/// Whether elements can be sorted by a network.
template <class T>
inline constexpr bool has_network = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

// Lane by lane, whether x is less than y. NaN is larger than all numbers.
template <class B>
[[gnu::always_inline]] inline auto less_in_order(const B& x, const B& y) {
  if constexpr (std::is_floating_point_v<typename B::value_type>) return inverse(y <= x) & (x == x);
  else return x < y;
}
template <class B, class Mask>
[[gnu::always_inline]] inline void swap_where(const Mask& where, B& first, B& second) {
  const B before = select(where, second, first);
  second = select(where, first, second);
  first = before;
}
// Puts two registers into order, lane by lane; no lane loses the one of two equals that it had.
template <bool Descending, class B>
[[gnu::always_inline]] inline void exchange(B& first, B& second) {
  swap_where(Descending ? less_in_order(first, second) : less_in_order(second, first), first, second);
}
// The same of elements and where they were, numbers of the same type: of equals the one that came first stays first.
template <bool Descending, class B>
[[gnu::always_inline]] inline void exchange(B& first, B& first_place, B& second, B& second_place) {
  const B &lower = Descending ? second : first, &upper = Descending ? first : second;
  const auto wrong = less_in_order(upper, lower) | (inverse(less_in_order(lower, upper)) & (second_place < first_place));
  swap_where(wrong, first, second);
  swap_where(wrong, first_place, second_place);
}

/// Sorts `count` rows of n elements, of which the first ones lie side by side, and so the others: `apart` elements behind one another.
/// The results may lie over what they are made of.
template <bool Descending, class T>
[[gnu::noinline]] void sort_side_by_side(T* to, index to_apart, const T* from, index from_apart, int n, index count) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  B x[longest_network];
  for (index i = 0; i < count; i += width) {
    const index left = count - i;
    for (int k = 0; k < n; ++k) {
      const T* at = from + k * from_apart + i;
      x[k] = left < width ? simd::load_first<B>(at, left) : B::load_unaligned(at);
    }
    for_each_exchange(n, [&](int a, int b) __attribute__((always_inline)) { exchange<Descending>(x[a], x[b]); });
    for (int k = 0; k < n; ++k) {
      T* at = to + k * to_apart + i;
      if (left < width) simd::store_first(at, x[k], left);
      else x[k].store_unaligned(at);
    }
  }
}

/// Of `count` rows of n elements that lie as above: writes into `places` where in its row each of the first `kept` elements in order was,
/// and into `values`, unless that is null, the elements. `values` may be `from`.
template <bool Descending, class T>
[[gnu::noinline]] void sort_places_side_by_side(T* values, std::int32_t* places, index to_apart, const T* from, index from_apart, int n,
                                                int kept, index count) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  B x[longest_network], at[longest_network];
  for (index i = 0; i < count; i += width) {
    const index left = count - i;
    for (int k = 0; k < n; ++k) {
      const T* element = from + k * from_apart + i;
      x[k] = left < width ? simd::load_first<B>(element, left) : B::load_unaligned(element);
      at[k] = B(static_cast<T>(k));
    }
    for_each_exchange(n, [&](int a, int b) __attribute__((always_inline)) { exchange<Descending>(x[a], at[a], x[b], at[b]); });
    for (int k = 0; k < kept; ++k) {
      const index to = k * to_apart + i;
      if (values != nullptr) {
        if (left < width) simd::store_first(values + to, x[k], left);
        else x[k].store_unaligned(values + to);
      }
      alignas(sizeof(B)) T numbers[B::size];
      at[k].store_aligned(numbers);
      // Of a constant number it is a few conversions of registers.
      const auto convert = [&](index count_of_places) __attribute__((always_inline)) {
        std::transform(numbers, numbers + count_of_places, places + to, [](T place) { return static_cast<std::int32_t>(place); });
      };
      if (left < width) convert(left);
      else convert(width);
    }
  }
}

// The exchanges of a network, of which every place is a constant: of arrays that loops write GCC keeps the memory.
template <int N>
struct exchanges {
  static constexpr int count = [] {
    int n = 0;
    for_each_exchange(N, [&](int, int) { ++n; });
    return n;
  }();
  struct pair {
    int first, second;
  };
  struct pairs {
    pair at[array_bound(count)] = {};
  };
  static constexpr pairs all = [] {
    pairs out;
    int n = 0;
    for_each_exchange(N, [&](int i, int k) { out.at[n++] = {i, k}; });
    return out;
  }();
};

/// Whether registers take rows of N elements apart.
template <class T, int N>
inline constexpr bool sorts_in_registers = simd::moves_lanes<T> && N > 1 && N <= longest_network;

/// Sorts `rows` rows of N elements, one behind the other.
template <bool Descending, int N, class T>
[[gnu::noinline]] void sort_rows(T* to, const T* from, index rows) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>, together = N * width;
  const auto sort = [](T* sorted, const T* given) __attribute__((always_inline)) {
    [&]<int... K, int... E>(std::integer_sequence<int, K...>, std::integer_sequence<int, E...>) __attribute__((always_inline)) {
      B x[] = {B::load_unaligned(given + K * width)...};
      simd::deinterleave<N>(x);
      (exchange<Descending>(x[exchanges<N>::all.at[E].first], x[exchanges<N>::all.at[E].second]), ...);
      simd::interleave_groups<N>(x);
      (x[K].store_unaligned(sorted + K * width), ...);
    }(std::make_integer_sequence<int, N>(), std::make_integer_sequence<int, exchanges<N>::count>());
  };
  index left = rows * N;
  for (; left >= together; left -= together, to += together, from += together) sort(to, from);
  if (left == 0) return;
  alignas(alignment) T rest[array_bound(together)] = {};
  std::copy_n(from, left, rest);
  sort(rest, rest);
  std::copy_n(rest, left, to);
}

/// Sorts `rows` rows of n elements, one behind the other.
template <bool Descending, class T>
[[gnu::noinline]] void sort_in_a_row(T* to, const T* from, int n, index rows) {
  constexpr index elements = 2048;
  alignas(alignment) T parts[elements];
  const index most = elements / n;
  for (index first = 0; first < rows; first += most) {
    const index now = (std::min)(most, rows - first);
    const phases p(now * n, n, 1);
    split(p, parts, from + first * n, now * n);
    sort_side_by_side<Descending>(parts, p.apart, parts, p.apart, n, now);
    merge(p, to + first * n, parts, now * n);
  }
}

/// Of such rows: writes into `places` where the first `kept` elements in order were, and into `values`, unless that is null, the elements.
template <bool Descending, class T>
[[gnu::noinline]] void sort_places_in_a_row(T* values, std::int32_t* places, const T* from, int n, int kept, index rows) {
  constexpr index elements = 2048;
  alignas(alignment) T parts[elements];
  alignas(alignment) std::int32_t places_of_parts[elements];
  const index most = elements / n;
  for (index first = 0; first < rows; first += most) {
    const index now = (std::min)(most, rows - first);
    const phases all(now * n, n, 1), some(now * kept, kept, 1);
    split(all, parts, from + first * n, now * n);
    sort_places_side_by_side<Descending>(values == nullptr ? values : parts, places_of_parts, all.apart, parts, all.apart, n, kept, now);
    if (values != nullptr) merge(some, values + first * kept, parts, now * kept);
    merge(some, places + first * kept, places_of_parts, now * kept);
  }
}

/// Whether rows of n elements, `inner` of which lie side by side, fill lanes well enough; rows of their own are split into lanes.
template <class T>
constexpr bool sorts_by_network(index n, index inner) {
  return n > 1 && n <= longest_network && (inner == 1 || 4 * inner >= simd::lanes<T>);
}
/// Sorts along an axis of dense memory that has n elements, `inner` elements apart.
template <bool Descending, class T>
void sort_by_network(T* to, const T* from, index n, index inner, index size) {
  const auto length = static_cast<int>(n);
  if (inner == 1) return sort_in_a_row<Descending>(to, from, length, size / n);
  for (index first = 0; first < size; first += n * inner)
    sort_side_by_side<Descending>(to + first, inner, from + first, inner, length, inner);
}
/// Where the elements in order along such an axis were.
template <bool Descending, class T>
void sort_places_by_network(std::int32_t* places, const T* from, index n, index inner, index size) {
  const auto length = static_cast<int>(n);
  T* const no_values = nullptr;
  if (inner == 1) return sort_places_in_a_row<Descending>(no_values, places, from, length, length, size / n);
  for (index first = 0; first < size; first += n * inner)
    sort_places_side_by_side<Descending>(no_values, places + first, inner, from + first, inner, length, length, inner);
}

}  // namespace jig::detail
