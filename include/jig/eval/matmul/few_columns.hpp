// SPDX-License-Identifier: MIT
#pragma once
// Many rows with long sums times a few columns: the lanes of the registers run along the sums, where a row of the result would fill a
// small part of one register; where the rows lie as columns, along the rows.

#include <jig/eval/matmul/blocked.hpp>
#include <jig/eval/matmul/lanes.hpp>
#include <jig/eval/matmul/vector.hpp>

#include <bit>

namespace jig::detail {

/// Whether N columns are so few that sums of `k` products along registers, whose lanes have to be added up then, cost less than `k` steps
/// that fill N lanes each. `step` is what such a step costs, where as many multiplications of whole registers as lanes cost 16: from small
/// tiles of static extents 6, from others 11.
template <class T, index N>
constexpr bool are_few_columns(index k, index step) {
  constexpr index width = simd::lanes<T>;
  return sizeof(T) >= 4 && N >= 2 && N <= 8 && 2 * N <= width && 2 * k > width && k * (step * width - 8 * N) > 32 * N * width;
}

template <class T, index N>
struct few_columns {
  static constexpr index width = simd::lanes<T>;
  /// Sums that stay in registers, of as many whole rows as that makes; the rest is nothing.
  static constexpr int sums = simd::registers == 32 ? 16 : 8;
  static constexpr int rows = sums / static_cast<int>(N);
  /// So many elements of each column lie on the stack at a time.
  static constexpr index block = index{4096} / static_cast<index>(sizeof(T)) / N / width * width;
};

// Copies k elements of each column of b, those of a column next to each other, and zeros behind them up to whole registers.
template <index N, class T>
void pack_few_columns(T* to, const product<T>& p, index first, index k) {
  using few = few_columns<T, N>;
  constexpr int n = static_cast<int>(N);
  const T* b = p.b + first * p.b_row;
  const index whole = (k + few::width - 1) / few::width * few::width;
  if (p.b_col == 1 && p.b_row == N) {
    const adjacent_batches<const T, 1, n> rows{b};
    for (index q = 0; q < k; q += few::width) {
      const auto x = q + few::width <= k ? rows.template read<true>(q, few::width) : rows.template read<false>(q, k - q);
#pragma GCC unroll 8
      for (int j = 0; j < n; ++j) x(0, j).store_unaligned(to + j * few::block + q);
    }
    return;
  }
  for (index j = 0; j < N; ++j)
    for (index q = 0; q < whole; ++q) to[j * few::block + q] = q < k ? b[q * p.b_row + j * p.b_col] : T(0);
}

// `Rows` of the result, to which what these k elements give is added if others came before.
template <int Rows, index N, class T>
[[gnu::always_inline]] inline void sum_few_columns(const T* a, index a_row, const T* columns, index k, T* c, index c_row, bool add) {
  using few = few_columns<T, N>;
  using B = simd::batch<T>;
  constexpr int n = static_cast<int>(N), sums = Rows == 1 ? static_cast<int>(std::bit_ceil(static_cast<unsigned>(n))) : few::sums;
  B sum[array_bound(sums)];
#pragma GCC unroll 16
  for (B& s : sum) s = B(T(0));
  const auto step = [&](auto read, index q) __attribute__((always_inline)) {
    B y[array_bound(n)];
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) y[j] = B::load_unaligned(columns + j * few::block + q);
#pragma GCC unroll 8
    for (int i = 0; i < Rows; ++i) {
      const B x = read(a + i * a_row + q);
#pragma GCC unroll 8
      for (int j = 0; j < n; ++j) sum[i * n + j] = simd::multiply_add(x, y[j], sum[i * n + j]);
    }
  };
  index q = 0;
#pragma GCC unroll 1
  for (; q + few::width <= k; q += few::width)
    step([](const T* from) __attribute__((always_inline)) { return B::load_unaligned(from); }, q);
  if (q < k) step([&](const T* from) __attribute__((always_inline)) { return simd::load_first<B>(from, k - q); }, q);
  constexpr int stored = Rows * n;
  if constexpr (stored == sums || sums <= few::width)
    if (c_row == N && !add) return store_sums<sums, stored>(sum, c);
  T out[array_bound(sums)];
  store_sums<sums>(sum, out);
#pragma GCC unroll 8
  for (int i = 0; i < Rows; ++i)
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
      T& to = c[i * c_row + j];
      to = add ? static_cast<T>(to + out[i * n + j]) : out[i * n + j];
    }
}

template <index N, class T>
[[gnu::noinline]] void multiply_few_columns(const product<T>& p) {
  using few = few_columns<T, N>;
  alignas(alignment) T columns[array_bound(N * few::block)];
  for (index first = 0; first < p.k; first += few::block) {
    const index k = smaller(few::block, p.k - first);
    pack_few_columns<N>(columns, p, first, k);
    index i = 0;
    for (; i + few::rows <= p.m; i += few::rows)
      sum_few_columns<few::rows, N>(p.a + i * p.a_row + first, p.a_row, columns, k, p.c + i * p.c_row, p.c_row, first > 0);
    for (; i < p.m; ++i) sum_few_columns<1, N>(p.a + i * p.a_row + first, p.a_row, columns, k, p.c + i * p.c_row, p.c_row, first > 0);
  }
}

// Rows of the result as lanes, where those of a lie so: so many registers of them, or a part of one.
template <int Registers, bool Whole, index N, class T>
[[gnu::always_inline]] inline void sum_rows_as_lanes(const product<T>& p, index first, index count) {
  using B = simd::batch<T>;
  constexpr int n = static_cast<int>(N);
  constexpr index width = simd::lanes<T>;
  typename adjacent_batches<T, 1, n>::registers sum[array_bound(Registers)];
#pragma GCC unroll 8
  for (auto& row : sum)
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) row(0, j) = B(T(0));
  const T* a = p.a + first;
  const T* b = p.b;
#pragma GCC unroll 1
  for (index q = 0; q < p.k; ++q, a += p.a_col, b += p.b_row) {
    B x[array_bound(Registers)];
#pragma GCC unroll 8
    for (int r = 0; r < Registers; ++r) x[r] = Whole ? B::load_unaligned(a + r * width) : simd::load_first<B>(a, count);
#pragma GCC unroll 8
    for (int j = 0; j < n; ++j) {
      const B y(b[j * p.b_col]);
#pragma GCC unroll 8
      for (int r = 0; r < Registers; ++r) sum[r](0, j) = simd::multiply_add(x[r], y, sum[r](0, j));
    }
  }
  const adjacent_batches<T, 1, n> c{p.c};
#pragma GCC unroll 8
  for (int r = 0; r < Registers; ++r) c.template write<Whole>(sum[r], first + r * width, count);
}

template <index N, class T>
[[gnu::noinline]] void multiply_rows_as_lanes(const product<T>& p) {
  constexpr int together = few_columns<T, N>::sums / static_cast<int>(N) < 4 ? few_columns<T, N>::sums / static_cast<int>(N) : 4;
  constexpr index width = simd::lanes<T>;
  index i = 0;
  for (; i + together * width <= p.m; i += together * width) sum_rows_as_lanes<together, true, N>(p, i, width);
  for (; i + width <= p.m; i += width) sum_rows_as_lanes<1, true, N>(p, i, width);
  if (i < p.m) sum_rows_as_lanes<1, false, N>(p, i, p.m - i);
}

/// Whether it was a product of many rows with N columns that lies as registers read it.
template <index N, index K, class T>
bool multiply_if_few_columns([[maybe_unused]] const product<T>& p) {
  if constexpr (are_few_columns<T, N>(is_static_extent(K) ? K : 64, 11)) {
    if (p.n != N || !are_few_columns<T, N>(p.k, 11)) return false;
    const bool along = p.a_col == 1 && p.m > 1, across = p.a_row == 1 && p.m >= simd::lanes<T> && p.c_row == N;
    if (!along && !across) return false;
    const auto rows = [&](index first, index count) {
      product<T> part = p;
      part.m = count;
      part.a += first * p.a_row;
      part.c += first * p.c_row;
      if (along) multiply_few_columns<N>(part);
      else multiply_rows_as_lanes<N>(part);
    };
    if (is_shared_product(p)) [[unlikely]]
      parallel_for(p.m, shared_lines, rows);
    else rows(0, p.m);
    return true;
  }
  return false;
}

}  // namespace jig::detail
