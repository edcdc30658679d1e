// SPDX-License-Identifier: MIT
#pragma once
// Many rows times matrices of a few static extents, a copy of which is read for every row.

#include <jig/eval/matmul/small.hpp>

namespace jig::detail {

// From one product of a batch to the next, in elements.
struct batch_steps {
  index a = 0, b = 0, c = 0;
  friend constexpr bool operator==(const batch_steps&, const batch_steps&) = default;
};

/// Whether all rows of K x N stay in registers beside sums for two rows.
template <class T, index N, index K>
inline constexpr bool fits_registers = [] {
  if (N <= 0 || K <= 0 || sizeof(T) < 4) return false;
  using tiles = small_tiles<T, 2, N>;
  return tiles::registers_of_row <= 2 && (K + 4) * tiles::registers_of_row < simd::registers;
}();

/// The registers that a row of N elements takes. The last one ends with the row; one that is alone may reach over its end.
template <class T, index N>
struct registers_of_row {
  static constexpr index width = [] {
    index w = simd::lanes<T>;
    while (w / 2 >= N && w * static_cast<index>(sizeof(T)) > 16) w /= 2;
    return w;
  }();
  static constexpr int count = static_cast<int>((N + width - 1) / width);
  static constexpr index column(int r) { return N > width && r + 1 == count ? N - width : r * width; }
  /// So many rows behind a row are written to with it.
  static constexpr index rows_behind = N < width ? (width - 1) / N : 0;
  using batch = simd::sized_batch<T, width>;
};

/// `m` rows times one matrix, each row by itself.
template <index N, index K, class T>
[[gnu::noinline]] void multiply_row_by_row(const product<T>& p, index m) {
  using row = registers_of_row<T, N>;
  using B = typename row::batch;
  constexpr index together = 4;
  // A copy, which the compiler knows that no store changes.
  alignas(alignment) T b[array_bound(K)][array_bound(row::count)][array_bound(row::width)];
  for (index k = 0; k < K; ++k)
    for (int r = 0; r < row::count; ++r)
      for (index j = 0; j < row::width; ++j) b[k][r][j] = row::column(r) + j < N ? p.b[k * p.b_row + (row::column(r) + j) * p.b_col] : T(0);
  const auto run = [&b, m, a_begin = p.a, c_begin = p.c](auto a_row, auto a_col, auto c_row) __attribute__((always_inline)) {
    const auto one = [&](index i, auto whole) __attribute__((always_inline)) {
      const T* a = a_begin + i * a_row;
      T* c = c_begin + i * c_row;
      B sum[array_bound(row::count)];
#pragma GCC unroll 32
      for (index k = 0; k < K; ++k) {
        const B x(a[k * a_col]);
#pragma GCC unroll 32
        for (int r = 0; r < row::count; ++r) {
          const B y = B::load_aligned(b[k][r]);
          sum[r] = k == 0 ? x * y : simd::multiply_add(x, y, sum[r]);
        }
      }
#pragma GCC unroll 32
      for (int r = 0; r < row::count; ++r) {
        if constexpr (whole) sum[r].store_unaligned(c + row::column(r));
        else simd::store_first(c, sum[r], N);
      }
    };
    index i = 0;
    if (row::rows_behind == 0 || c_row == N)
      for (; i + together + row::rows_behind <= m; i += together)
#pragma GCC unroll 4
        for (index q = 0; q < together; ++q) one(i + q, std::true_type());
    for (; i < m; ++i) one(i, std::bool_constant<row::rows_behind == 0>());
  };
  constexpr std::integral_constant<index, 1> next;
  if (p.a_row == K && p.a_col == 1 && p.c_row == N) run(std::integral_constant<index, K>(), next, std::integral_constant<index, N>());
  else run(p.a_row, p.a_col, p.c_row);
}

/// Whether rows of K elements times K x N are best computed each by itself, where there are enough of them. Several rows that fill a
/// register together go faster, as do all where the widest registers would be half empty, and where there are many registers.
template <class T, index N, index K>
inline constexpr bool fits_row_by_row = [] {
  if constexpr (simd::registers == 32 || sizeof(T) < 4 || N < 2 || K < 2 || K > 8 || N > 4 * simd::lanes<T>) return false;
  else
    return (2 * N > registers_of_row<T, N>::width || registers_of_row<T, N>::width < simd::lanes<T>) &&
           !(fits_rows_in_groups<T, N, K> && rows_in_group<T, N, K> * N == simd::lanes<T>);
}();

/// The kernel for many rows times a small matrix, nullptr if they are few, or lie as none of them needs them.
template <index N, index K, class T>
auto kernel_of_rows(const product<T>& p) -> void (*)(const product<T>&) {
  constexpr index fewest = 8;
  if constexpr (fits_row_by_row<T, N, K>)
    if (p.a_col == 1 && p.m >= fewest) return [](const product<T>& rows) { multiply_row_by_row<N, K>(rows, rows.m); };
  if constexpr (fits_rows_in_lanes<T, N, K>)
    if (has_rows_for_lanes<N, K>(p)) return multiply_rows_in_lanes<N, K, T>;
  return nullptr;
}

/// `count` products of many rows. Where rows of one product lie between those of another, some rows of all of them come first, which
/// finds in the cache what it reads and writes beside others.
template <index N, index K, class T>
void multiply_many_held(const product<T>& p, const batch_steps& steps, index count) {
  // So many bytes of the result, and about as many of a, stay in the second cache. Fewer than 32 rows do not pay for the registers.
  constexpr index bytes = 256 * 1024, fewest = 32;
  const index fitting = bytes / (static_cast<index>(sizeof(T)) * (p.c_row > 0 ? p.c_row : 1));
  const index rows = count == 1 || p.c_row <= steps.c ? p.m : fitting > fewest ? fitting : fewest;
  for (index i = 0; i < p.m; i += rows)
    for (index k = 0; k < count; ++k) {
      product<T> part = p;
      part.a += i * p.a_row + k * steps.a;
      part.b += k * steps.b;
      part.c += i * p.c_row + k * steps.c;
      multiply_row_by_row<N, K>(part, smaller(rows, p.m - i));
    }
}

}  // namespace jig::detail
