// SPDX-License-Identifier: MIT
#pragma once
// What views take of the axes of their inputs.

#include <jig/core/shape.hpp>

#include <algorithm>

namespace jig {

/// A place on an axis, counted from its start or from its end.
struct axis_position {
  bool from_end = false;
  index offset = 0;
};

/// A slice of an axis: every step-th element of low … high, a half-open stretch; backwards from the last one where step is negative.
struct axis_slice {
  axis_position low, high;
  index step = 1;
  bool single = false;  // one position, whose axis goes
};

/// What a view takes of an axis of its input, and which axis of the result that is; -1 where the axis goes.
struct taken_axis {
  axis_slice slice;
  int to = -1;
};

namespace detail {

constexpr axis_slice whole_axis{{false, 0}, {true, 0}};

// No axis reaches as far, so that sums of a few places can be counted.
constexpr index within_reach(index e) { return std::clamp(e, -2 * most_bytes, 2 * most_bytes); }
constexpr axis_position position_on_axis(index bound, index shift) { return {bound < 0, within_reach(bound) + shift}; }

constexpr index place_on_axis(axis_position p, index extent) { return p.from_end ? extent + p.offset : p.offset; }

// A stretch keeps to its axis, as in NumPy; one position has to be on it.
constexpr index place_on_axis(const axis_slice& s, axis_position p, index extent) {
  const index place = place_on_axis(p, extent);
  return s.single ? place : std::clamp(place, index{0}, extent);
}

// Where the first place lies that a slice takes of an axis: anywhere if there is none.
constexpr index first_place(const axis_slice& s, index extent) {
  return s.step < 0 ? place_on_axis(s, s.high, extent) - 1 : place_on_axis(s, s.low, extent);
}
// How many places a slice takes of an axis.
constexpr index places_of_slice(const axis_slice& s, index extent) {
  const index places = place_on_axis(s, s.high, extent) - place_on_axis(s, s.low, extent), step = s.step < 0 ? -s.step : s.step;
  return places > 0 ? (places - 1) / step + 1 : 0;
}
// How far apart places are that a slice takes of an axis with this stride. A step that leads further than memory goes makes one element,
// whose stride is never used.
constexpr index stride_of_slice(const axis_slice& s, index stride) {
  index apart = 0;
  (void)multiply_extents(s.step, stride, apart);
  return apart;
}

}  // namespace detail

}  // namespace jig
