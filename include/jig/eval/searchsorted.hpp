// SPDX-License-Identifier: MIT
#pragma once
// Positions of values in sorted rows: several values are looked for at once, without branches, so that none waits for the memory of
// another. In short rows all elements are compared, with a register of values.

#include <jig/eval/simd.hpp>
#include <jig/ops/searchsorted.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace jig {

namespace detail {

template <bool Right, class T>
[[gnu::always_inline]] inline auto comes_before(const T& element, const T& value) {
  if constexpr (Right) return element <= value;
  else return element < value;
}
// Behind numbers nothing comes, whatever the row holds.
template <bool Right, class T>
[[gnu::always_inline]] inline index found_position(index found, const T& value, index n) {
  if constexpr (Right && !std::is_integral_v<T>) return value == value ? found : n;
  else return found;
}

// Of Count values in a row of at least one element, `step` elements apart.
template <bool Right, index Count, class T>
[[gnu::always_inline]] inline void search_at_once(std::int32_t* to, const T* row, index n, index step, const T* values) {
  index first[array_bound(Count)] = {};
  for (index left = n; left > 1;) {
    const index half = left / 2;
#pragma GCC unroll 16
    for (index k = 0; k < Count; ++k)
      first[k] += half & -static_cast<index>(comes_before<Right>(row[(first[k] + half - 1) * step], values[k]));
    left -= half;
  }
#pragma GCC unroll 16
  for (index k = 0; k < Count; ++k)
    to[k] = static_cast<std::int32_t>(
        found_position<Right>(first[k] + static_cast<index>(comes_before<Right>(row[first[k] * step], values[k])), values[k], n));
}

// As many values as a register holds. Counts have as many bytes as elements.
template <class T>
inline constexpr index counted_at_once = static_cast<index>(sizeof(simd::batch<float>) / sizeof(T));
template <class T>
inline constexpr index most_counted_elements = sizeof(T) == 1 ? 127 : 16 * counted_at_once<T>;

template <bool Right, class T>
[[gnu::always_inline]] inline void count_elements_before(std::int32_t* to, const T* row, index n, const T* values) {
  constexpr index lanes = counted_at_once<T>;
  using vector = typename simd::native<T, lanes>::type;
  vector x;
  std::memcpy(&x, values, sizeof(x));
  auto count = comes_before<Right>(x, x) ^ comes_before<Right>(x, x);
  for (index i = 0; i < n; ++i) count -= comes_before<Right>(row[i] - vector{}, x);
#pragma GCC unroll 64
  for (index k = 0; k < lanes; ++k) to[k] = static_cast<std::int32_t>(found_position<Right>(static_cast<index>(count[k]), values[k], n));
}

// Calls f(to, values) for Count values each time; of those that are left there are copies.
template <index Count, class T, class F>
[[gnu::always_inline]] inline void some_at_once(std::int32_t* to, const T* values, index count, F f) {
  for (; count >= Count; count -= Count, to += Count, values += Count) f(to, values);
  if (count == 0) return;
  T rest[array_bound(Count)];
  std::int32_t found[array_bound(Count)];
  for (index k = 0; k < Count; ++k) rest[k] = values[k < count ? k : 0];
  f(found, static_cast<const T*>(rest));
  for (index k = 0; k < count; ++k) to[k] = found[k];
}

template <bool Right, class T>
[[gnu::noinline]] void search_row(std::int32_t* to, const T* row, index n, index step, const T* values, index count) {
  if (n == 0) return void(std::fill_n(to, count, 0));
  if (count == 1) return search_at_once<Right, 1>(to, row, n, step, values);
  if constexpr (std::is_arithmetic_v<T>)
    if (n <= most_counted_elements<T> && step == 1)
      return some_at_once<counted_at_once<T>>(to, values, count, [&](std::int32_t* found, const T* of) __attribute__((always_inline)) {
        count_elements_before<Right>(found, row, n, of);
      });
  constexpr index at_once = 8;
  some_at_once<at_once>(to, values, count, [&](std::int32_t* found, const T* of) __attribute__((always_inline)) {
    search_at_once<Right, at_once>(found, row, n, step, of);
  });
}

template <bool Right>
struct search_kernel {
  template <class Attributes, class Out, class Sorted, class Values>
  static void run(Attributes, const Out& out, const Sorted& sorted, const Values& values) {
    using T = std::remove_const_t<typename Sorted::value_type>;
    const int last = sorted.rank() - 1;
    const index n = sorted.extent(last), step = sorted.stride(last);
    if (n > (std::numeric_limits<std::int32_t>::max)()) throw_invalid_argument("searchsorted: the row is too long for int32");
    if (out.size() == 0) return;
    const index rows = last == 0 ? 1 : elements_along(out, 0, last), each = out.size() / rows;
    const bool dense = part_shape(values.shape(), values.strides(), 0).dense;
    element_cursor<Values> next(values);
    const T* row = sorted.data();
    index at[max_rank] = {};
    for (index r = 0; r < rows; ++r) {
      auto* const to = out.data() + r * each;
      if (dense) {
        search_row<Right>(to, row, n, step, static_cast<const T*>(values.data()) + r * each, each);
      } else {
        constexpr index block = 64;
        T some[block];
        for (index k = 0; k < each; k += block) {
          const index count = (std::min)(block, each - k);
          for (index i = 0; i < count; ++i) some[i] = next.next();
          search_row<Right>(to + k, row, n, step, static_cast<const T*>(some), count);
        }
      }
      for (int a = last - 1; a >= 0; --a) {
        row += sorted.stride(a);
        if (++at[a] < sorted.extent(a)) break;
        row -= sorted.stride(a) * sorted.extent(a);
        at[a] = 0;
      }
    }
  }
};

}  // namespace detail

template <>
struct kernel<ops::lower_bound> : detail::search_kernel<false> {};
template <>
struct kernel<ops::upper_bound> : detail::search_kernel<true> {};

}  // namespace jig
