// SPDX-License-Identifier: MIT
#pragma once
// One row times a matrix of static extents, as the cells of recurrent layers have them: all of the result, or as much of it as there are
// registers for, stays in them while the rows of the matrix pass, each of which is read once.

#include <jig/eval/matmul/small.hpp>

namespace jig::detail {

template <class T, index N>
struct row_tiles {
  static constexpr index width = small_tiles<T, 1, N>::width;
  static constexpr int all = static_cast<int>(small_tiles<T, 1, N>::registers_of_row);
  static constexpr int most = simd::registers == 32 ? 16 : 8;
  static constexpr int groups = (all + most - 1) / most;
  static constexpr int registers = (all + groups - 1) / groups;
  /// Sums for each register: so many that follow one another hide the latency of all.
  static constexpr int sums = registers >= 8 ? 1 : (8 + registers - 1) / registers < 4 ? (8 + registers - 1) / registers : 4;
};

/// Whether a product is one row of at least a register full times a matrix that is read in place.
template <class T, bool TransposeB, index M, index N, index K>
inline constexpr bool is_row_product = [] {
  if constexpr (M == 1 && N >= 8 && N <= 512 && K > 0 && K <= 512 && !(TransposeB && K > 1) && sizeof(T) >= 4)
    return N >= row_tiles<T, N>::width;
  else return false;
}();

/// Whether all of the row is computed before any of it is stored.
template <class T, index N>
inline constexpr bool is_one_row_tile = row_tiles<T, N>::groups == 1;

template <index N, index K, class T>
[[gnu::always_inline]] inline void multiply_row_inline(const T* x, const T* b, T* c) {
  using tiles = row_tiles<T, N>;
  using B = simd::sized_batch<T, tiles::width>;
  constexpr index width = tiles::width, columns = tiles::registers * width;
  constexpr int registers = tiles::registers, sums = static_cast<int>(smaller(tiles::sums, K));
  // The last register may begin before the one ahead of it ends, and so may the last group.
  constexpr auto place = [](int r) { return smaller(r * width, N - width); };
#pragma GCC unroll 1
  for (index j = 0; j < N; j += columns) {
    const index column = j == 0 || j + columns <= N ? j : N - columns;
    B sum[array_bound(sums)][array_bound(registers)];
    clear(sum);
    const T* from = b + column;
    auto row = [&](int s, index p) __attribute__((always_inline)) {
      const B y(x[p]);
#pragma GCC unroll 32
      for (int r = 0; r < registers; ++r) sum[s][r] = simd::multiply_add(y, B::load_unaligned(from + p * N + place(r)), sum[s][r]);
    };
    if constexpr (K * registers <= 64) {
#pragma GCC unroll 64
      for (index p = 0; p < K; ++p) row(static_cast<int>(p % sums), p);
    } else {
      index p = 0;
#pragma GCC unroll 1
      for (; p + sums <= K; p += sums)
#pragma GCC unroll 4
        for (int s = 0; s < sums; ++s) row(s, p + s);
#pragma GCC unroll 4
      for (int s = 0; s < static_cast<int>(K % sums); ++s) row(s, p + s);
    }
#pragma GCC unroll 32
    for (int r = 0; r < registers; ++r) {
      if constexpr (sums == 4) {
        sum[0][r] = (sum[0][r] + sum[1][r]) + (sum[2][r] + sum[3][r]);
      } else {
#pragma GCC unroll 4
        for (int s = 1; s < sums; ++s) sum[0][r] += sum[s][r];
      }
      sum[0][r].store_unaligned(c + column + place(r));
    }
  }
}

// The same in the program once.
template <index N, index K, class T>
[[gnu::noinline]] void multiply_row(const T* x, const T* b, T* c) {
  multiply_row_inline<N, K>(x, b, c);
}

}  // namespace jig::detail
