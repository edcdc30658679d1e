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
      : out_(out), x_(x), g_(g), axes_{axes[0], axes[1], axes[2]}, groups_{out.in == 0 ? 1 : x.channels / out.in, out.in, 0} {
    if (groups_.count > 0) groups_.columns = out.out / groups_.count;
  }

  /// The result is all zeros before.
  void run(memory_source& memory_of_call) {
    const bool lanes = groups_.are_lanes<T>();
    const index places = x_.batch * x_.extents[0] * x_.extents[1] * x_.extents[2];
    const index positions = g_.batch * g_.extents[0] * g_.extents[1] * g_.extents[2];
    if (places == 0 || positions == 0) return;
    const workspace memory(memory_of_call, spread_bytes<T>(groups_, places, x_.channel_stride == 1));
    if (lanes) x_ = spread(reinterpret_cast<T*>(memory.data()), x_, groups_);
    const index columns = lanes ? groups_.lanes() : groups_.columns, of_group = (columns + blocks<T>::columns - 1) / blocks<T>::columns;
    const index panels = lanes ? of_group : of_group * groups_.count;
    const index terms = positions * out_.taps[0] * out_.taps[1] * out_.taps[2] * out_.in;
    const bool shared = shares_work() && terms * panels * blocks<T>::columns >= shared_products;
    // Of a panel they share the channels of x, as many for each as lie in a line of the cache, or half as many if there is but one panel.
    const index parts = shared ? smaller(1 + (out_.in - 1) / (panels > 1 ? 16 : 8), most_parts) : 1;
    const auto run_some = [=, this](index first, index count) {
      for (index number = first; number < first + count; ++number) {
        const index panel = number / parts, part = number % parts, j = panel % of_group * blocks<T>::columns;
        const index here = smaller(blocks<T>::columns, columns - j);
        const channel_range channels{out_.in * part / parts, out_.in * (part + 1) / parts};
        with_registers<T>(here, here % simd::lanes<T> == 0, [&](auto registers, auto whole) {
          if (lanes) run_panel<registers, whole, meeting::lane>(0, j, here, channels);
          else run_panel<registers, whole, meeting::row>(panel / of_group, j, here, channels);
        });
      }
    };
    if (shared && panels * parts > 1) parallel_for(panels * parts, 1, run_some);
    else run_some(0, panels * parts);
  }

 private:
  static constexpr index most_parts = 8;
  struct channel_range {
    index first, last;
  };

  // Taps of an axis and the positions that they share.
  struct share {
    index first, last, low, high;
  };

  // Calls f with every tap of an axis at every position where it meets x: with all taps at those that all of them have, then with each
  // one at the others.
  template <class F>
  void for_each_share(int a, F f) const {
    const convolved_axis& axis = axes_[a];
    const auto positions = [&](index tap) {
      const index at = tap * axis.dilation - axis.before;
      return share{tap, tap + 1, at >= 0 ? 0 : (-at + axis.stride - 1) / axis.stride,
                   at >= axis.in ? 0 : smaller(g_.extents[a], (axis.in - 1 - at) / axis.stride + 1)};
    };
    // Positions move down with taps.
    share all{0, out_.taps[a], positions(0).low, positions(out_.taps[a] - 1).high};
    if (all.low < all.high) f(all);
    else all.high = all.low;
    for (index tap = 0; tap < out_.taps[a]; ++tap) {
      share before = positions(tap), behind = before;
      before.high = smaller(before.high, all.low);
      behind.low = behind.low < all.high ? all.high : behind.low;
      if (before.low < before.high) f(before);
      if (behind.low < behind.high) f(behind);
    }
  }

  template <int Registers, bool Whole, meeting Meeting>
  void run_panel(index group, index column, index here, const channel_range& channels) const {
    tile_terms<T> terms;
    terms.b_row = g_.strides[2];
    terms.last_count = here - (here > simd::lanes<T> ? simd::lanes<T> : 0);
    terms.add = true;
    const index place = group * groups_.columns + column;
    terms.b = g_.data + place * g_.channel_stride;
    const T* x = x_.data + (Meeting == meeting::lane ? column : group * out_.in * x_.channel_stride);
    T* to = out_.data + place;
    // So many lines of g stay in the first caches while all taps read them.
    const index bytes = g_.extents[2] * blocks<T>::columns * static_cast<index>(sizeof(T));
    index lines = bytes > 0 ? 128 * 1024 / bytes : 1;
    lines = lines < 1 ? 1 : smaller(lines, tile_terms<T>::most_segments);
    const index all = g_.batch * g_.extents[0] * g_.extents[1];
    tile_rows<Registers, Whole, Meeting, T> rows(terms);
    if (out_.taps[0] * out_.taps[1] * out_.taps[2] == 0) return;
    for (index first = 0; first < all; first += lines)
      for_each_share(0, [&](const share& z) {
        for_each_share(1, [&](const share& y) {
          for_each_share(2, [&](const share& x_share) {
            const share shares[] = {z, y, x_share};
            if (!find_terms(terms, shares, first, smaller(first + lines, all))) return;
            for (index k = z.first; k < z.last; ++k)
              for (index j = y.first; j < y.last; ++j)
                for (index i = x_share.first; i < x_share.last; ++i) {
                  const T* a = x + k * step(0) + j * step(1) + i * step(2);
                  T* c = to + k * out_.strides[0] + j * out_.strides[1] + i * out_.strides[2];
                  for (index q = channels.first; q < channels.last; ++q) rows.add(a + q * x_.channel_stride, c + q * out_.in_stride);
                }
            rows.finish();
          });
        });
      });
  }
  // From a tap to the next one, in x.
  index step(int a) const { return axes_[a].dilation * x_.strides[a]; }

  // The positions of these lines, as the first tap meets them.
  bool find_terms(tile_terms<T>& terms, const share (&at)[3], index first, index last) const {
    const auto place = [&](int a, index position) { return (position * axes_[a].stride - axes_[a].before) * x_.strides[a]; };
    terms.count = 0;
    terms.length = at[2].high - at[2].low;
    terms.a_step = axes_[2].stride * x_.strides[2];
    for (index line = first; line < last; ++line) {
      const index y = line % g_.extents[1], rest = line / g_.extents[1], z = rest % g_.extents[0], n = rest / g_.extents[0];
      if (y < at[1].low || y >= at[1].high || z < at[0].low || z >= at[0].high) continue;
      terms.segments[terms.count++] = {n * x_.batch_stride + place(0, z) + place(1, y) + place(2, at[2].low),
                                       n * g_.batch_stride + z * g_.strides[0] + y * g_.strides[1] + at[2].low * g_.strides[2]};
    }
    return terms.count > 0;
  }

  filter_space<T> out_;
  space<const T> x_, g_;
  convolved_axis axes_[3];
  channel_groups groups_;
};

}  // namespace jig::detail
