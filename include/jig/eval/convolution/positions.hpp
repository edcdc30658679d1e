// SPDX-License-Identifier: MIT
#pragma once
// Which taps of a filter meet the operand at which positions of a result, along one axis. Positions that meet it alike form a class,
// which a kernel computes with the same loop: all but those near the ends, where some taps lie on zeros that are nowhere in memory.

#include <jig/ops/convolution.hpp>

namespace jig::detail {

/// Positions begin, begin + step, … (`size` of them), each of which meets taps first, first + tap_step, … (`taps` of them). `operand` is
/// the place of the operand where the first position meets the first tap. Where other classes have taps of the same positions as well,
/// `earliest` is the first tap of any of these.
struct position_class {
  index begin, step, size, first, taps, operand, earliest;
  constexpr position_class(index o, index by, index count, index tap, index met, index place)
      : begin(o), step(by), size(count), first(tap), taps(met), operand(place), earliest(tap) {}
};

/// One axis of a convolution, or of its transpose, whose filter is turned round, so that in both of them the operand goes up with taps.
class convolution_positions {
 public:
  constexpr convolution_positions(const convolved_axis& axis, index out, bool transposed)
      : axis_(axis), out_(out), transposed_(transposed) {
    if (!transposed) return;
    index a = axis.stride, b = axis.dilation;
    while (b != 0) {
      const index rest = a % b;
      a = b;
      b = rest;
    }
    tap_step_ = axis.stride / a;
    operand_step_ = axis.dilation / a;
  }

  constexpr index positions() const { return out_; }
  constexpr index taps() const { return axis_.taps; }
  /// From one tap of a position to its next one.
  constexpr index tap_step() const { return tap_step_; }
  /// How far the operand moves meanwhile.
  constexpr index operand_of_tap() const { return transposed_ ? operand_step_ : axis_.dilation; }
  /// How far the operand moves from one position of a class to the next.
  constexpr index operand_of_position() const { return transposed_ ? 1 : axis_.stride; }

  /// Where the first position meets the first tap, of every operand: zeros may be there. Of a transpose only without strides.
  constexpr index first_operand() const { return transposed_ ? axis_.before - (axis_.taps - 1) * axis_.dilation : -axis_.before; }
  /// How many elements the operand has along the axis.
  constexpr index operands() const { return axis_.in; }
  constexpr bool is_strided_transpose() const { return transposed_ && axis_.stride != 1; }

  /// Calls f with the classes of positions `from` to `to`, in any order.
  template <class F>
  constexpr void for_each_class(index from, index to, F f) const {
    const auto [first_inner, last_inner] = inner();
    const index low = within(first_inner, from, to), high = within(last_inner, low, to);
    for (index o = from; o < low; ++o) f(meeting(o, 1));
    if (transposed_) {
      for (index o = low; o < high && o < low + axis_.stride; ++o) f(meeting(o, (high - o + axis_.stride - 1) / axis_.stride));
    } else if (low < high) {
      f(meeting(low, high - low));
    }
    for (index o = high; o < to; ++o) f(meeting(o, 1));
  }

  /// The same for few positions that share a class: up to `most` neighbours near the ends have a class together, of the taps that all of
  /// them meet. In front of it are classes of the earlier taps of each (of no tap, where it has none), behind it those of the later ones.
  template <class F>
  constexpr void for_each_group(index from, index to, index most, F f) const {
    if (transposed_ && axis_.stride != 1) return for_each_class(from, to, f);
    const auto [first_inner, last_inner] = inner();
    const index low = within(first_inner, from, to), high = within(last_inner, low, to);
    const auto join = [&](index begin, index end) {
      for (index o = begin; o < end; o += most) join_neighbours(o, o + most < end ? most : end - o, f);
    };
    join(from, low);
    if (low < high) f(meeting(low, high - low));
    join(high, to);
  }

 private:
  struct range {
    index low, high;
  };
  static constexpr index within(index x, index low, index high) { return x < low ? low : x > high ? high : x; }
  // Rounded down and up, for a positive divisor.
  static constexpr index down(index a, index b) { return a >= 0 ? a / b : -((-a + b - 1) / b); }
  static constexpr index up(index a, index b) { return -down(-a, b); }

  // The positions where no tap lies outside of the operand.
  constexpr range inner() const {
    const auto& x = axis_;
    if (x.taps == 0 || x.in == 0) return {0, 0};
    if (transposed_) return {(x.taps - 1) * x.dilation - x.before, (x.in - 1) * x.stride - x.before + 1};
    return {up(x.before, x.stride), down(x.in - 1 - (x.taps - 1) * x.dilation + x.before, x.stride) + 1};
  }
  template <class F>
  constexpr void join_neighbours(index begin, index count, F f) const {
    position_class shared = meeting(begin, count);
    index end = shared.first + shared.taps;
    for (index o = begin; o < begin + count; ++o) {
      const position_class own = meeting(o, 1);
      if (own.first < shared.earliest) shared.earliest = own.first;
      if (own.first > shared.first) shared.first = own.first;
      if (own.first + own.taps < end) end = own.first + own.taps;
    }
    shared.taps = end - shared.first;
    if (count == 1 || shared.taps < count) {
      for (index o = begin; o < begin + count; ++o) f(meeting(o, 1));
      return;
    }
    shared.operand += (shared.first - meeting(begin, 1).first) * operand_of_tap();
    for (index o = begin; o < begin + count && shared.earliest < shared.first; ++o) {
      position_class own = meeting(o, 1);
      own.taps = shared.first - own.first;
      f(own);
    }
    f(shared);
    for (index o = begin; o < begin + count; ++o) {
      position_class own = meeting(o, 1);
      own.taps -= end - own.first;
      if (own.taps == 0) continue;
      own.operand += (end - own.first) * operand_of_tap();
      own.first = end;
      f(own);
    }
  }
  constexpr position_class meeting(index o, index size) const {
    const auto& x = axis_;
    if (x.taps == 0 || x.in == 0) return {o, 1, size, 0, 0, 0};
    if (!transposed_) {
      const index start = o * x.stride - x.before;
      const index first = start < 0 ? within(up(-start, x.dilation), 0, x.taps) : 0;
      const index end = within(down(x.in - 1 - start, x.dilation) + 1, first, x.taps);
      return {o, 1, size, first, end - first, start + first * x.dilation};
    }
    // Tap t of the filter meets i where o + before = i * stride + t * dilation. Here taps are counted from the last one.
    const index at = o + x.before;
    const index most = within(down(at, x.dilation), -1, x.taps - 1);                    // of those with i >= 0
    const index least = within(up(at - (x.in - 1) * x.stride, x.dilation), 0, x.taps);  // of those with i < in
    for (index t = most; t >= least && t > most - tap_step_; --t) {
      if ((at - t * x.dilation) % x.stride != 0) continue;
      return {o, x.stride, size, x.taps - 1 - t, (t - least) / tap_step_ + 1, (at - t * x.dilation) / x.stride};
    }
    return {o, x.stride, size, 0, 0, 0};
  }

  convolved_axis axis_;
  index out_;
  bool transposed_;
  index tap_step_ = 1, operand_step_ = 1;
};

}  // namespace jig::detail
