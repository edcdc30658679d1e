// SPDX-License-Identifier: MIT
#include <jig/graph/axis_slice.hpp>

#include <jig/ops/strided_slice.hpp>
#include <jig/ops/transpose.hpp>

#include <doctest/doctest.h>

#include <vector>

using jig::axis_slice;
using jig::taken_axis;

TEST_CASE("the first place of a slice, from its bounds one by one") {
  for (jig::index n = 0; n < 7; ++n)
    for (const bool low_from_end : {false, true})
      for (const bool high_from_end : {false, true})
        for (jig::index low = 0; low < 9; ++low)
          for (jig::index high = 0; high < 9; ++high)
            for (const jig::index step : {-3, -1, 1, 2}) {
              const axis_slice s{{low_from_end, low_from_end ? -low : low}, {high_from_end, high_from_end ? -high : high}, step};
              std::vector<jig::index> places;
              for (jig::index i = 0; i < n; ++i)
                if (i >= (low_from_end ? n - low : low) && i < (high_from_end ? n - high : high)) places.push_back(i);
              if (places.empty()) continue;
              CHECK(jig::detail::first_place(s, n) == (step < 0 ? places.back() : places.front()));
            }
}

TEST_CASE("one position stays where it is") {
  const axis_slice last{{true, -1}, {true, 0}, 1, true}, third{{false, 2}, {false, 3}, 1, true};
  CHECK(jig::detail::first_place(last, 5) == 4);
  CHECK(jig::detail::first_place(third, 5) == 2);
}

TEST_CASE("strides of slices, also of steps beyond memory") {
  static_assert(jig::detail::stride_of_slice({{}, {}, -2}, 3) == -6);
  const jig::index far = jig::detail::stride_of_slice({{}, {}, jig::index{1} << 61}, 24);
  CHECK(far == 0);
}

TEST_CASE("which axis of the result an axis is") {
  const auto takes = [](const jig::op& kind, jig::stretch<jig::attribute_view> with, int rank) {
    std::vector<int> to;
    for (int a = 0; a < rank; ++a) to.push_back(kind.takes(with, a, rank).to);
    return to;
  };
  using jig::attributes;
  using jig::integer;
  using jig::integers;
  CHECK(takes(jig::ops::transpose, attributes<integers<"perm", 2, 0, 1>>::view(), 3) == std::vector{1, 2, 0});
  CHECK(takes(jig::ops::transpose, attributes<integers<"perm", -1, 0, -2>>::view(), 3) == std::vector{1, 2, 0});
  CHECK(takes(jig::ops::reverse, attributes<integers<"axis", -1>>::view(), 2) == std::vector{0, 1});
  const taken_axis back = jig::ops::reverse.takes(attributes<integers<"axis", -1>>::view(), 1, 2);
  CHECK(back.slice.step == -1);
  CHECK(jig::ops::reverse.takes(attributes<integers<"axis", -1>>::view(), 0, 2).slice.step == 1);
  // The second axis goes, and nothing is said of the last one.
  using given = attributes<integers<"begin", 1, 4, 0>, integers<"end", 3, 5, 9>, integers<"strides", 1, 1, 2>, integer<"begin_mask", 0>,
                           integer<"end_mask", 0>, integer<"shrink_axis_mask", 2>>;
  CHECK(takes(jig::ops::strided_slice, given::view(), 4) == std::vector{0, -1, 1, 2});
  CHECK(jig::ops::strided_slice.takes(given::view(), 2, 4).slice.step == 2);
}
