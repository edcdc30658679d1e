// SPDX-License-Identifier: MIT
#pragma once
// Products of a few rows and columns with long sums, which the lanes of the registers run along: moments of many points.

#include <jig/eval/matmul/lanes.hpp>

namespace jig::detail {

/// Whether all sums of M x N stay in registers beside what is read for them. K is the length of a sum, or dyn. `Same` products are
/// of a matrix with itself, the first transposed: half of the sums say it all.
template <class T, index M, index N, index K, bool Same = false>
inline constexpr bool fits_long_sums = sizeof(T) >= 4 && M > 0 && N > 0 && (M * N) > 1 && M <= 8 && N <= 8 &&
                                       (!is_static_extent(K) || K > 64) &&
                                       (Same ? M == N && M * (M + 1) / 2 + M < simd::registers : M * N + M + N < simd::registers);

template <bool TransposeA, bool TransposeB, bool Same, index M, index N, class T>
[[gnu::noinline]] void multiply_long_sums(const product<T>& p) {
  using B = simd::batch<T>;
  constexpr int m = static_cast<int>(M), n = static_cast<int>(N);
  constexpr index width = simd::lanes<T>;
  const auto a = [&] {
    if constexpr (TransposeA) return adjacent_batches<const T, m, 1>{p.a};
    else return adjacent_elements<const T, m, 1>{p.a, p.a_row, 0};
  }();
  const auto b = [&] {
    if constexpr (TransposeB) return adjacent_elements<const T, 1, n>{p.b, 0, p.b_col};
    else return adjacent_batches<const T, 1, n>{p.b};
  }();
  B sum[array_bound(m)][array_bound(n)];
#pragma GCC unroll 32
  for (int i = 0; i < m; ++i)
#pragma GCC unroll 32
    for (int j = Same ? i : 0; j < n; ++j) sum[i][j] = B(T(0));
  auto step = [&]<bool Whole>(std::bool_constant<Whole>, index first) __attribute__((always_inline)) {
    const auto x = a.template read<Whole>(first, p.k - first);
    const auto y = [&]() __attribute__((always_inline)) {
      if constexpr (Same) return x;
      else return b.template read<Whole>(first, p.k - first);
    }();
#pragma GCC unroll 32
    for (int i = 0; i < m; ++i)
#pragma GCC unroll 32
      for (int j = Same ? i : 0; j < n; ++j) sum[i][j] = simd::multiply_add(x(i, 0), Same ? y(j, 0) : y(0, j), sum[i][j]);
  };
  index k = 0;
  for (; k + width <= p.k; k += width) step(std::true_type(), k);
  if (k < p.k) step(std::false_type(), k);
#pragma GCC unroll 32
  for (int i = 0; i < m; ++i)
#pragma GCC unroll 32
    for (int j = 0; j < n; ++j) p.c[i * p.c_row + j] = Same && j < i ? p.c[j * p.c_row + i] : simd::sum(sum[i][j]);
}

/// Whether it was a product that lies as its flags say: the columns of a next to each other, or its rows, and those of b.
template <bool TransposeA, bool TransposeB, index M, index N, index K, class T>
bool multiply_long([[maybe_unused]] const product<T>& p) {
  constexpr bool may_be_same = TransposeA && !TransposeB && fits_long_sums<T, M, N, K, true>;
  if constexpr (may_be_same || fits_long_sums<T, M, N, K>) {
    const bool a = TransposeA ? p.a_col == M && (p.a_row == 1 || M == 1) : p.a_col == 1;
    const bool b = TransposeB ? p.b_row == 1 : p.b_row == N && (p.b_col == 1 || N == 1);
    // Batches that share b are one product with more rows.
    if (!a || !b || p.m != M || p.k < simd::lanes<T>) return false;
    if constexpr (may_be_same)
      if (p.a == p.b) {
        multiply_long_sums<true, false, true, M, N>(p);
        return true;
      }
    if constexpr (fits_long_sums<T, M, N, K>) {
      multiply_long_sums<TransposeA, TransposeB, false, M, N>(p);
      return true;
    }
  }
  return false;
}

}  // namespace jig::detail
