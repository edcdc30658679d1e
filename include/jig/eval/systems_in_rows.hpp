// SPDX-License-Identifier: MIT
#pragma once
// Systems of linear equations of many rows, which are computed a register at a time: in panels of columns, so that a row is loaded and
// stored once for several pivots.

#include <jig/eval/control.hpp>
#include <jig/eval/matrix_walk.hpp>
#include <jig/eval/simd.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace jig::detail {

/// A matrix whose rows are whole registers.
template <class T>
class register_rows {
  static constexpr index lanes = simd::lanes<T>;

 public:
  static constexpr index padded(index columns) { return (columns + lanes - 1) / lanes * lanes; }

  const index rows, stride;
  /// Zeros, and beside them memory for as many numbers as there are rows.
  register_rows(memory_source& memory, index row_count, index columns)
      : rows(row_count), stride(padded(columns)), memory_(memory, row_count * stride + row_count) {
    std::fill_n(memory_.data(), rows * stride, T(0));
  }
  T* operator[](index i) { return memory_.data() + i * stride; }
  T* factors() { return (*this)[rows]; }
  T& at(index i, index j) { return (*this)[i][j]; }

  void load(index from, index columns, const matrix_walk<const T>& m) {
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j) at(i, from + j) = m.data[i * m.row + j * m.column];
  }
  void store(const matrix_walk<T>& m, index from, index columns) {
    for (index i = 0; i < rows; ++i)
      for (index j = 0; j < columns; ++j) m.data[i * m.row + j * m.column] = at(i, from + j);
  }
  void swap(index i, index k) {
    T *const a = (*this)[i], *const b = (*this)[k];
    for (index j = 0; j < stride; j += lanes) {
      const auto x = simd::load(a + j), y = simd::load(b + j);
      simd::store(a + j, y);
      simd::store(b + j, x);
    }
  }
  /// Subtracts from row i, from column `from` on, which begins a register, `count` rows from `first` on, times these factors.
  void subtract(index i, const T* factors, index first, index count, index from) {
    T* const to = (*this)[i];
    const T* const by = (*this)[first];
    index j = from;
    for (; j + 4 * lanes <= stride; j += 4 * lanes) subtract_at<4>(to + j, factors, by + j, count);
    for (; j + lanes <= stride; j += lanes) subtract_at<1>(to + j, factors, by + j, count);
  }

 private:
  template <int Registers>
  [[gnu::always_inline]] void subtract_at(T* to, const T* factors, const T* by, index count) {
    using B = simd::batch<T>;
    B sum[array_bound(Registers)];
#pragma GCC unroll 4
    for (int r = 0; r < Registers; ++r) sum[r] = simd::load(to + r * lanes);
    for (index m = 0; m < count; ++m) {
      const B factor(factors[m]);
#pragma GCC unroll 4
      for (int r = 0; r < Registers; ++r) sum[r] = simd::multiply_add<true>(factor, simd::load(by + m * stride + r * lanes), sum[r]);
    }
#pragma GCC unroll 4
    for (int r = 0; r < Registers; ++r) simd::store(to + r * lanes, sum[r]);
  }

  spare_memory<T> memory_;
};

/// Eliminates what is below the diagonal, where factors are left. Returns the product of the pivots.
template <class T>
[[gnu::noinline]] T eliminate_rows(register_rows<T>& a) {
  using B = simd::batch<T>;
  constexpr index panel = simd::lanes<T>;
  const index n = a.rows;
  T product = 1;
  for (index first = 0; first < n; first += panel) {
    const index end = (std::min)(first + panel, n);
    for (index k = first; k < end; ++k) {
      index largest = k;
      for (index i = k + 1; i < n; ++i)
        if (std::abs(a.at(i, k)) > std::abs(a.at(largest, k))) largest = i;
      if (largest != k) {
        a.swap(largest, k);
        product = -product;
      }
      const T pivot = a.at(k, k), reciprocal = 1 / pivot;
      product *= pivot;
      if (pivot == 0) continue;
      // The rest of the panel; what lies before it has factors, which stay.
      T rest[array_bound(panel)] = {};
      for (index j = k + 1; j < (std::min)(first + panel, a.stride); ++j) rest[j - first] = a.at(k, j);
      const B row = simd::load(static_cast<const T*>(rest));
      const bool exactly = !(std::abs(reciprocal) <= (std::numeric_limits<T>::max)());
      for (index i = k + 1; i < n; ++i) {
        const T factor = exactly ? a.at(i, k) / pivot : a.at(i, k) * reciprocal;
        simd::store(a[i] + first, simd::multiply_add<true>(B(factor), row, simd::load(a[i] + first)));
        a.at(i, k) = factor;
      }
    }
    const index behind = first + panel;
    if (behind >= a.stride) continue;
    for (index i = first + 1; i < n; ++i) a.subtract(i, a[i] + first, first, (std::min)(i, end) - first, behind);
  }
  return product;
}

/// Solves triangular systems, whose matrix has these elements, for the columns from `from` on. Returns whether it has no zero on its
/// diagonal.
template <class T>
[[gnu::noinline]] bool substitute_rows(register_rows<T>& sides, index from, const T* matrix, index row, index column, bool upper) {
  using B = simd::batch<T>;
  const index n = sides.rows;
  for (index step = 0; step < n; ++step) {
    const index i = upper ? n - 1 - step : step, first = upper ? i + 1 : 0;
    for (index m = 0; m < step; ++m) sides.factors()[m] = matrix[i * row + (first + m) * column];
    sides.subtract(i, sides.factors(), first, step, from);
    const T pivot = matrix[i * (row + column)];
    if (pivot == 0) return false;
    for (index j = from; j < sides.stride; j += simd::lanes<T>) simd::store(sides[i] + j, simd::load(sides[i] + j) / B(pivot));
  }
  return true;
}

/// The Cholesky factor, transposed, from the upper triangle. Returns whether there is one.
template <class T>
[[gnu::noinline]] bool factor_rows(register_rows<T>& a) {
  using B = simd::batch<T>;
  constexpr index lanes = simd::lanes<T>;
  for (index k = 0; k < a.rows; ++k) {
    // What is before the diagonal is nobody's.
    const index from = k / lanes * lanes;
    for (index m = 0; m < k; ++m) a.factors()[m] = a.at(m, k);
    a.subtract(k, a.factors(), 0, k, from);
    const T pivot = a.at(k, k);
    if (pivot <= 0) return false;
    const T root = std::sqrt(pivot);
    for (index j = from; j < a.stride; j += lanes) simd::store(a[k] + j, simd::load(a[k] + j) / B(root));
    a.at(k, k) = root;
  }
  return true;
}

}  // namespace jig::detail
