// SPDX-License-Identifier: MIT
#pragma once
// What each tap of a convolution's filter gets of the adjoint of its result: products of all positions that meet it.

#include <jig/eval/convolution/product.hpp>

namespace jig::detail {

/// out[t, i, j] = sum over positions p of x[place of t at p, i] * g[p, j].
template <class T>
class filter_products {
 public:
  filter_products(const filter_space<T>& out, const space<const T>& x, const space<const T>& g, const convolved_axis (&axes)[3])
      : out_(out), x_(x), g_(g), axes_{axes[0], axes[1], axes[2]}, groups_(out.in == 0 ? 1 : x.channels / out.in) {
    if (groups_ > 0) columns_ = out.out / groups_;
  }

  /// The result is all zeros before.
  void run() const {
    for (index group = 0; group < groups_; ++group)
      for (index column = 0; column < columns_; column += blocks<T>::columns) run_panel(group, column);
  }

 private:
  void run_panel(index group, index column) const {
    const index here = smaller(blocks<T>::columns, columns_ - column);
    tile_terms<T> terms;
    terms.b_row = g_.strides[2];
    terms.last_count = here - (here > simd::lanes<T> ? simd::lanes<T> : 0);
    terms.add = true;
    // So many lines of g stay in the first caches while all taps read them.
    const index bytes = g_.extents[2] * blocks<T>::columns * static_cast<index>(sizeof(T));
    index lines = bytes > 0 ? 128 * 1024 / bytes : 1;
    lines = lines < 1 ? 1 : smaller(lines, tile_terms<T>::most_segments);
    const index all = g_.batch * g_.extents[0] * g_.extents[1];
    with_registers<T>(here, here % simd::lanes<T> == 0, [&](auto registers, auto whole) {
      for (index first = 0; first < all; first += lines) {
        const index last = smaller(first + lines, all);
        for (index z = 0; z < out_.taps[0]; ++z)
          for (index y = 0; y < out_.taps[1]; ++y)
            for (index x = 0; x < out_.taps[2]; ++x) {
              const index tap[] = {z, y, x};
              run_tap<registers, whole>(terms, tap, first, last, group, column);
            }
      }
    });
  }

  template <int Registers, bool Whole>
  void run_tap(tile_terms<T>& terms, const index (&tap)[3], index first, index last, index group, index column) const {
    // Where the tap meets x: positions low to high of each axis.
    index low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      const convolved_axis& axis = axes_[a];
      const index at = tap[a] * axis.dilation - axis.before;
      low[a] = at >= 0 ? 0 : (-at + axis.stride - 1) / axis.stride;
      high[a] = at >= axis.in ? 0 : smaller(g_.extents[a], (axis.in - 1 - at) / axis.stride + 1);
    }
    if (low[2] >= high[2]) return;
    auto x_place = [&](int a, index position) {
      return (position * axes_[a].stride + tap[a] * axes_[a].dilation - axes_[a].before) * x_.strides[a];
    };
    terms.count = 0;
    terms.length = high[2] - low[2];
    terms.a_step = axes_[2].stride * x_.strides[2];
    for (index line = first; line < last; ++line) {
      const index y = line % g_.extents[1], rest = line / g_.extents[1], z = rest % g_.extents[0], n = rest / g_.extents[0];
      if (y < low[1] || y >= high[1] || z < low[0] || z >= high[0]) continue;
      terms.segments[terms.count++] = {n * x_.batch_stride + x_place(0, z) + x_place(1, y) + x_place(2, low[2]),
                                       n * g_.batch_stride + z * g_.strides[0] + y * g_.strides[1] + low[2] * g_.strides[2]};
    }
    if (terms.count == 0) return;
    terms.b = g_.data + (group * columns_ + column) * g_.channel_stride;
    tile_rows<Registers, Whole, meeting::row, T> rows(terms);
    T* to = out_.data + tap[0] * out_.strides[0] + tap[1] * out_.strides[1] + tap[2] * out_.strides[2] + group * columns_ + column;
    for (index i = 0; i < out_.in; ++i) rows.add(x_.data + (group * out_.in + i) * x_.channel_stride, to + i * out_.in_stride);
    rows.finish();
  }

  filter_space<T> out_;
  space<const T> x_, g_;
  convolved_axis axes_[3];
  index groups_, columns_ = 0;
};

}  // namespace jig::detail
