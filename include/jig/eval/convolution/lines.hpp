// SPDX-License-Identifier: MIT
#pragma once
// Convolutions whose results have few channels: the lanes run along the positions of a line.

#include <jig/eval/convolution/positions.hpp>
#include <jig/eval/convolution/spread.hpp>
#include <jig/eval/epilogue.hpp>
#include <jig/eval/parallel_for.hpp>
#include <jig/eval/phases.hpp>

#include <algorithm>

namespace jig::detail {

/// An element of the operand, so far behind where a line meets the first one, and the row of the filter that it meets.
/// Units: elements.
struct line_term {
  index at, weights;
};

/// Where a register of positions is in the lines of x and of the result.
/// Units: elements.
struct line_place {
  index from, to;
};

/// Registers of positions for `Outs` channels of the result: `count` products each.
template <int Outs, int Registers, class T>
[[gnu::always_inline]] inline void convolve_registers(T* const* to, const T* from, const line_place* at, const T* weights,
                                                      const line_term* terms, index count) {
  using B = simd::batch<T>;
  B sum[array_bound(Outs)][array_bound(Registers)];
#pragma GCC unroll 4
  for (int o = 0; o < Outs; ++o)
#pragma GCC unroll 8
    for (int r = 0; r < Registers; ++r) sum[o][r] = B(T(0));
#pragma GCC unroll 1
  for (index t = 0; t < count; ++t) {
    const T *x = from + terms[t].at, *w = weights + terms[t].weights;
    B here[array_bound(Registers)];
#pragma GCC unroll 8
    for (int r = 0; r < Registers; ++r) here[r] = B::load_unaligned(x + at[r].from);
#pragma GCC unroll 4
    for (int o = 0; o < Outs; ++o) {
      const B factor(w[o]);
#pragma GCC unroll 8
      for (int r = 0; r < Registers; ++r) sum[o][r] = simd::multiply_add(here[r], factor, sum[o][r]);
    }
  }
#pragma GCC unroll 4
  for (int o = 0; o < Outs; ++o)
#pragma GCC unroll 8
    for (int r = 0; r < Registers; ++r) sum[o][r].store_unaligned(to[o] + at[r].to);
}

/// Lines of n positions each, at least as many as a register has lanes. `step` is from one line to the next.
template <int Outs, class T>
[[gnu::noinline]] void convolve_lines(T* const* to, const T* from, index lines, index n, line_place step, const T* weights,
                                      const line_term* terms, index count) {
  constexpr index width = simd::lanes<T>;
  constexpr int most = Outs == 1 ? 8 : 4;
  line_place left[array_bound(most)];
  int waiting = 0;
  for (index j = 0; j < lines; ++j) {
    const line_place line{j * step.from, j * step.to};
    index k = 0;
    for (; k + most * width <= n; k += most * width) {
      line_place at[array_bound(most)];
#pragma GCC unroll 8
      for (int r = 0; r < most; ++r) at[r] = {r * width, r * width};
      T* into[array_bound(Outs)];
      for (int o = 0; o < Outs; ++o) into[o] = to[o] + line.to + k;
      convolve_registers<Outs, most>(into, from + line.from + k, at, weights, terms, count);
    }
    // Those that are left wait for others. The last one of a line begins before its end, together with some that are there.
    for (; k < n; k += width) {
      const index first = (std::min)(k, n - width);
      left[waiting++] = {line.from + first, line.to + first};
      if (waiting < most) continue;
      convolve_registers<Outs, most>(to, from, left, weights, terms, count);
      waiting = 0;
    }
  }
  if (waiting == 0) return;
  if (waiting == 1) return convolve_registers<Outs, 1>(to, from, left, weights, terms, count);
  for (int r = waiting; r < most; ++r) left[r] = left[waiting - 1];
  if (most > 4 && waiting <= 4) convolve_registers<Outs, 4>(to, from, left, weights, terms, count);
  else convolve_registers<Outs, most>(to, from, left, weights, terms, count);
}

/// Whether the lanes of a convolution run along lines of so many positions: where its channels are few, and fill half a register at most,
/// and these a whole one. A transpose with strides along lines has every other element of them only.
template <class T>
constexpr bool lanes_run_along_lines(const channel_groups& groups, const convolution_positions& axis, index positions) {
  return groups.rows > 0 && groups.lanes() > 0 && groups.lanes() <= 4 && 2 * groups.lanes() <= simd::lanes<T> &&
         positions >= simd::lanes<T> && !axis.is_strided_transpose() && axis.taps() > 0 && axis.operands() > 0;
}

/// A convolution of x, or its transpose without strides along lines, with a filter that is packed: for every group, tap and channel of x a
/// row of the group's channels of the result. Lines of x are copied channel by channel, with zeros where the filter leaves them, unless
/// they lie so. What lies on such zeros is multiplied, so that the filter must not have infinite numbers or NaN.
template <class T>
class line_convolution {
 public:
  constexpr line_convolution(const space<T>& out, const space<const T>& x, const convolution_positions (&axes)[3],
                             const channel_groups& groups, const T* weights)
      : out_(out), x_(x), axes_{axes[0], axes[1], axes[2]}, groups_(groups), weights_(weights), line_(axes[2], x, groups) {
    // So many lines that they stay in the second cache.
    const index lines = bytes_of_block / (line_.elements() * static_cast<index>(sizeof(T)) + 1);
    block_ = (std::min)(out.extents[1], (std::max)(lines / axes[1].operand_of_position(), index{8}));
    // Short ones share registers' time.
    together_ = (std::min)(block_, 8 * simd::lanes<T> / (out.extents[2] + 1) + 1);
  }

  /// Reads the filter there.
  void read(const T* weights) { weights_ = weights; }
  bool has_finite_filter() const {
    return std::all_of(weights_, weights_ + terms() * groups_.lanes(), [](T w) { return w - w == T(0); });
  }
  /// Whether the filter is multiplied by zeros at the ends of lines.
  constexpr bool pads() const { return line_.first < 0 || line_.first + line_.places > x_.extents[2]; }
  index blocks() const { return out_.batch * out_.extents[0] * blocks_of_plane(); }
  /// Units: bytes of workspace for each block that is under way.
  constexpr std::size_t bytes() const {
    return aligned_size(static_cast<std::size_t>(terms()) * sizeof(line_term)) +
           aligned_size(static_cast<std::size_t>(copied_elements() + results()) * sizeof(T));
  }
  /// The lines of a block, then what follows them.
  void run(index number, char* memory, const tile_epilogue& then) const {
    const index y = number % blocks_of_plane(), z = number / blocks_of_plane() % out_.extents[0];
    const index n = number / blocks_of_plane() / out_.extents[0];
    const index low = y * block_, high = (std::min)(low + block_, out_.extents[1]);
    axes_[0].for_each_class(z, z + 1, [&](const position_class& planes) { run_lines(n, planes, low, high, memory); });
    then(((n * out_.extents[0] + z) * out_.extents[1] + low) * out_.extents[2], (high - low) * out_.extents[2], 0, groups_.lanes());
  }

 private:
  static constexpr index bytes_of_block = 128 * 1024;

  // How a line of x lies in memory, once it is copied: channels are `channel` apart, and positions of the result meet their tap 0 side by
  // side; other taps lie in other phases of it.
  struct line_layout {
    bool copied;
    index places, step, first, phase, channel, channels;

    constexpr line_layout(const convolution_positions& axis, const space<const T>& x, const channel_groups& groups)
        : places((axis.positions() - 1) * axis.operand_of_position() + (axis.taps() - 1) * axis.operand_of_tap() + 1),
          step(axis.operand_of_position()),
          first(axis.first_operand()),
          phase((places + step - 1) / step),
          channel(phase * step),
          channels(groups.count * groups.rows) {
      copied = step != 1 || x.strides[2] != 1 || first < 0 || first + places > x.extents[2];
      if (!copied) channel = x.channel_stride;
    }
    constexpr index elements() const { return copied ? channels * channel : 0; }
    index place(index k) const { return step == 1 ? k : k % step * phase + k / step; }
  };
  struct range {
    index low = 0, high = 0;
  };

  constexpr index blocks_of_plane() const { return (out_.extents[1] + block_ - 1) / block_; }
  constexpr index taps() const { return axes_[0].taps() * axes_[1].taps() * axes_[2].taps(); }
  constexpr index terms() const { return taps() * groups_.rows; }
  // Lines of x that a block meets, at most.
  constexpr index lines_of_block() const {
    return (std::min)(x_.extents[1], (block_ - 1) * axes_[1].operand_of_position() + (axes_[1].taps() - 1) * axes_[1].operand_of_tap() + 1);
  }
  constexpr index copied_elements() const { return axes_[0].taps() * lines_of_block() * line_.elements(); }
  // Results of some lines, channel by channel, where these do not lie so.
  constexpr bool interleaves() const { return out_.strides[2] != 1; }
  constexpr index results() const { return interleaves() ? together_ * groups_.lanes() * out_.extents[2] : 0; }

  void run_lines(index n, const position_class& z, index low, index high, char* memory) const {
    auto* terms = reinterpret_cast<line_term*>(memory);
    auto* copy = reinterpret_cast<T*>(memory + aligned_size(static_cast<std::size_t>(this->terms()) * sizeof(line_term)));
    T* results = copy + copied_elements();
    range lines;
    axes_[1].for_each_class(low, high, [&](const position_class& y) {
      if (y.taps == 0) return;
      const index end = y.operand + (y.size - 1) * axes_[1].operand_of_position() + (y.taps - 1) * axes_[1].operand_of_tap() + 1;
      lines = lines.high == 0 ? range{y.operand, end} : range{(std::min)(lines.low, y.operand), (std::max)(lines.high, end)};
    });
    const T* x = x_.data + n * x_.batch_stride + z.operand * x_.strides[0] + lines.low * x_.strides[1] + (line_.copied ? 0 : line_.first);
    index line_stride = x_.strides[1], plane_stride = x_.strides[0] * axes_[0].operand_of_tap();
    if (line_.copied) {
      line_stride = line_.elements();
      plane_stride = (lines.high - lines.low) * line_stride;
      for (index k = 0; k < z.taps; ++k)
        for (index j = lines.low; j < lines.high; ++j)
          copy_line(copy + k * plane_stride + (j - lines.low) * line_stride,
                    x + k * axes_[0].operand_of_tap() * x_.strides[0] + (j - lines.low) * x_.strides[1]);
      x = copy;
    }
    axes_[1].for_each_class(low, high, [&](const position_class& y) {
      find_terms(terms, z, y, plane_stride, line_stride);
      for (index k = 0; k < y.size; k += together_) {
        const index lines_here = (std::min)(together_, y.size - k);
        T* to = out_.data + n * out_.batch_stride + z.begin * out_.strides[0] + (y.begin + k * y.step) * out_.strides[1];
        const index next = axes_[1].operand_of_position() * line_stride;
        const T* from = x + (y.operand - lines.low) * line_stride + k * next;
        for (index g = 0; g < groups_.count; ++g) {
          const index row = interleaves() ? groups_.lanes() * out_.extents[2] : y.step * out_.strides[1];
          run_group(to, results, from + g * groups_.rows * line_.channel, g, lines_here, {next, row}, terms, terms_of(z, y));
        }
        if (interleaves())
          for (index j = 0; j < lines_here; ++j)
            store_line(to + j * y.step * out_.strides[1], results + j * groups_.lanes() * out_.extents[2]);
      }
    });
  }

  index terms_of(const position_class& z, const position_class& y) const { return z.taps * y.taps * axes_[2].taps() * groups_.rows; }
  void find_terms(line_term* terms, const position_class& z, const position_class& y, index plane_stride, index line_stride) const {
    for (index i = 0; i < z.taps; ++i)
      for (index j = 0; j < y.taps; ++j) {
        const index first = i * plane_stride + j * axes_[1].operand_of_tap() * line_stride;
        const index line = (z.first + i * axes_[0].tap_step()) * axes_[1].taps() + y.first + j * axes_[1].tap_step();
        index row = line * axes_[2].taps() * groups_.rows * groups_.columns;
        for (index k = 0; k < axes_[2].taps(); ++k) {
          index at = first + line_.place(k * axes_[2].operand_of_tap());
          for (index c = 0; c < groups_.rows; ++c, at += line_.channel, row += groups_.columns) *terms++ = {at, row};
        }
      }
  }

  void run_group(T* line, T* results, const T* from, index group, index lines, line_place step, const line_term* terms, index count) const {
    const index n = out_.extents[2];
    const auto some = [&]<int Outs>(std::integral_constant<int, Outs>, index o) {
      T* to[array_bound(Outs)];
      for (int i = 0; i < Outs; ++i) {
        const index channel = group * groups_.columns + o + i;
        to[i] = interleaves() ? results + channel * n : line + channel * out_.channel_stride;
      }
      convolve_lines<Outs>(to, from, lines, n, step, weights_ + group * this->terms() * groups_.columns + o, terms, count);
    };
    index o = 0;
    for (; o + 4 <= groups_.columns; o += 4) some(std::integral_constant<int, 4>(), o);
    for (; o + 2 <= groups_.columns; o += 2) some(std::integral_constant<int, 2>(), o);
    for (; o < groups_.columns; ++o) some(std::integral_constant<int, 1>(), o);
  }

  void store_line(T* to, const T* results) const {
    const index n = out_.extents[2], channels = groups_.lanes();
    if (out_.channel_stride == 1 && out_.strides[2] == channels) return merge({n * channels, channels, 1}, to, results, n * channels);
    for (index c = 0; c < channels; ++c)
      for (index i = 0; i < n; ++i) to[i * out_.strides[2] + c * out_.channel_stride] = results[c * n + i];
  }

  // The places of a line of x where the filter is, as line_layout says.
  void copy_line(T* to, const T* from) const {
    const index low = std::clamp(-line_.first, index{0}, line_.places), behind = x_.extents[2] - line_.first;
    const index high = std::clamp(behind, low, line_.places);
    const auto fill = [&](index first, index last) {
      for (index k = first; k < last; ++k)
        for (index c = 0, at = line_.place(k); c < line_.channels; ++c) to[c * line_.channel + at] = T(0);
    };
    fill(0, low);
    fill(high, line_.channel);
    from += (line_.first + low) * x_.strides[2];
    if (line_.step == 1 && x_.channel_stride == 1 && x_.strides[2] == line_.channels) {
      phases channels{(high - low) * line_.channels, line_.channels, 1};
      channels.apart = line_.channel;
      return split(channels, to + low, from, (high - low) * line_.channels);
    }
    for (index c = 0; c < line_.channels; ++c)
      for (index p = 0; p < line_.step; ++p) {
        const index first = low + (p - low % line_.step + line_.step) % line_.step;
        T* part = to + c * line_.channel + p * line_.phase + first / line_.step;
        const T* x = from + (first - low) * x_.strides[2] + c * x_.channel_stride;
        const index by = line_.step * x_.strides[2];
        for (index k = first; k < high; k += line_.step, x += by) *part++ = *x;
      }
  }

  space<T> out_;
  space<const T> x_;
  convolution_positions axes_[3];
  channel_groups groups_;
  const T* weights_;
  line_layout line_;
  index block_, together_;  // lines
};

}  // namespace jig::detail
