// SPDX-License-Identifier: MIT
#pragma once
// Between which numbers the elements of an integer are, as far as a graph tells.

#include <jig/core/extent.hpp>
#include <jig/core/stretch.hpp>

namespace jig {

/// Between which numbers, both included, the elements of a value are.
struct value_range {
  index low = 0, high = -1;  // the other way round: nobody knows

  constexpr bool exists() const { return low <= high; }
  constexpr bool is_within(const value_range& other) const { return exists() && low >= other.low && high <= other.high; }
  /// Where the elements of either are.
  constexpr value_range with(const value_range& other) const {
    return {low < other.low ? low : other.low, high > other.high ? high : other.high};
  }
  /// Where the products of elements of both are.
  constexpr value_range times(const value_range& other) const {
    const index corners[] = {low * other.low, low * other.high, high * other.low, high * other.high};
    value_range out{corners[0], corners[0]};
    for (index c : corners) out = out.with({c, c});
    return out;
  }
};

/// Where the elements of a node's inputs are: all of them are known, and so small that products of two of them fit an index.
struct known_ranges {
  stretch<value_range> inputs;
  index count = 1;  // of a reduction: of how many elements each one of the result is made

  constexpr const value_range& operator[](std::size_t i) const { return inputs[i]; }
};

}  // namespace jig
