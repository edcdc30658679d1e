// SPDX-License-Identifier: MIT
#include <jig/core/memory_layout.hpp>

#include <jig/core/view.hpp>

#include <doctest/doctest.h>

TEST_CASE("pointers with a layout deduce their element type") {
  float data[6] = {};
  static_assert(std::is_same_v<decltype(jig::row_major{data}), jig::row_major<float>>);
  static_assert(std::is_same_v<decltype(jig::column_major{static_cast<const float*>(data)}), jig::column_major<const float>>);
  CHECK(jig::column_major{data}.data == data);
}

TEST_CASE("types of views tell their layout") {
  using jig::detail::layout_of_view, jig::memory_layout;
  static_assert(layout_of_view<jig::view<int, 2, 3>> == memory_layout::strided);
  static_assert(layout_of_view<jig::view<int, 2>> == memory_layout::strided);
  static_assert(layout_of_view<jig::view<jig::row_major<int>, 2, 3>> == memory_layout::row_major);
  static_assert(layout_of_view<jig::dense_view<int, 2, 3>> == memory_layout::row_major);
  static_assert(layout_of_view<jig::view<jig::column_major<int>, 2, 3>> == memory_layout::column_major);
  // One axis without gaps lies the same way in both orders; a single element has none.
  static_assert(layout_of_view<jig::view<jig::column_major<int>, 2>> == memory_layout::row_major);
  static_assert(layout_of_view<jig::view<int>> == memory_layout::row_major);
}
