// SPDX-License-Identifier: MIT
#pragma once
// What a StridedSlice takes of each axis of a value.

#include <jig/graph/graph_view.hpp>
#include <jig/ops/strided_slice.hpp>

namespace jig::detail {

/// What a slice takes of a tensor, axis by axis.
struct slice_of_value {
  int node = -1;
  shape from;
  axis_slice axes[max_rank] = {};

  constexpr slice_of_value() = default;
  constexpr slice_of_value(const graph_view& g, int v) : node(v), from(g.spec(g.inputs_of(v)[0]).shape) {
    const list<attribute_view> with = g.node(v).attributes();
    const auto given = static_cast<int>(g.node(v).attribute("begin").values.size());
    for (int a = 0; a < from.rank; ++a) axes[a] = a < given ? slice_of_axis(with, a) : whole_axis;
  }
  constexpr bool takes_all(int a) const {
    const axis_slice& s = axes[a];
    if (from[a] == 1) return !s.single && place_on_axis(s, s.high, 1) > place_on_axis(s, s.low, 1);
    const bool to_end = s.high.from_end ? s.high.offset == 0 : is_static_extent(from[a]) && s.high.offset >= from[a];
    return !s.single && s.step == 1 && !s.low.from_end && s.low.offset == 0 && to_end;
  }
  constexpr bool takes_all() const {
    for (int a = 0; a < from.rank; ++a)
      if (!takes_all(a)) return false;
    return true;
  }
  constexpr bool operator==(const slice_of_value& o) const {
    for (int a = 0; a < from.rank; ++a) {
      const axis_slice &s = axes[a], &t = o.axes[a];
      if (takes_all(a) != o.takes_all(a)) return false;
      if (takes_all(a)) continue;
      if (s.step != t.step || s.single != t.single || s.low.from_end != t.low.from_end || s.low.offset != t.low.offset ||
          s.high.from_end != t.high.from_end || s.high.offset != t.high.offset)
        return false;
    }
    return true;
  }
  /// Whether no element is in both.
  constexpr bool is_apart_from(const slice_of_value& o) const {
    for (int a = 0; a < from.rank; ++a)
      if (are_apart(axes[a], o.axes[a], from[a])) return true;
    return false;
  }

 private:
  static constexpr bool are_apart(const axis_slice& s, const axis_slice& t, index extent) {
    const index step = s.step < 0 ? -s.step : s.step;
    const bool alike = step == (t.step < 0 ? -t.step : t.step) && step > 1;
    if (!is_static_extent(extent)) return false;
    const auto low = [&](const axis_slice& x) { return place_on_axis(x, x.low, extent); };
    const auto high = [&](const axis_slice& x) { return place_on_axis(x, x.high, extent); };
    if (high(s) <= low(t) || high(t) <= low(s)) return true;
    return alike && (first_place(s, extent) - first_place(t, extent)) % step != 0;
  }
};

}  // namespace jig::detail
