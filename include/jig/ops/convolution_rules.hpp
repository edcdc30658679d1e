// SPDX-License-Identifier: MIT
#pragma once
// Shapes of convolutions: where a filter is laid on the axes of space, and the rules of the ops that convolve and of those that their
// gradients are made of.

#include <jig/ops/convolution_options.hpp>
#include <jig/ops/rules.hpp>

namespace jig::detail {

/// One spatial axis of a convolution: extents of the operand and the filter, and where the filter is laid on it.
struct convolved_axis {
  index in = 1, taps = 1, stride = 1, dilation = 1, before = 0;
};

constexpr padding_kind padding_of(stretch<attribute_view> with) {
  const std::string_view kind = find_attribute(with, "padding").text;
  return kind == "SAME"       ? padding_kind::same
         : kind == "VALID"    ? padding_kind::valid
         : kind == "EXPLICIT" ? padding_kind::given
                              : padding_kind::unknown;
}
/// A number for spatial axis `a` out of TensorFlow's lists, which have numbers for batch and channels as well.
constexpr index number_of_axis(stretch<attribute_view> with, std::string_view key, int a) {
  const auto all = find_attribute(with, key).values;
  return all.empty() ? 1 : all[static_cast<std::size_t>(a) + 1];
}
/// Zeros before axis `a`, where they are given.
constexpr index given_padding(stretch<attribute_view> with, int a, bool behind) {
  return find_attribute(with, "explicit_paddings").values[2 * static_cast<std::size_t>(a) + 2 + (behind ? 1 : 0)];
}

/// Whether a convolution is to be computed by Winograd's algorithm.
constexpr bool asks_for_winograd(stretch<attribute_view> with) { return !find_attribute(with, "winograd").values.empty(); }

/// What attributes say of spatial axis `a`.
struct axis_numbers {
  index stride = 1, dilation = 1, before = 0;
  padding_kind padding = padding_kind::valid;
};
constexpr axis_numbers numbers_of_axis(stretch<attribute_view> with, int a) {
  axis_numbers x{number_of_axis(with, "strides", a), number_of_axis(with, "dilations", a), 0, padding_of(with)};
  if (x.padding == padding_kind::given) x.before = given_padding(with, a, false);
  return x;
}

/// The axis of a convolution of extents that a call knows, of which `out` is the result's.
constexpr convolved_axis axis_of_call(const axis_numbers& with, index in, index taps, index out) {
  convolved_axis x{in, taps, with.stride, with.dilation, with.before};
  if (with.padding == padding_kind::same) {
    const index zeros = (out - 1) * x.stride + (taps - 1) * x.dilation + 1 - in;
    x.before = zeros > 0 ? zeros / 2 : 0;
  }
  return x;
}

// Refuses lists that are none of this rank.
constexpr bool has_convolution_lists(rule_context& c, int axes) {
  const auto all = static_cast<std::size_t>(axes) + 2;
  for (const char* key : {"strides", "dilations"}) {
    const auto list = c.integers(key);
    if (list.size() != all) return c.fail("strides and dilations need a number for every spatial axis"), false;
    for (const index n : list)
      if (n < 1) return c.fail("strides and dilations must be positive"), false;
  }
  const padding_kind kind = padding_of(c.attributes);
  if (kind == padding_kind::unknown) return c.fail("the padding must be SAME, VALID or EXPLICIT"), false;
  if (kind != padding_kind::given) return true;
  const auto list = c.integers("explicit_paddings");
  if (list.size() != 2 * all) return c.fail("explicit_padding needs two numbers for every spatial axis"), false;
  for (const index n : list)
    if (n < 0) return c.fail("a padding must not be negative"), false;
  return true;
}

// From the first tap of a filter to its last one and one more.
constexpr index reach_of_filter(rule_context& c, index taps, index dilation) {
  return is_static_extent(taps) ? (taps > 0 ? (taps - 1) * dilation + 1 : 0) : c.sum(c.product(c.difference(taps, 1), dilation), 1);
}
constexpr index convolved_extent(rule_context& c, int a, index in, index taps) {
  const index stride = number_of_axis(c.attributes, "strides", a), dilation = number_of_axis(c.attributes, "dilations", a);
  const padding_kind kind = padding_of(c.attributes);
  if (kind == padding_kind::same) return c.steps(in, stride);
  if (kind == padding_kind::given) in = c.sum(in, c.sum(given_padding(c.attributes, a, false), given_padding(c.attributes, a, true)));
  const index reach = reach_of_filter(c, taps, dilation);
  return c.steps(c.excess(c.sum(in, 1), reach), stride);
}
// The extent of an operand of which a convolution has this many positions: the smallest one but for SAME.
constexpr index extent_before_convolution(rule_context& c, int a, index out, index taps) {
  const index stride = number_of_axis(c.attributes, "strides", a), dilation = number_of_axis(c.attributes, "dilations", a);
  const padding_kind kind = padding_of(c.attributes);
  if (kind == padding_kind::same) return c.product(out, stride);
  const index reach = reach_of_filter(c, taps, dilation);
  if (kind == padding_kind::valid) return c.sum(c.product(out, stride), c.excess(reach, stride));
  const index zeros = given_padding(c.attributes, a, false) + given_padding(c.attributes, a, true);
  return c.excess(c.sum(c.product(c.difference(out, 1), stride), reach), zeros);
}

constexpr void check_filter(rule_context& c, const tensor_spec& filter, int axes) {
  if (filter.shape.rank != axes + 2) c.fail("the filter needs its spatial axes, channels in and channels out");
}

constexpr void check_winograd(rule_context& c, const shape& x, const shape& w) {
  const auto differ = [](index a, index b) { return is_static_extent(a) && is_static_extent(b) && a != b; };
  bool fits = !differ(w[0], 3) && !differ(w[1], 3) && !differ(x[3], w[2]);
  for (const char* key : {"strides", "dilations"})
    for (const index n : c.integers(key)) fits = fits && n == 1;
  if (!fits) c.fail("jig::winograd needs a filter of 3 x 3 taps, strides and dilations of 1, and no groups of channels");
  if (c.inputs[0].dtype != dtype::float32 && c.inputs[0].dtype != dtype::float64) c.fail("jig::winograd computes float32 and float64");
}

template <int Axes>
constexpr void convolution_rule(rule_context& c) {
  check_dtypes(c, floats);
  const shape x = c.inputs[0].shape, w = c.inputs[1].shape;
  if (x.rank != Axes + 2)
    return c.fail(Axes == 2 ? "the operand needs 4 axes: batch, two of space, channels"
                            : "the operand needs 5 axes: batch, three of space, channels");
  check_filter(c, c.inputs[1], Axes);
  if (c.failed || !has_convolution_lists(c, Axes)) return;
  if constexpr (Axes == 2)
    if (asks_for_winograd(c.attributes)) check_winograd(c, x, w);
  if (c.failed) return;
  const index channels = x[Axes + 1], each = w[Axes];
  if (is_static_extent(channels) && is_static_extent(each)) {
    // Groups of channels, where the filter has fewer than the operand.
    if (each == 0 ? channels != 0 : channels % each != 0) return c.fail("channels of the operand are no multiple of the filter's");
    const index groups = each == 0 ? 1 : channels / each;
    if (groups == 0 || (is_static_extent(w[Axes + 1]) && w[Axes + 1] % groups != 0))
      return c.fail("channels of the result are no multiple of the groups of channels");
  } else {
    c.equal(channels, each, "channels of the operand and the filter differ");
  }
  shape out = x;
  for (int a = 0; a < Axes; ++a) out[a + 1] = convolved_extent(c, a, x[a + 1], w[a]);
  out[Axes + 1] = w[Axes + 1];
  c.result = {c.inputs[0].dtype, out};
}

// Inputs: filter, what the convolution gave, and maybe a tensor with the extents of its operand.
template <int Axes>
constexpr void convolution_input_rule(rule_context& c) {
  check_dtypes(c, floats);
  const shape w = c.inputs[0].shape, g = c.inputs[1].shape;
  if (g.rank != Axes + 2) return c.fail("the operand needs its batch, spatial axes and channels");
  check_filter(c, c.inputs[0], Axes);
  if (c.failed || !has_convolution_lists(c, Axes)) return;
  c.equal(g[Axes + 1], w[Axes + 1], "channels of the operand and the filter differ");
  if (c.inputs.size() > 2) {
    c.result = c.inputs[2];
    return;
  }
  shape out = g;
  for (int a = 0; a < Axes; ++a) out[a + 1] = extent_before_convolution(c, a, g[a + 1], w[a]);
  out[Axes + 1] = w[Axes];
  c.result = {c.inputs[0].dtype, out};
}

// Inputs: operand, the adjoint of the result, and a tensor with the extents of the filter.
template <int Axes>
constexpr void convolution_filter_rule(rule_context& c) {
  check_dtypes(c, floats);
  if (c.inputs[0].shape.rank != Axes + 2 || c.inputs[1].shape.rank != Axes + 2)
    return c.fail("operands need their batch, spatial axes and channels");
  check_filter(c, c.inputs[2], Axes);
  if (c.failed || !has_convolution_lists(c, Axes)) return;
  c.result = c.inputs[2];
}

// Depthwise convolutions: every channel has filters of its own, as many as the last axis of the filter says.
constexpr void check_depthwise_operands(rule_context& c, const shape& x, const shape& w) {
  check_dtypes(c, floats);
  if (x.rank != 4) return c.fail("the operand needs 4 axes: batch, two of space, channels");
  if (w.rank != 4) return c.fail("the filter needs its spatial axes, channels and filters of each channel");
  has_convolution_lists(c, 2);
}
// The same filter for a convolution of groups of one channel: its last two axes are one.
constexpr shape filter_of_groups(const shape& w) { return {4, {w[0], w[1], 1, w[2] * w[3]}}; }
constexpr void depthwise_rule(rule_context& c) {
  const shape x = c.inputs[0].shape, w = c.inputs[1].shape;
  check_depthwise_operands(c, x, w);
  if (c.failed) return;
  c.equal(x[3], w[2], "channels of the operand and the filter differ");
  c.result = {c.inputs[0].dtype,
              shape{4, {x[0], convolved_extent(c, 0, x[1], w[0]), convolved_extent(c, 1, x[2], w[1]), c.product(w[2], w[3])}}};
}
// Inputs: filter, the adjoint of the result, and a tensor with the extents of the operand.
constexpr void depthwise_input_rule(rule_context& c) {
  const shape w = c.inputs[0].shape, g = c.inputs[1].shape;
  check_depthwise_operands(c, g, w);
  if (c.failed) return;
  c.equal(g[3], c.product(w[2], w[3]), "channels of the operand and the filter differ");
  c.result = c.inputs[2];
}
constexpr void depthwise_filter_rule(rule_context& c) {
  check_depthwise_operands(c, c.inputs[0].shape, c.inputs[2].shape);
  if (c.failed) return;
  if (c.inputs[1].shape.rank != 4) return c.fail("operands need their batch, spatial axes and channels");
  c.result = c.inputs[2];
}

constexpr index convolution_flops(index result, const shape& w) {
  index each = 2 * result;
  for (int a = 0; a + 1 < w.rank; ++a) each *= w[a];
  return each;
}

}  // namespace jig::detail
