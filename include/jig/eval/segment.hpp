// SPDX-License-Identifier: MIT
#pragma once
// Sums of rows by numbers: rows are added in registers, and a few segments of integers have several tables, so that no sum waits for the
// one before it.

#include <jig/eval/simd.hpp>
#include <jig/ops/segment.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace jig {

namespace detail {

inline constexpr index row_bytes = 32;  // of longer registers, sums that wait for one another take longer

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
    for (index k = simd::lanes<U>; k < size; k += simd::lanes<U>) largest = xsimd::max(largest, simd::load(at + k));
    return !xsimd::any(largest >= batch(end_));
  }

 private:
  bool always_;
  U end_;
};

[[gnu::always_inline]] inline bool is_in_segments(index i, index segments) {
  return static_cast<std::uint64_t>(i) < static_cast<std::uint64_t>(segments);
}
// What is not in range belongs to no segment or is an error.
[[gnu::always_inline]] inline void require_no_segment(index i, index segments) {
  if (i >= 0) throw_bad_index("UnsortedSegmentSum", i, 0, segments);
}

// Integers are added as unsigned ones, which wrap.
template <class T>
using in_sums = typename std::conditional_t<std::is_integral_v<T>, std::make_unsigned<T>, std::type_identity<T>>::type;

template <index Lanes, class T>
[[gnu::always_inline]] inline void add_lanes(T* to, const T* from) {
  typename simd::native<T, Lanes>::type x, y;
  std::memcpy(&x, to, sizeof(x));
  std::memcpy(&y, from, sizeof(y));
  x += y;
  std::memcpy(to, &x, sizeof(x));
}
template <class T>
inline constexpr index summed_lanes = std::is_arithmetic_v<T> ? row_bytes / static_cast<index>(sizeof(T)) : 1;
template <class T, index Lanes>
inline constexpr bool fills_register = std::is_arithmetic_v<T> && Lanes > 1 && Lanes* static_cast<index>(sizeof(T)) >= 8;

template <index Lanes, class T>
[[gnu::always_inline]] inline void add_row(T* to, const T* from, index n) {
  if constexpr (fills_register<T, Lanes>) {
    if constexpr (Lanes == summed_lanes<T>)
      for (; n >= 4 * Lanes; n -= 4 * Lanes, to += 4 * Lanes, from += 4 * Lanes)
#pragma GCC unroll 4
        for (index k = 0; k < 4; ++k) add_lanes<Lanes>(to + k * Lanes, from + k * Lanes);
    for (; n >= Lanes; n -= Lanes, to += Lanes, from += Lanes) add_lanes<Lanes>(to, from);
    if (n > 0) add_row<Lanes / 2>(to, from, n);
  } else {
    for (index i = 0; i < n; ++i) to[i] = wrapping_add(to[i], from[i]);
  }
}
template <index N, index Lanes, class T>
[[gnu::always_inline]] inline void add_known_row(T* to, const T* from) {
  if constexpr (fills_register<T, Lanes>) {
    constexpr index whole = N / Lanes * Lanes;
#pragma GCC unroll 16
    for (index i = 0; i < whole; i += Lanes) add_lanes<Lanes>(to + i, from + i);
    add_known_row<N - whole, Lanes / 2>(to + whole, from + whole);
  } else {
#pragma GCC unroll 16
    for (index i = 0; i < N; ++i) to[i] = wrapping_add(to[i], from[i]);
  }
}

// Known is the size of a row, or -1.
template <index Known, class T>
[[gnu::always_inline]] inline void add_to_segment(T* to, index segment, const T* from, index size) {
  if constexpr (Known >= 0) add_known_row<Known, summed_lanes<T>>(to + segment * Known, from);
  else add_row<summed_lanes<T>>(to + segment * size, from, size);
}
template <index Known, class T, class I>
[[gnu::always_inline]] inline void add_if_in_segments(T* to, index segments, const T* from, index size, const I* ids, index rows) {
  for (index k = 0; k < rows; ++k, from += size) {
    const index i = index_of_position(ids[k]);
    if (is_in_segments(i, segments)) [[likely]]
      add_to_segment<Known>(to, i, from, size);
    else require_no_segment(i, segments);
  }
}
template <index Known, class T, class I>
[[gnu::noinline]] void add_to_segments(T* to, index segments, const T* from, index given, const I* ids, index rows) {
  const index size = Known >= 0 ? Known : given;
  if constexpr (Known >= 0 && Known <= 16) {
    const block_below<I> below(segments);
    constexpr index block = below.size;
    for (; rows >= block; rows -= block, ids += block, from += block * Known) {
      if (below(ids)) [[likely]] {
#pragma GCC unroll 8
        for (index k = 0; k < block; ++k) add_to_segment<Known>(to, static_cast<index>(ids[k]), from + k * Known, Known);
      } else {
        add_if_in_segments<Known>(to, segments, from, size, ids, block);
      }
    }
  }
  add_if_in_segments<Known>(to, segments, from, size, ids, rows);
}

}  // namespace detail

template <>
struct kernel<ops::unsorted_segment_sum> {
  template <class Attributes, class T, index... OE, index... IE, class I, index... At>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, OE...>& out, const dense_view<const T, IE...>& data,
                                              const dense_view<const I, At...>& ids) {
    constexpr index known = detail::some_axes({sizeof...(IE), {IE...}}, sizeof...(At), sizeof...(IE)).size();
    std::fill_n(out.data(), out.size(), T(0));
    add<known>(out.data(), out.extent(0), data.data(), detail::elements_along(data, sizeof...(At), sizeof...(IE)), ids.data(), ids.size());
  }
  template <class Attributes, class Out, class Data, class Ids>
  static void run(Attributes, const Out& out, const Data& data, const Ids& ids) {
    using T = typename Out::value_type;
    const index segments = out.extent(0), size = detail::elements_along(out, 1, out.rank());
    std::fill_n(out.data(), out.size(), T(0));
    if (detail::part_shape(data.shape(), data.strides(), 0).dense && detail::part_shape(ids.shape(), ids.strides(), 0).dense)
      return add<-1>(out.data(), segments, data.data(), size, ids.data(), ids.size());
    detail::element_cursor<Data> from(data);
    detail::for_each_element(ids, [&](auto id) {
      const index i = detail::index_of_position(id);
      const bool counts = detail::is_in_segments(i, segments);
      if (!counts) detail::require_no_segment(i, segments);
      T* const to = out.data() + (counts ? i * size : 0);
      for (index k = 0; k < size; ++k) {
        const T& x = from.next();
        if (counts) to[k] = detail::wrapping_add(to[k], x);
      }
    });
  }

 private:
  template <index Known, class T, class I>
  static void add(T* to, index segments, const T* from, index size, const I* ids, index rows) {
    using U = detail::in_sums<T>;
    auto* const sums = reinterpret_cast<U*>(to);
    const auto* const data = reinterpret_cast<const U*>(from);
    if constexpr (Known >= 0) return detail::add_to_segments<Known>(sums, segments, data, size, ids, rows);
    else switch (size) {
        case 1: return detail::add_to_segments<1>(sums, segments, data, size, ids, rows);
        case 2: return detail::add_to_segments<2>(sums, segments, data, size, ids, rows);
        case 3: return detail::add_to_segments<3>(sums, segments, data, size, ids, rows);
        case 4: return detail::add_to_segments<4>(sums, segments, data, size, ids, rows);
        case 8: return detail::add_to_segments<8>(sums, segments, data, size, ids, rows);
        case 16: return detail::add_to_segments<16>(sums, segments, data, size, ids, rows);
        default: return detail::add_to_segments<-1>(sums, segments, data, size, ids, rows);
      }
  }
};

}  // namespace jig
