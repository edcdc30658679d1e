// SPDX-License-Identifier: MIT
#pragma once
// What a kernel with tiles does with each of them.

#include <jig/core/extent.hpp>

namespace jig {

/// What a kernel with tiles calls with every rectangle of its result, each element once, when it is complete. A result of any rank counts
/// as one matrix here: the columns run along its last axis, the rows along all others together, in row-major order.
struct tile_epilogue {
  void (*run)(const void* context, index row, index rows, index column, index columns) = nullptr;
  const void* context = nullptr;
  /// Where the part of the result begins in which the kernel counts, and how many rows of the result lie from one of its rows to the next.
  index first_row = 0, first_column = 0, row_step = 1;
  /// Whether a rectangle had better have whole rows, though it is larger then.
  bool whole_rows = false;

  void operator()(index row, index rows, index column, index columns) const {
    if (run == nullptr) return;
    if (row_step == 1) return run(context, first_row + row, rows, first_column + column, columns);
    for (const index end = row + rows; row < end; ++row) run(context, first_row + row * row_step, 1, first_column + column, columns);
  }
  /// The same for a part that begins at this row and column of this one.
  tile_epilogue from(index row, index column) const {
    tile_epilogue part = *this;
    part.first_row += row * row_step;
    part.first_column += column;
    return part;
  }
};

}  // namespace jig
