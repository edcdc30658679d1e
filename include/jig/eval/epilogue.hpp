// SPDX-License-Identifier: MIT
#pragma once
// What a kernel with tiles does with each of them.

#include <jig/core/extent.hpp>

namespace jig {

/// What a kernel with tiles calls with every rectangle of its result, each element once, when it is complete.
struct tile_epilogue {
  void (*run)(const void* context, index row, index rows, index column, index columns) = nullptr;
  const void* context = nullptr;
  /// Where the part of the result begins in which the kernel counts.
  index first_row = 0, first_column = 0;
  void operator()(index row, index rows, index column, index columns) const {
    if (run != nullptr) run(context, first_row + row, rows, first_column + column, columns);
  }
};

}  // namespace jig
