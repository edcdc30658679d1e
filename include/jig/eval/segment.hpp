// SPDX-License-Identifier: MIT
#pragma once
// Sums and extremes of rows by numbers: rows are combined in registers.

#include <jig/eval/simd.hpp>
#include <jig/ops/segment.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>
#include <type_traits>

namespace jig {

namespace detail {

// Of longer registers, sums that wait for one another take longer.
inline constexpr index row_bytes = sizeof(simd::batch<float>) < 32 ? 16 : 32;

// Whether positions lie below a number, asked for a block at a time.
template <class I>
class block_below {
  using U = std::make_unsigned_t<I>;
  using batch = simd::batch<U>;
  static constexpr auto most = static_cast<std::uint64_t>((std::numeric_limits<I>::max)());

 public:
  static constexpr index size = 64;

  explicit block_below(index end)
      : always_(std::is_unsigned_v<I> && static_cast<std::uint64_t>(end) > most),
        end_(static_cast<U>(always_ ? 0 : (std::min)(static_cast<std::uint64_t>(end), most + 1))) {}
  [[gnu::always_inline]] bool operator()(const I* from) const {
    if (always_) return true;
    const auto* const at = reinterpret_cast<const U*>(from);
    batch largest = simd::load(at);
#pragma GCC unroll 8
    for (index k = simd::lanes<U>; k < size; k += simd::lanes<U>) largest = (xsimd::max)(largest, simd::load(at + k));
    return !xsimd::any(largest >= batch(end_));
  }

 private:
  bool always_;
  U end_;
};

[[gnu::always_inline]] inline bool is_in_segments(index i, index segments) {
  return static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(segments);
}

// How the rows of a segment become one, of elements and of registers.
struct summed_rows {
  static constexpr std::string_view name = ops::unsorted_segment_sum.name;
  template <class T>
  static constexpr T of_none = T(0);
  template <class T>
  [[gnu::always_inline]] static T combine(const T& x, const T& y) {
    if constexpr (std::is_integral_v<T> || is_storage_float<T>) return wrapping_add(x, y);
    else return x + y;
  }
};
// Of two of which one is NaN, that one.
template <bool Largest>
struct extreme_rows {
  static constexpr std::string_view name = Largest ? ops::unsorted_segment_max.name : ops::unsorted_segment_min.name;
  template <class T>
  static constexpr T of_none = lowest_or_highest<T>(!Largest);
  template <class T>
  [[gnu::always_inline]] static T combine(const T& x, const T& y) {
    if constexpr (std::is_arithmetic_v<T> || is_storage_float<T>) return (Largest ? x > y : x < y) || x != x ? x : y;
    else return ((Largest ? x > y : x < y) | (x != x)) ? x : y;
  }
};

// What is not in range belongs to no segment or is an error.
template <class How>
[[gnu::always_inline]] inline void require_no_segment(index i, index segments) {
  if (i >= 0) throw_bad_index(How::name, i, 0, segments);
}

// Integers are added as unsigned ones, which wrap.
template <class How, class T>
using in_rows = typename std::conditional_t<std::is_integral_v<T> && std::is_same_v<How, summed_rows>, std::make_unsigned<T>,
                                            std::type_identity<T>>::type;

template <class How, index Lanes, class T>
[[gnu::always_inline]] inline void combine_lanes(T* to, const T* from) {
  typename simd::native<T, Lanes>::type x, y;
  std::memcpy(&x, to, sizeof(x));
  std::memcpy(&y, from, sizeof(y));
  x = How::combine(x, y);
  std::memcpy(to, &x, sizeof(x));
}
template <class T>
inline constexpr index row_register_lanes = std::is_arithmetic_v<T> ? row_bytes / static_cast<index>(sizeof(T)) : 1;
template <class T, index Lanes>
inline constexpr bool fills_register = std::is_arithmetic_v<T> && Lanes > 1 && Lanes* static_cast<index>(sizeof(T)) >= 8;

template <class How, index Lanes, class T>
[[gnu::always_inline]] inline void combine_row(T* to, const T* from, index n) {
  if constexpr (fills_register<T, Lanes>) {
    if constexpr (Lanes == row_register_lanes<T>)
      for (; n >= 4 * Lanes; n -= 4 * Lanes, to += 4 * Lanes, from += 4 * Lanes)
#pragma GCC unroll 4
        for (index k = 0; k < 4; ++k) combine_lanes<How, Lanes>(to + k * Lanes, from + k * Lanes);
    for (; n >= Lanes; n -= Lanes, to += Lanes, from += Lanes) combine_lanes<How, Lanes>(to, from);
    if (n > 0) combine_row<How, Lanes / 2>(to, from, n);
  } else {
    for (index i = 0; i < n; ++i) to[i] = How::combine(to[i], from[i]);
  }
}
template <class How, index N, index Lanes, class T>
[[gnu::always_inline]] inline void combine_known_row(T* to, const T* from) {
  if constexpr (fills_register<T, Lanes>) {
    constexpr index whole = N / Lanes * Lanes;
#pragma GCC unroll 16
    for (index i = 0; i < whole; i += Lanes) combine_lanes<How, Lanes>(to + i, from + i);
    combine_known_row<How, N - whole, Lanes / 2>(to + whole, from + whole);
  } else {
#pragma GCC unroll 16
    for (index i = 0; i < N; ++i) to[i] = How::combine(to[i], from[i]);
  }
}

// Known is the size of a row, or -1.
template <class How, index Known, class T>
[[gnu::always_inline]] inline void combine_with_segment(T* to, index segment, const T* from, index size) {
  if constexpr (Known >= 0) combine_known_row<How, Known, row_register_lanes<T>>(to + segment * Known, from);
  else combine_row<How, row_register_lanes<T>>(to + segment * size, from, size);
}
template <class How, index Known, class T, class I>
[[gnu::always_inline]] inline void combine_if_in_segments(T* to, index segments, const T* from, index size, const I* ids, index rows) {
  for (index k = 0; k < rows; ++k, from += size) {
    const index i = index_of_position(ids[k]);
    if (is_in_segments(i, segments)) [[likely]]
      combine_with_segment<How, Known>(to, i, from, size);
    else require_no_segment<How>(i, segments);
  }
}
// Elements of a few segments meet in several tables, in turn: one that comes soon after another of its segment does not wait for it. Not
// sums of floating numbers, which are added in their order.
template <class How, class T>
inline constexpr bool meets_in_any_order = std::is_arithmetic_v<T> && (std::is_integral_v<T> || !std::is_same_v<How, summed_rows>);
inline constexpr index segment_tables = 4, most_in_tables = 256, least_of_each = 16;
template <class How, class T, class I>
[[gnu::noinline]] void combine_in_tables(T* to, index segments, const T* from, const I* ids, index rows) {
  T tables[array_bound((segment_tables - 1) * most_in_tables)];
  for (index t = 1; t < segment_tables; ++t) std::fill_n(tables + (t - 1) * most_in_tables, segments, How::template of_none<T>);
  const block_below<I> below(segments);
  constexpr index block = below.size;
  const auto add = [&]<index K>(index k, std::integral_constant<index, K>) __attribute__((always_inline)) {
    T& total = (K == 0 ? to : tables + (K - 1) * most_in_tables)[static_cast<index>(ids[k + K])];
    total = How::combine(total, from[k + K]);
  };
  for (; rows >= block; rows -= block, ids += block, from += block) {
    if (!below(ids)) [[unlikely]] {
      combine_if_in_segments<How, 1>(to, segments, from, 1, ids, block);
      continue;
    }
#pragma GCC unroll 2
    for (index k = 0; k < block; k += segment_tables)
      [&]<index... K>(std::integer_sequence<index, K...>) __attribute__((always_inline)) {
        (add(k, std::integral_constant<index, K>()), ...);
      }(std::make_integer_sequence<index, segment_tables>());
  }
  combine_if_in_segments<How, 1>(to, segments, from, 1, ids, rows);
  for (index t = 1; t < segment_tables; ++t) combine_row<How, row_register_lanes<T>>(to, tables + (t - 1) * most_in_tables, segments);
}
template <class How, index Known, class T, class I>
[[gnu::noinline]] void combine_with_segments(T* to, index segments, const T* from, index given, const I* ids, index rows) {
  const index size = Known >= 0 ? Known : given;
  if constexpr (Known == 1 && meets_in_any_order<How, T>)
    if (segments <= most_in_tables && rows >= least_of_each * segments) return combine_in_tables<How>(to, segments, from, ids, rows);
  if constexpr (Known >= 0 && Known <= 16) {
    const block_below<I> below(segments);
    constexpr index block = below.size;
    for (; rows >= block; rows -= block, ids += block, from += block * Known) {
      if (below(ids)) [[likely]] {
#pragma GCC unroll 8
        for (index k = 0; k < block; ++k) combine_with_segment<How, Known>(to, static_cast<index>(ids[k]), from + k * Known, Known);
      } else {
        combine_if_in_segments<How, Known>(to, segments, from, size, ids, block);
      }
    }
  }
  combine_if_in_segments<How, Known>(to, segments, from, size, ids, rows);
}

template <class How>
struct segment_kernel {
  template <class Attributes, class T, index... OE, index... IE, class I, index... At>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, OE...>& out, const dense_view<const T, IE...>& data,
                                              const dense_view<const I, At...>& ids) {
    constexpr index known = some_axes({sizeof...(IE), {IE...}}, sizeof...(At), sizeof...(IE)).size();
    std::fill_n(out.data(), out.size(), How::template of_none<T>);
    combine<known>(out.data(), out.extent(0), data.data(), elements_along(data, sizeof...(At), sizeof...(IE)), ids.data(), ids.size());
  }
  template <class Attributes, class Out, class Data, class Ids>
  static void run(Attributes, const Out& out, const Data& data, const Ids& ids) {
    using T = typename Out::value_type;
    const index segments = out.extent(0), size = elements_along(out, 1, out.rank());
    std::fill_n(out.data(), out.size(), How::template of_none<T>);
    if (part_shape(data.shape(), data.strides(), 0).dense && part_shape(ids.shape(), ids.strides(), 0).dense)
      return combine<-1>(out.data(), segments, data.data(), size, ids.data(), ids.size());
    element_cursor<Data> from(data);
    for_each_element(ids, [&](auto id) {
      const index i = index_of_position(id);
      const bool counts = is_in_segments(i, segments);
      if (!counts) require_no_segment<How>(i, segments);
      T* const to = out.data() + (counts ? i * size : 0);
      for (index k = 0; k < size; ++k) {
        const T& x = from.next();
        if (counts) to[k] = How::combine(to[k], x);
      }
    });
  }

 private:
  template <index Known, class T, class I>
  static void combine(T* to, index segments, const T* from, index size, const I* ids, index rows) {
    using U = in_rows<How, T>;
    auto* const sums = reinterpret_cast<U*>(to);
    const auto* const data = reinterpret_cast<const U*>(from);
    if constexpr (Known >= 0) return combine_with_segments<How, Known>(sums, segments, data, size, ids, rows);
    else switch (size) {
        case 1: return combine_with_segments<How, 1>(sums, segments, data, size, ids, rows);
        case 2: return combine_with_segments<How, 2>(sums, segments, data, size, ids, rows);
        case 3: return combine_with_segments<How, 3>(sums, segments, data, size, ids, rows);
        case 4: return combine_with_segments<How, 4>(sums, segments, data, size, ids, rows);
        case 8: return combine_with_segments<How, 8>(sums, segments, data, size, ids, rows);
        case 16: return combine_with_segments<How, 16>(sums, segments, data, size, ids, rows);
        default: return combine_with_segments<How, -1>(sums, segments, data, size, ids, rows);
      }
  }
};

}  // namespace detail

template <>
struct kernel<ops::unsorted_segment_sum> : detail::segment_kernel<detail::summed_rows> {};
template <>
struct kernel<ops::unsorted_segment_max> : detail::segment_kernel<detail::extreme_rows<true>> {};
template <>
struct kernel<ops::unsorted_segment_min> : detail::segment_kernel<detail::extreme_rows<false>> {};

}  // namespace jig
