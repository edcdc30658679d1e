// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/space.hpp>

#include <jig/core/any_rank_view.hpp>

#include <doctest/doctest.h>

TEST_CASE("axes of space that a view does not have are of one element, in front") {
  float data[1] = {};
  const jig::shape extents{3, {2, 5, 7}}, strides{3, {100, 10, 1}};
  const auto x = jig::detail::space_of<float>(jig::any_rank_view<float>(data, extents, strides));
  CHECK(x.data == data);
  CHECK((x.batch == 2 && x.batch_stride == 100 && x.channels == 7 && x.channel_stride == 1));
  CHECK((x.extents[0] == 1 && x.extents[1] == 1 && x.extents[2] == 5 && x.strides[2] == 10));
  const auto w = jig::detail::filter_of<float>(jig::any_rank_view<float>(data, extents, strides));
  CHECK((w.taps[0] == 1 && w.taps[1] == 1 && w.taps[2] == 2 && w.strides[2] == 100));
  CHECK((w.in == 5 && w.in_stride == 10 && w.out == 7 && w.out_stride == 1));
}
