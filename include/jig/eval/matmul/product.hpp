// SPDX-License-Identifier: MIT
#pragma once
// Any one product: picks the kernel for its extents and strides.

#include <jig/eval/matmul/blocked.hpp>
#include <jig/eval/matmul/vector.hpp>
#ifdef JIG_USE_CBLAS
#include <cblas.h>
#endif

namespace jig::detail {

// Whether it was one of those products that need no blocks.
template <class T>
bool multiply_at_once(const product<T>& p, memory_source& memory) {
  if (p.k == 0) {
    for (index i = 0; i < p.m; ++i)
      for (index j = 0; j < p.n; ++j) p.c[i * p.c_row + j] = T(0);
    return true;
  }
  if (p.m == 1 && multiply_vector(p.a, p.a_col, p.b, p.b_row, p.b_col, p.c, p.n, p.k, memory)) return true;
  return p.n == 1 && p.c_row == 1 && multiply_vector(p.b, p.b_row, p.a, p.a_col, p.a_row, p.c, p.m, p.k, memory);
}

#ifdef JIG_USE_CBLAS
// How CBLAS reads a matrix whose rows or columns lie next to each other; no distance if it cannot.
struct cblas_operand {
  CBLAS_TRANSPOSE transpose = CblasNoTrans;
  index distance = 0;
};
inline cblas_operand cblas_operand_of(index rows, index columns, index row, index column) {
  if (column == 1 && row >= columns) return {CblasNoTrans, row};
  if (row == 1 && column >= rows) return {CblasTrans, column};
  return {};
}

// Large products of floating dtypes, by the library that the program is linked with.
template <class T>
bool multiply_with_cblas(const product<T>& p) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) {
    constexpr index most = 0x7fffffff;  // its integers may have 32 bits
    // Below that many multiplications our own kernels are no slower, and need no threads.
    if (p.m * p.n * p.k < index{256} * 256 * 256 || p.m < 16 || p.n < 16) return false;
    const cblas_operand a = cblas_operand_of(p.m, p.k, p.a_row, p.a_col), b = cblas_operand_of(p.k, p.n, p.b_row, p.b_col);
    if (a.distance == 0 || b.distance == 0) return false;
    for (index x : {p.m, p.n, p.k, a.distance, b.distance, p.c_row})
      if (x > most) return false;
    auto call = [&](auto gemm) {
      auto number = [](index x) { return static_cast<int>(x); };
      gemm(CblasRowMajor, a.transpose, b.transpose, number(p.m), number(p.n), number(p.k), T(1), p.a, number(a.distance), p.b,
           number(b.distance), T(0), p.c, number(p.c_row));
    };
    if constexpr (std::is_same_v<T, float>) call(cblas_sgemm);
    else call(cblas_dgemm);
    return true;
  } else {
    return false;
  }
}
#endif

// In as little code as possible.
template <class T>
[[gnu::noinline]] void multiply_plainly(const product<T>& p) {
  for (index i = 0; i < p.m; ++i)
    for (index j = 0; j < p.n; ++j) {
      T sum(0);
      for (index k = 0; k < p.k; ++k) sum = static_cast<T>(sum + p.a[i * p.a_row + k * p.a_col] * p.b[k * p.b_row + j * p.b_col]);
      p.c[i * p.c_row + j] = sum;
    }
}

// What it packs lies in `memory`.
template <class T>
[[gnu::noinline]] void multiply(const product<T>& p, const tile_epilogue& then, memory_source& memory) {
  if (p.m == 0 || p.n == 0) return;
#ifdef JIG_USE_CBLAS
  if (multiply_with_cblas(p)) return then(0, p.m, 0, p.n);
#endif
  if (multiply_at_once(p, memory)) then(0, p.m, 0, p.n);
  else if (is_shared_product(p)) [[unlikely]] multiply_in_blocks(p, then);
  else multiply_blocked(p, then, memory);
}

}  // namespace jig::detail
