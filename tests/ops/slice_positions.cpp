// SPDX-License-Identifier: MIT
#include <jig/ops/slice_positions.hpp>

#include <doctest/doctest.h>

#include <jig/ops/strided_slice.hpp>

namespace {

using jig::index;

// What a StridedSlice with these attributes takes of an axis of ten elements: the first place, and how many.
constexpr jig::detail::taken_positions taken(const jig::detail::slice_positions& p, int axis) {
  return jig::detail::with_attributes(p, [&](jig::stretch<jig::attribute_view> with) {
    const auto s = jig::detail::slice_of_axis(with, axis);
    const index low = jig::detail::place_on_axis(s, s.low, 10), high = jig::detail::place_on_axis(s, s.high, 10);
    const index step = s.step < 0 ? -s.step : s.step;
    return jig::detail::taken_positions{s.step > 0 ? low : high - 1, (high - low + step - 1) / step};
  });
}
constexpr bool are(const jig::detail::taken_positions& t, index first, index count) { return t.first == first && t.count == count; }

}  // namespace

TEST_CASE("what is said of axes is what a slice with the attributes takes") {
  constexpr auto p = [] {
    jig::detail::slice_positions out;
    out.add(2, 3, 2);
    out.add(9, -4, 3);
    out.add(4, 1, 1, true);
    out.add_whole(10);
    out.add_whole(jig::dyn);
    out.add_within(1, 3);
    out.add_between(5, true, 0, true);
    out.add_between(1, false, 4, false);
    return out;
  };
  static_assert(p().rank == 8 && p().shrink_mask == 4);
  static_assert(are(taken(p(), 0), 2, 2) && are(taken(p(), 1), 9, 3) && are(taken(p(), 2), 4, 1));
  static_assert(are(taken(p(), 3), 0, 10) && are(taken(p(), 4), 0, 10) && are(taken(p(), 5), 1, 6));
  static_assert(are(taken(p(), 6), 5, 5) && are(taken(p(), 7), 1, 3));
  // What another slice takes of its axes, taken again in another order.
  constexpr auto again = [=] {
    return jig::detail::with_attributes(p(), [](jig::stretch<jig::attribute_view> with) {
      jig::detail::slice_positions out;
      for (const int axis : {6, 2, 1, 5}) out.add_of(with, axis);
      return out;
    });
  };
  static_assert(again().rank == 4 && again().shrink_mask == 2);
  static_assert(are(taken(again(), 0), 5, 5) && are(taken(again(), 1), 4, 1) && are(taken(again(), 2), 9, 3) &&
                are(taken(again(), 3), 1, 6));
}
