// SPDX-License-Identifier: MIT
#pragma once
// Operands, results and filters of convolutions as memory with three axes of space, whatever number they have.

#include <jig/core/view.hpp>

namespace jig::detail {

/// Memory of an operand or result: batch, three axes of space, channels.
template <class T>
struct space {
  T* data;
  index batch;
  index extents[3], strides[3];
  index batch_stride, channels, channel_stride;
};

template <class F, class View>
space<F> space_of(const View& v) {
  const int axes = v.rank() - 2;
  space<F> s{reinterpret_cast<F*>(v.data()), v.extent(0), {1, 1, 1}, {0, 0, 0}, v.stride(0), v.extent(axes + 1), v.stride(axes + 1)};
  for (int a = 0; a < axes; ++a) {
    s.extents[3 - axes + a] = v.extent(a + 1);
    s.strides[3 - axes + a] = v.stride(a + 1);
  }
  return s;
}

/// Memory of a filter: three axes of taps, channels in and out.
template <class T>
struct filter_space {
  T* data;
  index taps[3], strides[3];
  index in, out, in_stride, out_stride;
};

template <class F, class View>
filter_space<F> filter_of(const View& v) {
  const int axes = v.rank() - 2;
  filter_space<F> s{
      reinterpret_cast<F*>(v.data()), {1, 1, 1}, {0, 0, 0}, v.extent(axes), v.extent(axes + 1), v.stride(axes), v.stride(axes + 1)};
  for (int a = 0; a < axes; ++a) {
    s.taps[3 - axes + a] = v.extent(a);
    s.strides[3 - axes + a] = v.stride(a);
  }
  return s;
}

}  // namespace jig::detail
