// SPDX-License-Identifier: MIT
#pragma once
// Convolutions as plain loops: which elements of the operand and the filter meet in which element of the result.

#include <jig/eval/convolution.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

namespace convolutions {

using jig::attribute_view;
using jig::index;
using jig::shape;

// A convolution with numbers that only the run tells: what the kernel and the loops below read.
struct problem {
  int axes = 2;
  index batch = 1, groups = 1, in = 1, out = 1;  // channels of a group
  index extents[3] = {1, 1, 1}, taps[3] = {1, 1, 1}, strides[3] = {1, 1, 1}, dilations[3] = {1, 1, 1}, before[3] = {}, after[3] = {};
  const char* padding = "EXPLICIT";

  index lists[4][10] = {};
  attribute_view values[5];
  jig::stretch<attribute_view> view() const { return values; }

  index reach(int a) const { return (taps[a] - 1) * dilations[a] + 1; }
  index positions(int a) const {
    if (padding[0] == 'S') return (extents[a] + strides[a] - 1) / strides[a];
    const index whole = extents[a] + before[a] + after[a] - reach(a);
    return whole < 0 ? 0 : whole / strides[a] + 1;
  }
  index zeros_before(int a) const {
    if (padding[0] != 'S') return before[a];
    const index zeros = (positions(a) - 1) * strides[a] + reach(a) - extents[a];
    return zeros > 0 ? zeros / 2 : 0;
  }
  void finish() {
    for (auto& list : lists)
      for (auto& n : list) n = 1;
    lists[2][0] = lists[2][1] = 0;
    for (int a = 0; a < axes; ++a) {
      if (padding[0] == 'V') before[a] = after[a] = 0;
      lists[0][a + 1] = strides[a];
      lists[1][a + 1] = dilations[a];
      lists[3][a + 1] = taps[a];
      lists[2][2 * a + 2] = before[a];
      lists[2][2 * a + 3] = after[a];
    }
    const auto all = static_cast<std::size_t>(axes) + 2;
    values[0] = {"strides", jig::attribute_kind::integers, {lists[0], all}};
    values[1] = {"dilations", jig::attribute_kind::integers, {lists[1], all}};
    values[2] = {"explicit_paddings", jig::attribute_kind::integers, {lists[2], 2 * all}};
    // The windows of a pool, whose channels are groups.
    values[4] = {"ksize", jig::attribute_kind::integers, {lists[3], all}};
    values[3] = {"padding", jig::attribute_kind::text, {}, padding};
  }
  shape x_shape() const {
    shape s{0, {}};
    s.push_back(batch);
    for (int a = 0; a < axes; ++a) s.push_back(extents[a]);
    s.push_back(groups * in);
    return s;
  }
  shape w_shape() const {
    shape s{0, {}};
    for (int a = 0; a < axes; ++a) s.push_back(taps[a]);
    s.push_back(in);
    s.push_back(groups * out);
    return s;
  }
  shape y_shape() const {
    shape s{0, {}};
    s.push_back(batch);
    for (int a = 0; a < axes; ++a) s.push_back(positions(a));
    s.push_back(groups * out);
    return s;
  }
  // Calls f(place in x, place in w, place in y) for every product, of row-major memory.
  template <class F>
  void each_product(F f) const {
    index place[3], tap[3], n[3];
    for (int a = 0; a < 3; ++a) n[a] = a < axes ? positions(a) : 1;
    for (index b = 0; b < batch; ++b)
      for (place[0] = 0; place[0] < n[0]; ++place[0])
        for (place[1] = 0; place[1] < n[1]; ++place[1])
          for (place[2] = 0; place[2] < n[2]; ++place[2])
            for (tap[0] = 0; tap[0] < taps[0]; ++tap[0])
              for (tap[1] = 0; tap[1] < taps[1]; ++tap[1])
                for (tap[2] = 0; tap[2] < taps[2]; ++tap[2]) {
                  index at_x = b, at_w = 0, at_y = b;
                  bool inside = true;
                  for (int a = 0; a < axes; ++a) {
                    const index at = place[a] * strides[a] + tap[a] * dilations[a] - zeros_before(a);
                    inside = inside && at >= 0 && at < extents[a];
                    at_x = at_x * extents[a] + at;
                    at_w = at_w * taps[a] + tap[a];
                    at_y = at_y * n[a] + place[a];
                  }
                  if (!inside) continue;
                  for (index g = 0; g < groups; ++g)
                    for (index i = 0; i < in; ++i)
                      for (index o = 0; o < out; ++o)
                        f(at_x * groups * in + g * in + i, (at_w * in + i) * groups * out + g * out + o, at_y * groups * out + g * out + o);
                }
  }
};

// What the tests of the kernels share.

inline index roll(std::mt19937& random, index low, index high) { return std::uniform_int_distribution<index>(low, high)(random); }

inline problem random_problem(std::mt19937& random, int axes) {
  problem p;
  p.axes = axes;
  p.batch = roll(random, 1, 3);
  p.groups = roll(random, 0, 4) == 0 ? roll(random, 2, 3) : 1;
  p.in = roll(random, 1, 5);
  // Around one and two registers.
  const index lanes = jig::simd::lanes<float>;
  const index outs[] = {1, 2, lanes - 1, lanes, lanes + 1, 2 * lanes, 2 * lanes + 3, 4 * lanes + 1};
  p.out = outs[roll(random, 0, 7)];
  // Groups of a few channels, several of which are in a register.
  if (roll(random, 0, 2) == 0) {
    const index groups[] = {2, lanes / 4 + 1, lanes - 1, lanes, 2 * lanes + 3};
    p.groups = groups[roll(random, 0, 4)];
    p.in = roll(random, 1, 3);
    p.out = roll(random, 1, 3);
  }
  for (int a = 0; a < axes; ++a) {
    p.extents[a] = roll(random, 1, axes == 3 ? 6 : 11);
    p.taps[a] = roll(random, 1, 4);
    p.strides[a] = roll(random, 0, 1) == 0 ? 1 : roll(random, 1, 4);
    p.dilations[a] = roll(random, 0, 1) == 0 ? 1 : roll(random, 1, 4);
    p.before[a] = roll(random, 0, 4);
    p.after[a] = roll(random, 0, 4);
  }
  const char* paddings[] = {"SAME", "VALID", "EXPLICIT"};
  p.padding = paddings[roll(random, 0, 2)];
  p.finish();
  return p;
}

// Windows of 2 x 2 on 4 x 4 elements; with k = 0 there are no items, with k = 1 no columns.
inline problem small_problem(int k) {
  problem p;
  p.batch = k == 0 ? 0 : 1;
  p.extents[0] = 4;
  p.extents[1] = k == 1 ? 0 : 4;
  p.taps[0] = p.taps[1] = 2;
  p.padding = k == 1 ? "SAME" : "VALID";
  return p;
}
inline problem line_problem(index length, index taps, const char* padding) {
  problem p;
  p.axes = 1;
  p.extents[0] = length;
  p.taps[0] = taps;
  p.padding = padding;
  return p;
}

// Small whole numbers, whose sums are exact in any order.
template <class T>
std::vector<T> numbers(std::mt19937& random, const shape& s) {
  std::vector<T> v(static_cast<std::size_t>(s.size()));
  for (auto& x : v) x = static_cast<T>(roll(random, -4, 4));
  return v;
}

// An operand at other places: with gaps between rows, or with channels first.
template <class T>
class placed {
  std::vector<T> memory_;

 public:
  shape strides{};
  placed(const std::vector<T>& dense, const shape& s, index kind) {
    strides = jig::detail::row_major_strides(s);
    if (kind == 1)
      for (int a = 0; a + 1 < s.rank; ++a) strides[a] *= 2;
    if (kind == 2 && s.rank > 1) {
      const index last = s[s.rank - 1], count = s.size() / (last > 0 ? last : 1);
      for (int a = 0; a + 1 < s.rank; ++a) strides[a] /= last > 0 ? last : 1;
      strides[s.rank - 1] = count;
    }
    memory_.resize(static_cast<std::size_t>(2 * s.size() + 1));
    jig::detail::copy_strided(memory_.data(), strides, dense.data(), jig::detail::row_major_strides(s), s);
  }
  const T* data() const { return memory_.data(); }
};

template <class T>
void check_kernels(const problem& p, std::mt19937& random) {
  const shape xs = p.x_shape(), ws = p.w_shape(), ys = p.y_shape();
  const auto x = numbers<T>(random, xs), w = numbers<T>(random, ws), g = numbers<T>(random, ys);
  const placed<T> px(x, xs, roll(random, 0, 2)), pw(w, ws, roll(random, 0, 2)), pg(g, ys, roll(random, 0, 2));
  const jig::any_rank_view<const T> vx(px.data(), xs, px.strides), vw(pw.data(), ws, pw.strides), vg(pg.data(), ys, pg.strides);
  std::vector<T> y(g.size()), gx(x.size()), gw(w.size()), by_kernel_y(g.size(), T(7)), by_kernel_x(x.size(), T(7)),
      by_kernel_w(w.size(), T(7));
  p.each_product([&](index i, index j, index k) {
    const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j), c = static_cast<std::size_t>(k);
    y[c] = static_cast<T>(y[c] + x[a] * w[b]);
    gx[a] = static_cast<T>(gx[a] + g[c] * w[b]);
    gw[b] = static_cast<T>(gw[b] + g[c] * x[a]);
  });
  jig::kernel<jig::ops::conv3d>::run(p, jig::any_rank_view<T>(by_kernel_y.data(), ys), vx, vw);
  jig::kernel<jig::ops::conv3d_backprop_input>::run(p, jig::any_rank_view<T>(by_kernel_x.data(), xs), vw, vg, vx);
  jig::kernel<jig::ops::conv3d_backprop_filter>::run(p, jig::any_rank_view<T>(by_kernel_w.data(), ws), vx, vg, vw);
  // Groups of one channel are what a depthwise convolution has.
  const bool depthwise = p.axes == 2 && p.in == 1;
  std::vector<T> depthwise_y(g.size(), T(7)), depthwise_x(x.size(), T(7)), depthwise_w(w.size(), T(7));
  if (depthwise) {
    const shape fs{4, {ws[0], ws[1], p.groups, p.out}};
    const placed<T> pf(w, fs, roll(random, 0, 2));
    const jig::any_rank_view<const T> vf(pf.data(), fs, pf.strides);
    jig::kernel<jig::ops::depthwise_conv2d>::run(p, jig::any_rank_view<T>(depthwise_y.data(), ys), vx, vf);
    jig::kernel<jig::ops::depthwise_conv2d_backprop_input>::run(p, jig::any_rank_view<T>(depthwise_x.data(), xs), vf, vg, vx);
    jig::kernel<jig::ops::depthwise_conv2d_backprop_filter>::run(p, jig::any_rank_view<T>(depthwise_w.data(), fs), vx, vg, vf);
  }
  auto what = [&] {
    jig::message m;
    m << "x " << jig::tensor_spec{jig::dtype_of<T>, xs} << " w " << jig::tensor_spec{jig::dtype_of<T>, ws} << " " << p.padding;
    for (int a = 0; a < p.axes; ++a) m << " stride " << p.strides[a] << " dilation " << p.dilations[a] << " before " << p.before[a] << ",";
    return std::string(m.view());
  };
  CHECK_MESSAGE(y == by_kernel_y, "forward: " << what());
  CHECK_MESSAGE(gx == by_kernel_x, "operand: " << what());
  CHECK_MESSAGE(gw == by_kernel_w, "filter: " << what());
  const bool same = !depthwise || (y == depthwise_y && gx == depthwise_x && gw == depthwise_w);
  CHECK_MESSAGE(same, "depthwise: " << what());
}

}  // namespace convolutions
