// SPDX-License-Identifier: MIT
#include <jig/eval/convolution/spread.hpp>

#include <jig/core/any_rank_view.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace spread_channels_test {
namespace {

using jig::index;
using jig::detail::channel_groups;
constexpr index lanes = jig::simd::lanes<float>;

}  // namespace

TEST_CASE("every lane gets the elements of its group, whatever lies how") {
  int wrong = 0;
  for (const index count : {index{2}, lanes - 1, lanes, lanes + 1})
    for (index rows = 1; rows <= 3; ++rows)
      for (index columns = 1; 4 * columns <= lanes; ++columns)
        for (const bool channels_last : {true, false}) {
          const channel_groups groups{count, rows, columns};
          constexpr index batch = 2, length = 3;
          const index channels = count * rows;
          std::vector<float> x(static_cast<std::size_t>(batch * length * channels));
          for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
          const jig::shape extents{3, {batch, length, channels}},
              strides{3, {length * channels, channels_last ? channels : 1, channels_last ? 1 : length}};
          const auto from = jig::detail::space_of<const float>(jig::any_rank_view<const float>(x.data(), extents, strides));
          const index elements = jig::detail::spread_elements<float>(groups, batch * length, channels_last);
          std::vector<float> memory(static_cast<std::size_t>(elements));
          const auto to = jig::detail::spread(memory.data(), from, groups);
          // One channel for each lane is there already.
          if ((elements == 0) != (rows == 1 && columns == 1 && channels_last)) ++wrong;
          for (index n = 0; n < batch; ++n)
            for (index i = 0; i < length; ++i)
              for (index row = 0; row < rows; ++row)
                for (index lane = 0; lane < groups.lanes(); ++lane) {
                  const index channel = lane / columns * rows + row;
                  const float expected = x[static_cast<std::size_t>(n * strides[0] + i * strides[1] + channel * strides[2])];
                  if (to.data[n * to.batch_stride + i * to.strides[2] + row * to.channel_stride + lane] != expected) ++wrong;
                }
        }
  CHECK(wrong == 0);
}

TEST_CASE("lanes run along groups where those of one fill a quarter of a register at most") {
  static_assert(!channel_groups{1, 1, 1}.are_lanes<float>());
  static_assert(channel_groups{2, 9, lanes / 4}.are_lanes<float>() == (lanes >= 4));
  static_assert(!channel_groups{2, 9, lanes / 4 + 1}.are_lanes<float>());
  static_assert(jig::detail::spread_elements<float>({1, 3, 1}, 10, true) == 0);
  static_assert(jig::detail::spread_bytes<float>({2, 1, 1}, 0, false) == 0);
  CHECK(jig::detail::spread_bytes<float>({2, 1, 1}, 10, false) >= 20 * sizeof(float));
}

}  // namespace spread_channels_test
