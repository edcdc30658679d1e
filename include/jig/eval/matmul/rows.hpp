// SPDX-License-Identifier: MIT
#pragma once
// Many rows times matrices of a few static extents, which stay in registers while rows pass.

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

/// `m` rows times one matrix.
template <index N, index K, class T>
[[gnu::noinline]] void multiply_held_rows(const product<T>& p, index m) {
  using tiles = small_tiles<T, 2, N>;
  using B = typename tiles::batch;
  constexpr index width = tiles::width, whole = (N + simd::lanes<T> - 1) / simd::lanes<T> * simd::lanes<T>;
  constexpr int registers = static_cast<int>(tiles::registers_of_row);
  constexpr index last = N < width ? 0 : N - width, count = N < width ? N : width;
  alignas(alignment) T packed[array_bound(K * whole)];
  const T* b = p.b;
  index b_row = p.b_row;
  if (p.b_col != 1) {
    pack_panel(packed, p.b, p.b_row, p.b_col, N, K);
    b = packed;
    b_row = whole;
  }
  B y[array_bound(K)][array_bound(registers)];
#pragma GCC unroll 32
  for (index k = 0; k < K; ++k)
#pragma GCC unroll 32
    for (int r = 0; r < registers; ++r) {
      const T* from = b + k * b_row + (r + 1 < registers ? r * width : last);
      y[k][r] = count < width ? simd::load_first<B>(from, count) : B::load_unaligned(from);
      simd::pin(y[k][r]);
    }
  const index pairs = m / 2 * 2;
  multiply_by_registers<N, K, 2>(pairs, p.a, p.a_row, p.a_col, y, p.c, p.c_row);
  if (pairs < m) multiply_by_registers<N, K, 1>(1, p.a + pairs * p.a_row, p.a_row, p.a_col, y, p.c + pairs * p.c_row, p.c_row);
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
      multiply_held_rows<N, K>(part, smaller(rows, p.m - i));
    }
}

}  // namespace jig::detail
