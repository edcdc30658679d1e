// SPDX-License-Identifier: MIT
#pragma once
// Which dtypes the operands of a kernel hold: what tells run-time tensors' programs for which types to make it.

#include <jig/core/dtype.hpp>

namespace jig {

/// Sets of dtypes that an op takes.
enum kinds : unsigned { floats = 1, integers_only = 2, booleans = 4, strings = 8, numbers = 3, anything = 15 };

/// What a result of a kernel holds.
enum class result_kind : unsigned char { elements, int32, int64 };

/// What the operands of a kernel hold. Those that are nothing special hold elements, which are all of one dtype.
struct kernel_operands {
  unsigned elements = anything;  // kinds of their dtypes
  bool moves = false;            // elements are only copied: bits of the same size will do
  bool stores = true;            // elements may be of a storage dtype
  bool is_list = false;          // the inputs from `first_of_list` on are one list
  int first_of_list = 0;
  unsigned positions = 0;  // bit i: input i holds integers of any dtype
  unsigned shapes = 0;     // bit i: input i is looked at for its extents only
  result_kind results[2] = {};
};

namespace detail {

constexpr bool is_of(dtype d, unsigned kinds_set) {
  unsigned kind = is_floating(d) ? floats : is_integer(d) ? integers_only : d == dtype::boolean ? booleans : strings;
  return (kind & kinds_set) != 0;
}

}  // namespace detail

}  // namespace jig
