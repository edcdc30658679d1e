// SPDX-License-Identifier: MIT
#pragma once
// What a StridedSlice takes, written as its attributes, axis by axis.

#include <jig/graph/attribute.hpp>

namespace jig::detail {

/// The attributes of a StridedSlice.
struct slice_positions {
  bool exists = false;
  index begin[max_rank] = {}, end[max_rank] = {}, strides[max_rank] = {};
  index end_mask = 0, shrink_mask = 0;
  int rank = 0;

  constexpr void add(index first, index step, index count, bool shrinks = false) {
    const index last = first + step * count;
    begin[rank] = first;
    strides[rank] = step;
    end[rank] = last < 0 ? 0 : last;
    if (last < 0) end_mask |= index{1} << rank;
    if (shrinks) shrink_mask |= index{1} << rank;
    ++rank;
  }
  /// What a StridedSlice takes of an axis.
  constexpr void add_of(stretch<attribute_view> attributes, int axis) {
    const auto value = [&](const char* key) { return find_attribute(attributes, key).values[static_cast<std::size_t>(axis)]; };
    const auto mask = [&](const char* key) { return find_attribute(attributes, key).values[0] >> axis & 1; };
    strides[rank] = value("strides");
    begin[rank] = mask("begin_mask") == 0 ? value("begin") : strides[rank] > 0 ? 0 : -1;
    end[rank] = value("end");
    end_mask |= mask("end_mask") << rank;
    shrink_mask |= mask("shrink_axis_mask") << rank;
    ++rank;
  }
  /// All but so many places before and behind.
  constexpr void add_within(index before, index behind) { add_between(before, false, behind, true); }
  /// From one place to another one, each counted from the start or from the end.
  constexpr void add_between(index low, bool low_from_end, index high, bool high_from_end) {
    begin[rank] = low_from_end ? -low : low;
    end[rank] = high_from_end ? -high : high;
    strides[rank] = 1;
    if (high_from_end && high == 0) end_mask |= index{1} << rank;
    ++rank;
  }
  constexpr void add_whole(index extent) {
    add(0, 1, is_static_extent(extent) ? extent : 0);
    if (!is_static_extent(extent)) end_mask |= index{1} << (rank - 1);
  }
};

/// Calls f with the attributes, as long as they last.
template <class F>
constexpr auto with_attributes(const slice_positions& p, F f) {
  const auto count = static_cast<std::size_t>(p.rank);
  constexpr index none = 0;
  const attribute_view with[] = {{"begin", attribute_kind::integers, {p.begin, count}, {}, {}},
                                 {"end", attribute_kind::integers, {p.end, count}, {}, {}},
                                 {"strides", attribute_kind::integers, {p.strides, count}, {}, {}},
                                 {"begin_mask", attribute_kind::integer, {&none, 1}, {}, {}},
                                 {"end_mask", attribute_kind::integer, {&p.end_mask, 1}, {}, {}},
                                 {"shrink_axis_mask", attribute_kind::integer, {&p.shrink_mask, 1}, {}, {}}};
  return f(stretch<attribute_view>(with));
}

}  // namespace jig::detail
