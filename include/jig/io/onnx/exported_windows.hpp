// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for convolutions and pools. Channels go to the second axis and back.

#include <jig/io/onnx/exported_node.hpp>

#include <algorithm>
#include <optional>

namespace jig::onnx {

inline std::string channels_second(exported_node& x, const std::string& of, int axes) {
  std::vector<index> order{0, axes + 1};
  for (int a = 1; a <= axes; ++a) order.push_back(a);
  return transposed(x, of, order);
}
inline std::string channels_last(exported_node& x, const std::string& of, int axes) {
  std::vector<index> order{0};
  for (int a = 1; a <= axes; ++a) order.push_back(a + 1);
  order.push_back(1);
  return transposed(x, of, order);
}
// The last axis first, and the one before it second.
inline std::string filters_first(exported_node& x, const std::string& of, int axes) {
  std::vector<index> order{axes + 1, axes};
  for (int a = 0; a < axes; ++a) order.push_back(a);
  return transposed(x, of, order);
}
// Of a list with an entry for each axis, those of space.
inline std::vector<index> of_space(exported_node& x, std::string_view key) {
  const auto all = x.ints(key);
  return {all.begin() + 1, all.end() - 1};
}
inline bool is_known(stretch<index> extents) {
  return std::all_of(extents.begin(), extents.end(), [](index e) { return is_static_extent(e); });
}
inline std::vector<index> space_of(const shape& s, int from = 1) { return {s.extents + from, s.extents + from + s.rank - 2}; }

// Windows over the axes of space of an operand, and what they give.
struct written_windows {
  shape from, to;
  std::vector<index> taps, strides, dilations;

  written_windows(exported_node& x, const shape& operand, const shape& result, std::vector<index> given)
      : from(operand), to(result), taps(std::move(given)), strides(of_space(x, "strides")), dilations(taps.size(), 1) {
    if (!x.ints("dilations").empty()) dilations = of_space(x, "dilations");
  }
};

// What lies before all axes of the operand, then behind them; nothing where a stride and an extent that is not known decide. Runtimes
// have no auto_pad with dilations, or with strides beyond the window.
inline std::optional<std::vector<index>> paddings(exported_node& x, const written_windows& w) {
  const auto padding = x.n.attribute("padding").text;
  const std::size_t axes = w.taps.size();
  std::vector<index> pads(2 * axes);
  for (std::size_t a = 0; a < axes; ++a) {
    if (padding == "EXPLICIT") {
      const auto given = x.ints("explicit_paddings");
      pads[a] = given[2 * a + 2];
      pads[axes + a] = given[2 * a + 3];
    } else if (padding == "SAME") {
      const int axis = static_cast<int>(a) + 1;
      if (!is_static_extent(w.taps[a])) return std::nullopt;
      index zeros = (w.taps[a] - 1) * w.dilations[a];
      if (is_static_extent(w.from[axis]) && is_static_extent(w.to[axis])) zeros += (w.to[axis] - 1) * w.strides[a] + 1 - w.from[axis];
      else if (w.strides[a] != 1) return std::nullopt;
      pads[a] = std::max<index>(zeros, 0) / 2;
      pads[axes + a] = std::max<index>(zeros, 0) - pads[a];
    }
  }
  return pads;
}
inline std::vector<written_attribute> attributes_of(exported_node& x, const written_windows& w) {
  std::vector<written_attribute> with{attribute("strides", w.strides)};
  const auto pads = paddings(x, w);
  if (!pads) with.push_back(written_attribute::of_text("auto_pad", "SAME_UPPER"));
  else if (x.n.attribute("padding").text != "VALID") with.push_back(attribute("pads", *pads));
  return with;
}

inline void spell_convolution(exported_node& x) {
  const bool each_channel = x.is(ops::depthwise_conv2d);
  const int axes = x.extents(0).rank - 2;
  const index channels = x.extents(0)[axes + 1], each = x.extents(1)[axes];
  const written_windows w(x, x.extents(0), x.n.shape(), space_of(x.extents(1), 0));
  auto with = attributes_of(x, w);
  if (each_channel) with.push_back(attribute("group", x.known(x.extents(1))[2]));
  else if (is_static_extent(channels) && each > 0) with.push_back(attribute("group", channels / each));
  with.push_back(attribute("dilations", w.dilations));
  std::string filter;
  if (each_channel) {
    // Filters [rows, columns, channels, multiplier] of groups of one channel.
    const shape f = x.known(x.extents(1));
    filter = x.make("Reshape", {transposed(x, x.in[1], {2, 3, 0, 1}), x.to.integers({f[2] * f[3], 1, f[0], f[1]})});
  } else {
    filter = filters_first(x, x.in[1], axes);
  }
  x.give(channels_last(x, x.make("Conv", {channels_second(x, x.in[0], axes), filter}, with), axes));
}

inline std::vector<written_attribute> attributes_of_pool(exported_node& x, const shape& operand, const shape& result) {
  const written_windows w(x, operand, result, of_space(x, "ksize"));
  auto with = attributes_of(x, w);
  with.push_back(attribute("kernel_shape", w.taps));
  return with;
}
template <text Kind>
void spell_pool(exported_node& x) {
  const int axes = x.extents(0).rank - 2;
  const auto with = attributes_of_pool(x, x.extents(0), x.n.shape());
  x.give(channels_last(x, x.make(Kind.view(), {channels_second(x, x.in[0], axes)}, with), axes));
}

// clang-format off
inline constexpr spelled_op spelled_windows[] = {
    {&ops::conv2d, spell_convolution}, {&ops::conv3d, spell_convolution}, {&ops::depthwise_conv2d, spell_convolution},
    {&ops::max_pool2d, spell_pool<"MaxPool">}, {&ops::max_pool3d, spell_pool<"MaxPool">},
    {&ops::avg_pool2d, spell_pool<"AveragePool">}, {&ops::avg_pool3d, spell_pool<"AveragePool">},
};
// clang-format on

}  // namespace jig::onnx
