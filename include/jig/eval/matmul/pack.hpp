// SPDX-License-Identifier: MIT
#pragma once
// Copies of operands in the order in which tiles read them.

#include <jig/eval/matmul/tile.hpp>

namespace jig::detail {

// Copies k x columns of b, whose columns lie along k, a square of registers at a time.
template <class T>
void pack_columns(T* to, index row, const T* b, index b_col, index columns, index k) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  for (index j = 0; j < columns; j += width) {
    for (index p = 0; p < k; p += width) {
      const index count = k - p < width ? k - p : width;
      const T* from = b + j * b_col + p;
      B x[array_bound(width)];
#pragma GCC unroll 32
      for (index i = 0; i < width; ++i) {
        if (i >= columns - j) x[i] = B(T(0));
        else x[i] = count == width ? B::load_unaligned(from + i * b_col) : simd::load_first<B>(from + i * b_col, count);
      }
      simd::transpose(x);
#pragma GCC unroll 32
      for (index i = 0; i < width; ++i)
        if (i < count) x[i].store_unaligned(to + (p + i) * row + j);
    }
  }
}

// Copies k x columns of b so that each row is as long as whole registers hold.
template <class T>
[[gnu::noinline]] void pack_panel(T* to, const T* b, index b_row, index b_col, index columns, index k) {
  using B = simd::batch<T>;
  constexpr index width = simd::lanes<T>;
  const index row = (columns + width - 1) / width * width;
  if (b_col == 1) {
    for (index p = 0; p < k; ++p, to += row, b += b_row) {
      index j = 0;
      for (; j + width <= columns; j += width) B::load_unaligned(b + j).store_unaligned(to + j);
      if (j < columns) simd::load_first<B>(b + j, columns - j).store_unaligned(to + j);
    }
    return;
  }
  if constexpr (sizeof(T) >= 4)
    if (b_row == 1) return pack_columns(to, row, b, b_col, columns, k);
  for (index j = 0; j < row; ++j)
    for (index p = 0; p < k; ++p) to[p * row + j] = j < columns ? b[p * b_row + j * b_col] : T(0);
}

// Copies m x k of a to consecutive memory, along the direction in which it lies already.
template <class T>
void pack_block(T* to, const T* a, index a_row, index a_col, index m, index k, index& row, index& col) {
  const bool by_column = a_row == 1 && a_col != 1;
  const index lines = by_column ? k : m, length = by_column ? m : k;
  const index line = by_column ? a_col : a_row, next = by_column ? a_row : a_col;
  for (index i = 0; i < lines; ++i, to += length, a += line) {
    if (next == 1) std::memcpy(to, a, static_cast<std::size_t>(length) * sizeof(T));
    else
      for (index q = 0; q < length; ++q) to[q] = a[q * next];
  }
  row = by_column ? 1 : length;
  col = by_column ? length : 1;
}

}  // namespace jig::detail
