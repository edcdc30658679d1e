// SPDX-License-Identifier: MIT
#pragma once
// Counts of small numbers. Where equal numbers follow one another each count would wait for the one before it: many numbers go to several
// tables in turn, which are added up.

#include <jig/eval/segment.hpp>
#include <jig/ops/bincount.hpp>

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

namespace jig {

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_negative_value(index value) {
  message m;
  m << "DenseBincount: the value " << value << " is negative";
  throw_invalid_argument(m.view());
}

// Tables do not lie pages apart, since processors take such addresses for the same at first.
inline constexpr index most_bins_of_tables = 1024, tables_apart = most_bins_of_tables + 16;
inline constexpr index most_counted_at_once = index(1) << 31;

template <class Count>
[[gnu::always_inline]] inline void count_one_more(Count& c) {
  c = wrapping_add(c, Count(1));
}

// Those of a block that count, without a question that processors would have to guess the answer of.
template <index Tables, class Count, class I>
[[gnu::noinline]] void count_those_below(Count* tables, index first, index bins, const I* from, index n) {
  index counted[block_below<I>::size], count = 0, negative = 0;
  for (index k = 0; k < n; ++k) {
    const index value = index_of_position(from[k]);
    negative = (std::min)(negative, value);
    counted[count] = (std::max)(value, index(-1)) - first;
    count += is_in_segments(counted[count], bins);
  }
  if (negative < 0) throw_negative_value(negative);
  for (index k = 0; k < count; ++k) count_one_more(tables[k % Tables * tables_apart + counted[k]]);
}

// Counts the numbers from `first` up to `first + bins` in several tables, in turn.
template <index Tables, class Count, class I>
[[gnu::always_inline]] inline void count_in_tables(Count* tables, index first, index bins, const I* from, index n) {
  const block_below<I> below(bins);
  constexpr index block = below.size;
  for (; n >= block; from += block, n -= block) {
    if (first != 0 || !below(from)) [[unlikely]] {
      count_those_below<Tables>(tables, first, bins, from, block);
      continue;
    }
#pragma GCC unroll 4
    for (index k = 0; k < block; k += 4)
      [&]<index... K>(std::integer_sequence<index, K...>) __attribute__((always_inline)) {
        (count_one_more(tables[K % Tables * tables_apart + static_cast<index>(from[k + K])]), ...);
      }(std::make_integer_sequence<index, 4>());
  }
  for (index k = 0; k < n; ++k) {
    const index value = index_of_position(from[k]);
    if (value < 0) [[unlikely]]
      throw_negative_value(value);
    if (is_in_segments(value - first, bins)) count_one_more(tables[value - first]);
  }
}

template <index Tables, class T, class I>
[[gnu::noinline]] void count_few(T* to, index first, index bins, const I* from, index n) {
  std::uint32_t tables[array_bound(Tables * tables_apart)];
  for (index t = 0; t < Tables; ++t) std::fill_n(tables + t * tables_apart, bins, 0u);
  count_in_tables<Tables>(tables, first, bins, from, n);
  for (index t = 1; t < Tables; ++t) combine_row<summed_rows, row_register_lanes<std::uint32_t>>(tables, tables + t * tables_apart, bins);
  for (index v = 0; v < bins; ++v) to[v] = wrapping_add(to[v], static_cast<T>(tables[v]));
}
template <class T, class I>
[[gnu::noinline]] void count_each(T* to, index bins, const I* from, index n) {
  count_in_tables<1>(to, 0, bins, from, n);
}

// Up to which number a dtype counts one by one.
template <class T>
constexpr index most_counted_by_ones() {
  if constexpr (std::is_integral_v<T>) return (std::numeric_limits<index>::max)();
  else if constexpr (std::is_floating_point_v<T>) return index(1) << std::numeric_limits<T>::digits;
  else return index(1) << (dtype_of<T> == dtype::float16 ? 11 : 8);
}

template <class T, class I>
[[gnu::noinline]] void count_values(T* to, index bins, const I* from, index n) {
  for (; n > most_counted_at_once; from += most_counted_at_once, n -= most_counted_at_once)
    count_values(to, bins, from, most_counted_at_once);
  // The fewer there are, the more often equal ones follow one another.
  if (bins <= 64 && n >= 1024) return count_few<4>(to, 0, bins, from, n);
  if (bins <= most_bins_of_tables && n >= 8 * bins + 2048) return count_few<2>(to, 0, bins, from, n);
  if (n <= most_counted_by_ones<T>()) return count_each(to, bins, from, n);
  for (index first = 0; first < bins; first += most_bins_of_tables)
    count_few<2>(to + first, first, (std::min)(most_bins_of_tables, bins - first), from, n);
}

template <class T, class I>
[[gnu::noinline]] void add_weights(T* to, index bins, const I* from, const T* weights, index n) {
  for (index k = 0; k < n; ++k) {
    const index v = index_of_position(from[k]);
    if (is_in_segments(v, bins)) to[v] = wrapping_add(to[v], weights[k]);
    else if (v < 0) throw_negative_value(v);
  }
}

}  // namespace detail

template <>
struct kernel<ops::bincount> {
  template <class Attributes, class T, index Bins, class I, index... E>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, Bins>& out, const dense_view<const I, E...>& in) {
    std::fill_n(out.data(), Bins, T(0));
    detail::count_values(out.data(), Bins, in.data(), in.size());
  }
  template <class Attributes, class T, index Bins, class I, index... E, index... W>
  [[gnu::always_inline]] static void run_part(Attributes, const dense_view<T, Bins>& out, const dense_view<const I, E...>& in,
                                              const dense_view<const T, W...>& weights) {
    std::fill_n(out.data(), Bins, T(0));
    detail::add_weights(out.data(), Bins, in.data(), weights.data(), in.size());
  }
  template <class Attributes, class Out, class In>
  static void run(Attributes, const Out& out, const In& in) {
    using T = typename Out::value_type;
    std::fill_n(out.data(), out.size(), T(0));
    if (detail::part_shape(in.shape(), in.strides(), 0).dense) return detail::count_values(out.data(), out.size(), in.data(), in.size());
    index first = 0;
    do {
      const index bins = (std::min)(detail::most_bins_of_tables, out.size() - first);
      index counts[detail::most_bins_of_tables] = {};
      detail::for_each_element(in, [&](auto value) {
        const index v = detail::index_of_position(value);
        if (v < 0) detail::throw_negative_value(v);
        if (detail::is_in_segments(v - first, bins)) ++counts[v - first];
      });
      for (index v = 0; v < bins; ++v) out.data()[first + v] = static_cast<T>(counts[v]);
      first += bins;
    } while (first < out.size());
  }
  template <class Attributes, class Out, class In, class Weights>
  static void run(Attributes, const Out& out, const In& in, const Weights& weights) {
    using T = typename Out::value_type;
    std::fill_n(out.data(), out.size(), T(0));
    if (detail::part_shape(in.shape(), in.strides(), 0).dense && detail::part_shape(weights.shape(), weights.strides(), 0).dense)
      return detail::add_weights(out.data(), out.size(), in.data(), weights.data(), in.size());
    detail::element_cursor<Weights> weight(weights);
    detail::for_each_element(in, [&](const auto& value) { detail::add_weights(out.data(), out.size(), &value, &weight.next(), 1); });
  }
};

}  // namespace jig
