// SPDX-License-Identifier: MIT
#pragma once
// Matrix products in memory that kernels are called with directly, beside what plain loops make of the same numbers.

#include <jig/eval/matmul/tile.hpp>

#include <vector>

/// How a matrix lies, in elements from row to row and from column to column.
struct matrix_lies {
  jig::index row, column;
};

/// Operands of small whole numbers, whose sums are exact, and a result in which nothing is computed yet.
template <class T>
struct plain_product {
  using index = jig::index;
  static constexpr T untouched = 77;

  index m, n, k;
  matrix_lies a_lies, b_lies;
  index c_row;
  std::vector<T> a, b, c;

  plain_product(index rows, index columns, index length, matrix_lies lies_a, matrix_lies lies_b, index row_of_c)
      : m(rows),
        n(columns),
        k(length),
        a_lies(lies_a),
        b_lies(lies_b),
        c_row(row_of_c),
        a(numbers(m, k, a_lies, 3)),
        b(numbers(k, n, b_lies, 5)),
        c(static_cast<std::size_t>(m == 0 ? 0 : (m - 1) * c_row + n) + 1, untouched) {}
  /// All rows one after another.
  plain_product(index rows, index columns, index length) : plain_product(rows, columns, length, {length, 1}, {columns, 1}, columns) {}

  jig::detail::product<T> operands() {
    return {a.data(), a_lies.row, a_lies.column, b.data(), b_lies.row, b_lies.column, c.data(), c_row, m, n, k};
  }
  T expected(index i, index j) const {
    T sum = 0;
    for (index p = 0; p < k; ++p)
      sum = static_cast<T>(sum + a[at(i * a_lies.row + p * a_lies.column)] * b[at(p * b_lies.row + j * b_lies.column)]);
    return sum;
  }
  /// How many elements of the result are wrong, or were written although they lie between rows or behind them.
  int wrong(T added = 0) const {
    int count = 0;
    std::vector<T> all(c.size(), untouched);
    for (index i = 0; i < m; ++i)
      for (index j = 0; j < n; ++j) all[at(i * c_row + j)] = static_cast<T>(expected(i, j) + added);
    for (std::size_t q = 0; q < c.size(); ++q) count += c[q] != all[q];
    return count;
  }

 private:
  static std::size_t at(index i) { return static_cast<std::size_t>(i); }
  static std::vector<T> numbers(index rows, index columns, matrix_lies lies, index salt) {
    const index size = rows * columns == 0 ? 0 : (rows - 1) * lies.row + (columns - 1) * lies.column + 1;
    std::vector<T> out(at(size));
    for (index q = 0; q < size; ++q) out[at(q)] = static_cast<T>((q * salt + q / 7) % 6);
    return out;
  }
};
