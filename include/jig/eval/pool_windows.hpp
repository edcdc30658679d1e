// SPDX-License-Identifier: MIT
#pragma once
// The windows of a pool, line by line.

#include <jig/eval/convolution/positions.hpp>

namespace jig::detail {

/// Windows side by side along the last axis of space that lie in the operand alike: where the first one begins there and where its
/// result is, how many they are, and so many of their elements lie in the operand.
/// Units: elements.
struct window_line {
  index from, to, count, taps[3];
  index size() const { return taps[0] * taps[1] * taps[2]; }
};

/// The windows of an operand. It and the result are row-major.
class pool_windows {
 public:
  constexpr pool_windows(stretch<attribute_view> with, const shape& x, const shape& y)
      : axes_{one(), one(), one()}, batch_(x[0]), channels_(x[x.rank - 1]) {
    const int count = x.rank - 2;
    const auto windows = find_attribute(with, "ksize").values;
    for (int a = 0; a < count; ++a) {
      axes_[3 - count + a] = {axis_of_call(numbers_of_axis(with, a), x[a + 1], windows[static_cast<std::size_t>(a) + 1], y[a + 1]),
                              y[a + 1], false};
      extents_[3 - count + a] = x[a + 1];
    }
    for (int a = 3; a-- > 0;) strides_[a] = a == 2 ? channels_ : strides_[a + 1] * extents_[a + 1];
  }

  constexpr index channels() const { return channels_; }
  /// From an element to the next one along an axis of space.
  constexpr index stride(int axis) const { return strides_[axis]; }
  /// How many places of the operand lie from a window to the next one of its line.
  constexpr index step() const { return axes_[2].operand_of_position(); }
  /// Elements of a window that lies in the operand as a whole.
  constexpr index most_taps() const { return axes_[0].taps() * axes_[1].taps() * axes_[2].taps(); }
  constexpr index most_taps(int axis) const { return axes_[axis].taps(); }
  /// The most windows of a line.
  constexpr index positions() const { return axes_[2].positions(); }

  /// Calls f with lines that have all windows.
  template <class F>
  void for_each_line(F f) const {
    const index item = strides_[0] * extents_[0], line = axes_[2].positions() * channels_, plane = axes_[1].positions() * line;
    for (index n = 0; n < batch_; ++n)
      for_each_class(0, [&](const position_class& z) {
        for_each_class(1, [&](const position_class& y) {
          for_each_class(2, [&](const position_class& x) {
            window_line w{0, 0, x.size, {z.taps, y.taps, x.taps}};
            for (index k = 0; k < z.size; ++k)
              for (index j = 0; j < y.size; ++j) {
                w.from = n * item + place(0, z, k) + place(1, y, j) + place(2, x, 0);
                w.to = (n * axes_[0].positions() + z.begin + k) * plane + (y.begin + j) * line + x.begin * channels_;
                f(w);
              }
          });
        });
      });
  }

 private:
  static constexpr convolution_positions one() { return {convolved_axis{}, 1, false}; }
  template <class F>
  void for_each_class(int axis, F f) const {
    axes_[axis].for_each_class(0, axes_[axis].positions(), f);
  }
  index place(int axis, const position_class& c, index position) const {
    return (c.operand + position * axes_[axis].operand_of_position()) * strides_[axis];
  }

  convolution_positions axes_[3];
  index extents_[3] = {1, 1, 1}, strides_[3] = {};
  index batch_, channels_;
};

}  // namespace jig::detail
