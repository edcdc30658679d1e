// SPDX-License-Identifier: MIT
#pragma once
// Operands of convolutions with small groups of channels, whose registers hold the channels of several groups: every lane of a result
// reads an element of its own.

#include <jig/eval/convolution/space.hpp>
#include <jig/eval/partial_registers.hpp>
#include <jig/eval/workspace.hpp>

namespace jig::detail {

/// Groups of channels: `rows` of the operand for `columns` of the result in each.
struct channel_groups {
  index count = 1, rows = 0, columns = 0;
  constexpr index lanes() const { return count * columns; }
  /// Whether lanes run along the channels of several groups: where those of one fill a quarter of a register at most.
  template <class T>
  constexpr bool are_lanes() const {
    return count > 1 && 4 * columns <= simd::lanes<T>;
  }
};

/// Elements of an operand with an element for each lane of a position, and as many for every further row of a group; 0 where it
/// has them already. A register more is written behind them.
template <class T>
constexpr index spread_elements(const channel_groups& g, index positions, bool dense) {
  if (!g.are_lanes<T>() || positions == 0 || (g.rows == 1 && g.columns == 1 && dense)) return 0;
  return positions * g.rows * g.lanes() + simd::lanes<T>;
}
template <class T>
constexpr std::size_t spread_bytes(const channel_groups& g, index positions, bool dense) {
  return aligned_size(static_cast<std::size_t>(spread_elements<T>(g, positions, dense)) * sizeof(T));
}

/// The channels of one position, spread to its lanes.
template <class T>
void spread_channels(T* to, const T* from, index channel_stride, const channel_groups& g) {
  using B = simd::batch<T>;
  // A register for each group, of which the next one leaves a group.
  for (index row = 0; row < g.rows; ++row, from += channel_stride) {
    const T* x = from;
    for (index i = 0; i < g.count; ++i, x += g.rows * channel_stride, to += g.columns) B(*x).store_unaligned(to);
  }
}

/// An operand as lanes read it: its channels are the lanes of a result, and the rows of a group are `channel_stride` apart. It is in
/// `memory` where it has to be spread.
template <class T>
space<const T> spread(T* memory, const space<const T>& x, const channel_groups& g) {
  space<const T> to = x;
  to.channels = to.channel_stride = g.lanes();
  const index positions = x.batch * x.extents[0] * x.extents[1] * x.extents[2];
  if (spread_elements<T>(g, positions, x.channel_stride == 1) == 0) return to;
  to.data = memory;
  const index each = g.rows * g.lanes();
  to.strides[2] = each;
  to.strides[1] = x.extents[2] * to.strides[2];
  to.strides[0] = x.extents[1] * to.strides[1];
  to.batch_stride = x.extents[0] * to.strides[0];
  for (index n = 0; n < x.batch; ++n)
    for (index z = 0; z < x.extents[0]; ++z)
      for (index y = 0; y < x.extents[1]; ++y) {
        const T* from = x.data + n * x.batch_stride + z * x.strides[0] + y * x.strides[1];
        for (index i = 0; i < x.extents[2]; ++i, from += x.strides[2], memory += each) spread_channels(memory, from, x.channel_stride, g);
      }
  return to;
}

}  // namespace jig::detail
