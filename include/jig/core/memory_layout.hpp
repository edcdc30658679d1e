// SPDX-License-Identifier: MIT
#pragma once
// Layouts: what a type tells of the order in which the elements of a view lie.

namespace jig {

/// How the elements of a view lie, as far as its type tells.
/// - `strided`: at any strides, which only the call knows (std::layout_stride);
/// - `row_major`: without gaps, the last axis fastest (std::layout_right);
/// - `column_major`: without gaps, the first axis fastest (std::layout_left).
enum class memory_layout : char { strided, row_major, column_major };

/// Elements that lie in row-major order without gaps: `view<row_major<float>, dyn, 3>`, or `view x(row_major{data}, m, n)`.
template <class T>
struct row_major {
  T* data;
};
template <class T>
row_major(T*) -> row_major<T>;

/// Elements that lie in column-major order without gaps: `view<column_major<float>, dyn, 3>`, or `view x(column_major{data}, m, n)`.
template <class T>
struct column_major {
  T* data;
};
template <class T>
column_major(T*) -> column_major<T>;

}  // namespace jig
