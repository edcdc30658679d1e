// SPDX-License-Identifier: MIT
#pragma once
// The same for parts of tensors, convolutions, random numbers and effects.

#include <jig/io/tensorflow/imported_ops.hpp>
#include <jig/ops/invert_permutation.hpp>
#include <jig/ops/sort.hpp>
#include <jig/ops/space_to_depth.hpp>

namespace jig::detail::tensorflow {

constexpr edges read_pad(const imported_node& n) {
  n.require_inputs(n.node.op == "Pad" ? 2 : 3);
  const edge around = n.inputs.size() == 3 ? n.inputs[2] : number(n, n.spec(0).dtype, 0);
  if (n.to.known.find(n.inputs[1]) != nullptr)
    return {n.call(ops::pad, {n.inputs[0], around}, attribute_list().integers("paddings", n.constant(1, "the paddings")))};
  n.fail_for_extents("the paddings are not known before a call");
}
constexpr edges read_split(const imported_node& n) {
  n.require_inputs(2);
  const index axis = n.scalar(0, "the axis"), parts = n.integer("num_split", 0);
  if (parts < 1 || parts > 4096) n.fail("there is no such number of parts");
  edges out;
  for (index part = 0; part < parts; ++part)
    out.push_back(
        n.call(ops::split, {n.inputs[1]}, attribute_list().integer("axis", axis).integer("num_split", parts).integer("part", part)));
  return out;
}
constexpr edges read_unpack(const imported_node& n) {
  n.require_inputs(1);
  const index axis = n.integer("axis", 0), parts = n.integer("num", 0);
  if (parts < 0 || parts > 4096) n.fail("there is no such number of parts");
  edges out;
  for (index part = 0; part < parts; ++part)
    out.push_back(n.call(ops::unpack, {n.inputs[0]}, attribute_list().integer("axis", axis).integer("part", part)));
  return out;
}
constexpr edges read_slice(const imported_node& n) {
  n.require_inputs(3);
  auto size = n.constant(2, "the size");
  return {n.call(ops::slice, {n.inputs[0], n.inputs[1]}, attribute_list().integers("size", std::move(size)))};
}
// Ellipses and new axes are written out as whole axes and reshapes.
constexpr void slice_attributes(const imported_node& n, std::size_t first, attribute_list& with) {
  if (n.integer("ellipsis_mask", 0) != 0 || n.integer("new_axis_mask", 0) != 0) n.fail("jig reads no ellipsis and no new axes in slices");
  auto begin = n.constant(first, "the begin"), end = n.constant(first + 1, "the end"), strides = n.constant(first + 2, "the strides");
  if (end.size() != begin.size() || strides.size() != begin.size()) n.fail("begin, end and strides have different lengths");
  with.integers("begin", std::move(begin)).integers("end", std::move(end)).integers("strides", std::move(strides));
  for (const char* mask : {"begin_mask", "end_mask", "shrink_axis_mask"}) with.integer(mask, n.integer(mask, 0) & 255);
}
constexpr edges read_strided_slice(const imported_node& n) {
  n.require_inputs(4);
  attribute_list with;
  slice_attributes(n, 1, with);
  return {n.call(ops::strided_slice, {n.inputs[0]}, with)};
}
constexpr edges read_strided_slice_grad(const imported_node& n) {
  n.require_inputs(5);
  attribute_list with;
  slice_attributes(n, 1, with);
  return {n.call(ops::strided_slice_add, {filled(n, 0, number(n, n.spec(4).dtype, 0)), n.inputs[4]}, with)};
}
constexpr edges read_strided_slice_update(const imported_node& n) {
  n.require_inputs(5);
  attribute_list with;
  slice_attributes(n, 1, with);
  return {n.call(ops::strided_slice_update, {n.inputs[0], n.inputs[4]}, with)};
}
constexpr edges read_scatter_nd(const imported_node& n) {
  n.require_inputs(3);
  return {n.call(ops::tensor_scatter_add, {filled(n, 2, number(n, n.spec(1).dtype, 0)), n.inputs[0], n.inputs[1]})};
}
constexpr edges read_one_hot(const imported_node& n) {
  n.require_inputs(4);
  if (n.integer("axis", -1) != -1) n.fail("jig has it along the last axis only");
  const edge hot =
      n.call(ops::one_hot, {n.inputs[0]}, attribute_list().integer("depth", n.scalar(1, "the depth")).type("T", dtype::boolean));
  return {n.call(ops::select, {hot, n.inputs[2], n.inputs[3]})};
}
// Without weights there is a list of none.
constexpr edges read_bincount(const imported_node& n) {
  n.require_inputs(3);
  if (n.spec(0).shape.rank > 1) n.fail("jig counts all numbers together");
  if (n.truth("binary_output", false)) n.fail("jig counts how often each number occurs");
  attribute_list with;
  with.integer("size", n.scalar(1, "the size"));
  const shape& weights = n.spec(2).shape;
  if (weights.rank == 1 && weights[0] == 0) return {n.call(ops::bincount, {n.inputs[0]}, with.type("T", n.spec(2).dtype))};
  return {n.call(ops::bincount, {n.inputs[0], n.inputs[2]}, with)};
}

// As many elements as there are, which only a call may know, are all of them in order.
constexpr edges read_top_k(const imported_node& n) {
  n.require_inputs(2);
  const int last = n.spec(0).shape.rank - 1;
  const auto* const count = n.to.known.find(n.inputs[1]);
  if (count != nullptr && count->size() == 1 && (*count)[0] == known_term{1, {{n.inputs[0], last}}}) {
    const auto sorted = [&](const op& kind) {
      return n.call(kind, {n.inputs[0]}, attribute_list().integer("axis", last).boolean("descending", true));
    };
    return {sorted(ops::sort), sorted(ops::argsort)};
  }
  const edge made = n.call(ops::top_k, {n.inputs[0]}, attribute_list().integer("k", n.scalar(1, "k")));
  return {made, {made.node, 1}};
}

// Along several axes one after the other.
constexpr edges read_roll(const imported_node& n) {
  n.require_inputs(3);
  const auto axes = n.constant(2, "the axes");
  const shape& shifts = n.spec(1).shape;
  if (shifts.rank > 1 || (shifts.rank == 1 ? shifts[0] != static_cast<index>(axes.size()) : axes.size() != 1))
    n.fail("there are other numbers of shifts and axes");
  edge x = n.inputs[0];
  for (std::size_t k = 0; k < axes.size(); ++k) {
    const edge shift = shifts.rank == 0
                           ? n.inputs[1]
                           : n.call(ops::unpack, {n.inputs[1]}, attribute_list().integer("axis", 0).integer("part", static_cast<index>(k)));
    x = n.call(ops::roll, {x, shift}, attribute_list().integer("axis", axes[k]));
  }
  return {x};
}
template <const op& Kind>
constexpr edges read_search(const imported_node& n) {
  n.require_inputs(2);
  if (n.spec(0).shape.rank != 2 || n.spec(1).shape.rank != 2) n.fail("its inputs are no matrices");
  const edge found = n.call(Kind, n.inputs);
  const dtype d = n.has("out_type") ? n.type("out_type") : dtype::int32;
  return {d == dtype::int32 ? found : n.call(ops::cast, {found}, attribute_list().type("DstT", d))};
}
template <const op& Kind>
constexpr edges read_blocks(const imported_node& n) {
  n.require_inputs(1);
  if (n.text("data_format", "NHWC") != "NHWC") n.fail("channels come first");
  return {n.call(Kind, {n.inputs[0]}, attribute_list().integer("block_size", n.integer("block_size", 0)))};
}
template <const op& Kind>
constexpr edges read_composite(const imported_node& n) {
  return {n.call(Kind, n.inputs)};
}

constexpr void convolution_attributes(const imported_node& n, attribute_list& with, std::size_t axes) {
  with.text("padding", n.text("padding", "")).text("data_format", n.text("data_format", axes == 5 ? "NDHWC" : "NHWC"));
  with.integers("strides", n.integers("strides"));
  with.integers("dilations", n.dilations(axes));
  if (n.has("explicit_paddings") && !n.integers("explicit_paddings").empty())
    with.integers("explicit_paddings", n.integers("explicit_paddings"));
}
template <const op& Kind, std::size_t Axes>
constexpr edges read_backprop_input(const imported_node& n) {
  n.require_inputs(3);
  attribute_list with;
  convolution_attributes(n, with, Axes);
  return {n.call(Kind, {n.inputs[1], n.inputs[2], filled(n, 0, number(n, n.spec(2).dtype, 0))}, with)};
}
template <const op& Kind, std::size_t Axes>
constexpr edges read_backprop_filter(const imported_node& n) {
  n.require_inputs(3);
  attribute_list with;
  convolution_attributes(n, with, Axes);
  return {n.call(Kind, {n.inputs[0], n.inputs[2], filled(n, 1, number(n, n.spec(2).dtype, 0))}, with)};
}
template <const op& Kind, std::size_t Axes>
constexpr edges read_avg_pool_grad(const imported_node& n) {
  n.require_inputs(2);
  attribute_list with;
  with.integers("ksize", n.integers("ksize")).integers("strides", n.integers("strides")).text("padding", n.text("padding", ""));
  with.text("data_format", n.text("data_format", Axes == 5 ? "NDHWC" : "NHWC")).integers("dilations", std::vector<index>(Axes, 1));
  return {n.call(Kind, {n.inputs[1], filled(n, 0, number(n, n.spec(1).dtype, 0))}, with)};
}
template <const op& Kind>
constexpr edges read_resize(const imported_node& n) {
  n.require_inputs(2);
  if (n.truth("align_corners", false) || !n.truth("half_pixel_centers", false))
    n.fail("jig has it with half_pixel_centers and without align_corners");
  edges inputs{n.inputs[0]};
  auto size = listed(n, 1, inputs, "the size");
  for (const index e : size)
    if (e == dyn) n.fail("the size is negative");
  if (inputs.size() > 2) n.fail("the size is that of several images");
  if (inputs.size() == 1) inputs.push_back(n.inputs[0]);
  return {n.call(Kind, inputs, attribute_list().integers("size", std::move(size)))};
}
constexpr edges read_resize_bilinear_grad(const imported_node& n) {
  n.require_inputs(2);
  if (n.truth("align_corners", false) || !n.truth("half_pixel_centers", false))
    n.fail("jig has it with half_pixel_centers and without align_corners");
  return {n.call(ops::resize_bilinear_grad, {n.inputs[0], n.inputs[1]})};
}

template <const op& Kind>
constexpr edges read_random(const imported_node& n) {
  n.require_inputs(2);
  return {n.call(Kind, {filled(n, 0, number(n, n.type("dtype"), 0)), n.inputs[1]})};
}
constexpr edges read_check_numerics(const imported_node& n) {
  n.require_inputs(1);
  attribute_list with;
  if (const std::string message = n.text("message", ""); !message.empty()) with.text("message", message);
  return {n.call(ops::check_numerics, {n.inputs[0]}, with)};
}
// The line that PrintV2 writes is known from its StringFormat, which has no result of its own.
constexpr edges read_string_format(const imported_node& n) {
  const std::uint64_t none = 0;
  const edge made = n.to.constant(n.node, {dtype::string, {}}, {&none, 1}, "");
  n.to.known.lines.set(made.node, {n.inputs, n.text("template", "%s"), n.text("placeholder", "%s")});
  return {made};
}
constexpr edges read_print(const imported_node& n) {
  n.require_inputs(1);
  if (const auto* const line = n.to.known.lines.find(n.inputs[0].node))
    return {n.call(ops::print, line->inputs, attribute_list().text("template", line->text).text("placeholder", line->placeholder))};
  return {n.call(ops::print, {n.inputs[0]}, attribute_list().text("template", "{}").text("placeholder", "{}"))};
}
constexpr edges read_assert(const imported_node& n) {
  n.require_inputs(1, static_cast<std::size_t>(-1));
  edges inputs{n.inputs[0]};
  std::string text = "assertion failed:";
  std::size_t first = 1;
  std::string placeholder = n.text("_placeholder", "");
  if (!placeholder.empty() && n.inputs.size() > 1) {
    text = n.to.text_of(n.inputs[1]);
    first = 2;
  } else {
    placeholder = "{}";
    for (std::size_t k = 1; k < n.inputs.size(); ++k) text += " [{}]";
  }
  inputs.insert(inputs.end(), n.inputs.begin() + static_cast<std::ptrdiff_t>(first), n.inputs.end());
  return {n.call(ops::assert_that, inputs, attribute_list().text("template", text).text("placeholder", placeholder))};
}

}  // namespace jig::detail::tensorflow
