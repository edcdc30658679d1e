// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for transposed convolutions and for images with other extents. Channels go to the second axis and back.

#include <jig/io/onnx/exported_ops.hpp>

#include <algorithm>

namespace jig::onnx {

// What the result has behind the last whole stride, and what is cut off on both sides, of one axis.
struct cut_axis {
  index before = 0, behind = 0, more = 0;
};
inline cut_axis cut_of_axis(exported_node& x, std::string_view padding, int axis, index from, index to, index taps) {
  const auto a = static_cast<std::size_t>(axis);
  const index whole = x.ints("strides")[a] * (from - 1) + x.ints("dilations")[a] * (taps - 1) + 1;
  cut_axis out;
  if (padding == "SAME") {
    const index total = std::max<index>(whole - to, 0);
    out.before = total / 2;
    out.behind = total - out.before;
  } else if (padding == "EXPLICIT") {
    const auto given = x.ints("explicit_paddings");
    out.before = given[2 * a];
    out.behind = given[2 * a + 1];
  }
  out.more = to - (whole - out.before - out.behind);
  return out;
}

// Inputs: the filter, what is convolved, and maybe something with the extents of the result.
inline bool export_transposed(exported_node& x) {
  if (!x.is(ops::conv2d_backprop_input) && !x.is(ops::conv3d_backprop_input)) return false;
  const shape filter = x.extents(0), from = x.extents(1), to = x.n.shape();
  const int axes = from.rank - 2;
  const auto inner = [&](std::string_view key) {
    const auto all = x.ints(key);
    return std::vector<index>(all.begin() + 1, all.end() - 1);
  };
  std::vector<index> front{0, axes + 1}, back{0}, taps{axes + 1, axes}, pads(static_cast<std::size_t>(2 * axes)), more;
  for (int a = 1; a <= axes; ++a) {
    front.push_back(a), back.push_back(a + 1), taps.push_back(a - 1);
    if (!is_static_extent(from[a]) || !is_static_extent(to[a]) || !is_static_extent(filter[a - 1])) x.refuse("its extents must be known");
    const cut_axis cut = cut_of_axis(x, x.n.attribute("padding").text, a, from[a], to[a], filter[a - 1]);
    if (cut.more < 0) x.refuse("ONNX has no result of these extents");
    pads[static_cast<std::size_t>(a - 1)] = cut.before;
    pads[static_cast<std::size_t>(axes + a - 1)] = cut.behind;
    more.push_back(cut.more);
  }
  back.push_back(1);
  std::vector<written_attribute> with{attribute("strides", inner("strides")), attribute("dilations", inner("dilations")),
                                      attribute("pads", pads), attribute("output_padding", more)};
  const index channels = to[axes + 1], each = filter[axes];
  if (!is_static_extent(channels) || each < 1) x.refuse("its channels must be known");
  with.push_back(attribute("group", channels / each));
  const auto made =
      x.make("ConvTranspose",
             {x.make("Transpose", {x.in[1]}, {attribute("perm", front)}), x.make("Transpose", {x.in[0]}, {attribute("perm", taps)})}, with);
  x.give(x.make("Transpose", {made}, {attribute("perm", back)}));
  return true;
}

inline bool export_resize(exported_node& x) {
  const bool nearest = x.is(ops::resize_nearest);
  if (!nearest && !x.is(ops::resize_bilinear)) return false;
  const shape to = x.n.shape();
  if (!is_static_extent(to[1]) || !is_static_extent(to[2])) x.refuse("its extents must be known");
  const auto images = x.make("Transpose", {x.in[0]}, {attribute("perm", {0, 3, 1, 2})});
  std::string extents;
  if (is_static_extent(to[0]) && is_static_extent(to[3])) {
    extents = x.to.integers({to[0], to[3], to[1], to[2]});
  } else {
    const auto others = x.make("Slice", {x.make("Shape", {images}), x.to.integers({0}), x.to.integers({2})});
    extents = x.make("Concat", {others, x.to.integers({to[1], to[2]})}, {attribute("axis", 0)});
  }
  // Middles of elements are at halves; of two that are as near the later one is taken.
  std::vector<written_attribute> with{written_attribute::of_text("mode", nearest ? "nearest" : "linear"),
                                      written_attribute::of_text("coordinate_transformation_mode", "half_pixel")};
  if (nearest) with.push_back(written_attribute::of_text("nearest_mode", "round_prefer_ceil"));
  const auto made = x.make("Resize", {images, "", "", extents}, with);
  x.give(x.make("Transpose", {made}, {attribute("perm", {0, 2, 3, 1})}));
  return true;
}

}  // namespace jig::onnx
