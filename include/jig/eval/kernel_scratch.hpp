// SPDX-License-Identifier: MIT
#pragma once
// How much workspace kernels need for themselves: those of matrix products pack blocks of large operands, those of convolutions the
// filter.

#include <jig/eval/convolution/product.hpp>
#include <jig/eval/convolution/winograd.hpp>
#include <jig/eval/image_resize.hpp>
#include <jig/eval/matmul/blocked.hpp>
#include <jig/eval/matmul/small.hpp>
#include <jig/eval/step.hpp>
#include <jig/graph/graph_view.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/pool.hpp>
#include <jig/ops/resize.hpp>

namespace jig::detail {

template <class T>
constexpr index scratch_of_product(index m, index n, index k, bool transpose_a, bool transpose_b) {
  // Kernels of vectors and of small extents read their operands in place.
  if (m <= 1 || n <= 1 || k < 1 || are_dense_kernel_extents(transpose_b, m, n, k)) return 0;
  const product<T> p{nullptr, transpose_a ? 1 : k, transpose_a ? m : 1, nullptr, transpose_b ? 1 : n, transpose_b ? k : 1, nullptr, n, m, n,
                     k};
  const tile_epilogue then{};
  const blocked_product<T> blocked(p, then);
  const std::size_t bytes = blocked.b_bytes() + blocked.a_bytes();
  return bytes <= few_packed_bytes ? 0 : static_cast<index>(aligned_size(bytes));
}

// Calls f with a number of the size that an element has in registers, on which alone the blocks of kernels depend.
template <class F>
constexpr index with_size_of_element(dtype d, F f) {
  switch (size_of(in_registers(d))) {
    case 1: return f(std::uint8_t());
    case 2: return f(std::uint16_t());
    case 4: return f(float());
    default: return f(double());
  }
}

// The filter has channels in of one group, but channels out of all of them.
constexpr channel_groups groups_of_filter(const shape& w, index channels_in) {
  const index in = w[w.rank - 2];
  channel_groups groups{in > 0 ? channels_in / in : 1, in, 0};
  groups.columns = groups.count > 0 ? w[w.rank - 1] / groups.count : 0;
  return groups;
}

// Of a convolution whose lanes run along lines; 0 where they do not.
template <class T>
constexpr index scratch_of_lines(stretch<attribute_view> with, const shape& out, const shape& w, const shape& x, bool transposed,
                                 const channel_groups& groups) {
  const auto space_of_shape = [](const shape& s, auto* data) {
    space<std::remove_pointer_t<decltype(data)>> made{data, s[0], {1, 1, 1}, {0, 0, 0}, 0, s[s.rank - 1], 1};
    index next = made.channels;
    for (int a = s.rank - 2; a > 0; next *= s[a--]) {
      made.extents[4 - s.rank + a] = s[a];
      made.strides[4 - s.rank + a] = next;
    }
    made.batch_stride = next;
    return made;
  };
  convolution_positions axes[3]{{{}, 1, false}, {{}, 1, false}, {{}, 1, false}};
  const int count = w.rank - 2;
  for (int a = 0; a < count; ++a) {
    const shape &from = transposed ? out : x, &to = transposed ? x : out;
    convolved_axis axis = axis_of_call(numbers_of_axis(with, a), from[a + 1], w[a], to[a + 1]);
    if (transposed) axis.in = x[a + 1];
    axes[3 - count + a] = {axis, out[a + 1], transposed};
  }
  if (!lanes_run_along_lines<T>(groups, axes[2], out[count])) return 0;
  const line_convolution<T> lines(space_of_shape(out, static_cast<T*>(nullptr)), space_of_shape(x, static_cast<const T*>(nullptr)), axes,
                                  groups, nullptr);
  const index filter = groups.rows * groups.lanes() * axes[0].taps() * axes[1].taps() * axes[2].taps();
  return static_cast<index>(aligned_size(static_cast<std::size_t>(filter) * sizeof(T)) + lines.bytes());
}

// Of a convolution of x with a filter of groups of channels, or of its transpose.
template <class T>
constexpr index scratch_of_convolution(stretch<attribute_view> with, const shape& out, const shape& w, const shape& x, bool transposed) {
  index taps = 1, positions = 1, places = 1;
  for (int a = 0; a < w.rank - 2; ++a) taps *= w[a];
  for (int a = 0; a + 1 < out.rank; ++a) positions *= out[a], places *= x[a];
  const index narrow = transposed ? out[out.rank - 1] : x[x.rank - 1];
  channel_groups groups = groups_of_filter(w, narrow);
  if (transposed) std::swap(groups.rows, groups.columns);
  // Where the filter has infinite numbers, lanes run as they do for many channels.
  const index lines = scratch_of_lines<T>(with, out, w, x, transposed, groups);
  const bool lanes = lines == 0 && groups.are_lanes<T>();
  const std::size_t packed = packed_filter_bytes<T>(lanes ? 1 : groups.count, lanes ? groups.lanes() : groups.columns, taps * groups.rows);
  const auto rows = static_cast<index>((is_filter_packed<T>(!transposed, lanes, positions, packed) ? packed : 0) +
                                       (lines == 0 ? spread_bytes<T>(groups, places, true) : 0));
  index winograd = 0;
  if (asks_for_winograd(with) && !transposed && w[0] == 3 && w[1] == 3) {
    const winograd_sizes<T> sizes(out[0], out[1], out[2], w[2], w[3]);
    if (sizes.pays()) winograd = static_cast<index>(aligned_size(sizes.filter_bytes() + sizes.block_bytes()));
  }
  const index direct = lines > rows ? lines : rows;
  return direct > winograd ? direct : winograd;
}

// Of windows: `x` has the extents of what they lie in, `y` those of what has a result for each.
template <class T>
constexpr std::size_t scratch_of_pool(const op& kind, stretch<attribute_view> with, const shape& x, const shape& y) {
  const pool_windows windows(with, x, y);
  if (is_op(kind, ops::max_pool2d_grad) || is_op(kind, ops::max_pool3d_grad)) return window_passes<T, 1, true>::bytes(windows);
  if (is_op(kind, ops::max_pool2d_grad_grad) || is_op(kind, ops::max_pool3d_grad_grad)) return window_passes<T, 2, false>::bytes(windows);
  if (is_op(kind, ops::avg_pool2d_grad) || is_op(kind, ops::avg_pool3d_grad)) return window_passes<T, 0, true>::bytes(windows);
  return combining_bytes<T>(windows);
}

/// Units: bytes of workspace that the kernel of a node needs when its operands are dense and have these shapes; -1 where only a call
/// knows. No more than that where it runs on parts of them.
template <class Graph>
constexpr index scratch_of_kernel(const Graph& g, int v, const shape& out, const shape& a, const shape& b) {
  const op& kind = *g.data(v).kind;
  const bool depthwise = is_op(kind, ops::depthwise_conv2d) || is_op(kind, ops::depthwise_conv2d_backprop_input) ||
                         is_op(kind, ops::depthwise_conv2d_backprop_filter);
  if (is_op(kind, ops::conv2d_backprop_filter) || is_op(kind, ops::conv3d_backprop_filter) ||
      is_op(kind, ops::depthwise_conv2d_backprop_filter)) {
    if (out.size() < 0 || a.size() < 0) return -1;
    const index channels = a[a.rank - 1];
    const channel_groups groups = groups_of_filter(depthwise ? filter_of_groups(out) : out, channels);
    return with_size_of_element(g.data(v).spec.dtype, [&]<class T>(const T&) {
      return static_cast<index>(spread_bytes<T>(groups, channels > 0 ? a.size() / channels : 0, true));
    });
  }
  const bool transposed = is_op(kind, ops::conv2d_backprop_input) || is_op(kind, ops::conv3d_backprop_input) ||
                          is_op(kind, ops::depthwise_conv2d_backprop_input);
  if (transposed || depthwise || is_op(kind, ops::conv2d) || is_op(kind, ops::conv3d)) {
    shape w = transposed ? a : b;
    const shape& x = transposed ? b : a;
    if (out.size() < 0 || w.size() < 0 || x.size() < 0) return -1;
    if (depthwise) w = filter_of_groups(w);
    return with_size_of_element(
        g.data(v).spec.dtype, [&]<class T>(const T&) { return scratch_of_convolution<T>(g.node(v).attributes(), out, w, x, transposed); });
  }
  if (!g.node(v).attribute("ksize").key.empty()) {
    if (out.size() < 0 || a.size() < 0) return -1;
    // Of the gradients only one has an operand with the extents of the result first.
    const bool shares = is_op(kind, ops::avg_pool2d_grad) || is_op(kind, ops::avg_pool3d_grad);
    const bool back = is_op(kind, ops::max_pool2d_grad) || is_op(kind, ops::max_pool3d_grad);
    return with_size_of_element(g.data(v).spec.dtype, [&]<class T>(const T&) {
      return static_cast<index>(scratch_of_pool<T>(kind, g.node(v).attributes(), shares ? out : a, shares ? a : back ? b : out));
    });
  }
  if (is_op(kind, ops::resize_bilinear) || is_op(kind, ops::resize_bilinear_grad)) {
    const bool back = is_op(kind, ops::resize_bilinear_grad);
    const shape &images = back ? out : a, &results = back ? a : out;
    if (images.size() < 0 || results.size() < 0) return -1;
    return with_size_of_element(g.data(v).spec.dtype,
                                [&]<class T>(const T&) { return static_cast<index>(between_bytes<T>(images[2] * images[3], results[2])); });
  }
  if (is_op(kind, ops::resize_nearest))
    return out.size() < 0 ? -1 : static_cast<index>(aligned_size(static_cast<std::size_t>(out[2]) * sizeof(index)));
  if (!is_op(*g.data(v).kind, ops::matmul) && !is_op(*g.data(v).kind, ops::batch_matmul) &&
      !is_op(*g.data(v).kind, ops::arranged_batch_matmul))
    return 0;
  if (a.rank < 2 || b.rank < 2) return 0;
  const bool ta = g.node(v).attribute("transpose_a").values[0] != 0, tb = g.node(v).attribute("transpose_b").values[0] != 0;
  const index m = a[a.rank - (ta ? 1 : 2)], k = a[a.rank - (ta ? 2 : 1)], n = b[b.rank - (tb ? 2 : 1)];
  if (a.size() < 0 || b.size() < 0) return -1;
  // Batches that share b are rows of one product.
  const index rows = m * k > 0 ? a.size() / k : m;
  index most = 0;
  for (index together : {m, rows}) {
    const index bytes =
        with_size_of_element(g.data(v).spec.dtype, [&]<class T>(const T&) { return scratch_of_product<T>(together, n, k, ta, tb); });
    if (bytes > most) most = bytes;
  }
  return most;
}

}  // namespace jig::detail
