// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for transposed convolutions and for the gradients of convolutions and pools.

#include <jig/io/onnx/exported_windows.hpp>

namespace jig::onnx {

// The attributes of a ConvTranspose back to the operand of windows, which jig calls with known extents only.
inline std::vector<written_attribute> attributes_back(exported_node& x, const written_windows& w) {
  const std::size_t axes = w.taps.size();
  if (!is_known(w.taps) || !is_known(space_of(w.from)) || !is_known(space_of(w.to))) x.refuse("its extents must be known");
  const auto pads = *paddings(x, w);
  std::vector<index> more;
  for (std::size_t a = 0; a < axes; ++a) {
    const int axis = static_cast<int>(a) + 1;
    const index whole = w.strides[a] * (w.to[axis] - 1) + w.dilations[a] * (w.taps[a] - 1) + 1;
    more.push_back(w.from[axis] - (whole - pads[a] - pads[axes + a]));
    if (more.back() < 0) x.refuse("ONNX has no result of these extents");
  }
  return {attribute("strides", w.strides), attribute("dilations", w.dilations), attribute("pads", pads), attribute("output_padding", more)};
}

// Inputs: the filter, what is convolved, and maybe something with the extents of the result.
inline void spell_backprop_input(exported_node& x) {
  const bool each_channel = x.is(ops::depthwise_conv2d_backprop_input);
  const shape filter = x.extents(0), operand = x.n.shape();
  const int axes = operand.rank - 2;
  auto with = attributes_back(x, written_windows(x, operand, x.extents(1), space_of(filter, 0)));
  const index channels = operand[axes + 1], each = each_channel ? 1 : filter[axes];
  if (!is_static_extent(channels) || each < 1) x.refuse("its channels must be known");
  with.push_back(attribute("group", channels / each));
  std::string taps = each_channel ? transposed(x, x.in[0], {2, 3, 0, 1}) : filters_first(x, x.in[0], axes);
  if (each_channel) {
    const shape f = x.known(filter);
    taps = x.make("Reshape", {taps, x.to.integers({f[2] * f[3], 1, f[0], f[1]})});
  }
  x.give(channels_last(x, x.make("ConvTranspose", {channels_second(x, x.in[1], axes), taps}, with), axes));
}

// Inputs: the operand, the adjoint of the result, and something with the extents of the filter. It is the convolution of the operand by the
// adjoint, of all images of the batch at once: strides and dilations change places, and so do the batch and the channels. The channels of
// a group are its batch, beside those of other groups.
inline void spell_backprop_filter(exported_node& x) {
  const bool each_channel = x.is(ops::depthwise_conv2d_backprop_filter);
  const shape filter = x.known(x.n.shape()), operand = x.extents(0), result = x.extents(1);
  const int axes = operand.rank - 2;
  const written_windows w(x, operand, result, space_of(filter, 0));
  const index channels = operand[axes + 1];
  if (!is_known(space_of(operand)) || !is_known(space_of(result)) || !is_static_extent(channels)) x.refuse("its extents must be known");
  const index inside = each_channel ? 1 : filter[axes], groups = inside == 0 ? 0 : channels / inside;
  if (groups < 1 || filter[axes + 1] < 1) x.refuse("it has no channels");
  std::vector<index> channels_batch{axes + 1, 0};
  for (int a = 1; a <= axes; ++a) channels_batch.push_back(a);
  std::string images = transposed(x, x.in[0], channels_batch);
  if (groups > 1) {
    std::vector<index> apart{groups, inside, -1}, order{1, 0, 2}, together{inside, -1};
    for (int a = 1; a <= axes; ++a) apart.push_back(operand[a]), order.push_back(a + 2), together.push_back(operand[a]);
    if (inside > 1) images = transposed(x, x.make("Reshape", {images, x.to.integers(apart)}), order);
    images = x.make("Reshape", {images, x.to.integers(together)});
  }
  auto pads = *paddings(x, w);
  std::vector<index> starts, cut;
  for (std::size_t a = 0; a < w.taps.size(); ++a) {
    const int axis = static_cast<int>(a) + 1;
    index& behind = pads[w.taps.size() + a];
    behind = (w.taps[a] - 1) * w.dilations[a] + (result[axis] - 1) * w.strides[a] + 1 - operand[axis] - pads[a];
    // Elements that no window sees would make more taps.
    if (behind <= -w.dilations[a]) cut.push_back(axis + 1);
    behind = std::max<index>(behind, 0);
  }
  auto made =
      x.make("Conv", {images, transposed(x, x.in[1], channels_batch)},
             {attribute("strides", w.dilations), attribute("dilations", w.strides), attribute("pads", pads), attribute("group", groups)});
  if (!cut.empty()) {
    std::vector<index> ends;
    for (const index a : cut) starts.push_back(0), ends.push_back(w.taps[static_cast<std::size_t>(a) - 2]);
    made = x.make("Slice", {made, x.to.integers(starts), x.to.integers(ends), x.to.integers(cut)});
  }
  std::vector<index> back;
  for (int a = 0; a < axes; ++a) back.push_back(a + 2);
  back.push_back(0), back.push_back(1);
  made = transposed(x, made, back);
  x.give(each_channel ? x.make("Reshape", {made, x.to.integers({filter.extents, filter.extents + filter.rank})}) : made);
}

// Which elements of the operand the largest ones are, counted through all of it with its channels second.
inline std::string places_of_largest(exported_node& x, const std::string& operand) {
  const std::string largest = x.to.fresh(), places = x.to.fresh();
  x.to.node("MaxPool", {operand}, {largest, places}, attributes_of_pool(x, x.extents(0), x.extents(1)));
  x.to.note(places, dtype::int64);
  return places;
}
inline void spell_max_pool_grad(exported_node& x) {
  const int axes = x.extents(0).rank - 2;
  const auto operand = channels_second(x, x.in[0], axes);
  const auto at = x.make("Reshape", {places_of_largest(x, operand), x.to.integers({-1, 1})});
  const auto flat = x.make("Reshape", {channels_second(x, x.in[2], axes), x.to.integers({-1})});
  const auto zeros = x.make("Expand", {x.number(0), x.make("Reshape", {x.make("Size", {operand}), x.to.integers({1})})});
  x.to.need_opset(16);
  const auto sum = x.make("ScatterND", {zeros, at, flat}, {written_attribute::of_text("reduction", "add")});
  x.give(channels_last(x, x.make("Reshape", {sum, x.make("Shape", {operand})}), axes));
}
inline void spell_max_pool_grad_grad(exported_node& x) {
  const int axes = x.extents(0).rank - 2;
  const auto places = places_of_largest(x, channels_second(x, x.in[0], axes));
  const auto flat = x.make("Reshape", {channels_second(x, x.in[2], axes), x.to.integers({-1})});
  x.give(channels_last(x, x.make("Gather", {flat, places}, {attribute("axis", 0)}), axes));
}
// Inputs: the adjoint of the result, and something with the extents of the operand. Each adjoint is shared among the elements that its
// window has, one channel after the other.
inline void spell_avg_pool_grad(exported_node& x) {
  const shape result = x.extents(0), operand = x.extents(1);
  const int axes = operand.rank - 2;
  const written_windows w(x, operand, result, of_space(x, "ksize"));
  auto with = attributes_back(x, w);
  const auto pads = *paddings(x, w);
  shape counted{1, {1}}, ones{2, {1, 1}};
  for (int a = 1; a <= axes; ++a) counted.push_back(result[a]), ones.push_back(w.taps[static_cast<std::size_t>(a) - 1]);
  counted.push_back(1);
  const auto filled = [&](const shape& s, auto element) {
    any_tensor out = any_tensor::empty(x.n.dtype(), s);
    detail::with_type_of(out.dtype(), [&]<class T>(const T&) {
      if constexpr (is_floating(dtype_of<T>))
        for (index i = 0; i < out.size(); ++i) static_cast<T*>(out.mutable_data())[i] = T(static_cast<float>(element(i)));
    });
    return x.to.constant(out);
  };
  const auto elements_of_window = [&](index i) {
    index product = 1;
    for (int a = axes; a >= 1; --a) {
      const auto k = static_cast<std::size_t>(a) - 1;
      const index first = i % result[a] * w.strides[k] - pads[k];
      product *= (std::min)(first + w.taps[k], operand[a]) - (std::max)(first, index{0});
      i /= result[a];
    }
    return product;
  };
  const auto shares = channels_second(x, x.make("Div", {x.in[0], filled(counted, elements_of_window)}), axes);
  std::vector<index> apart{-1, 1};
  for (int a = 1; a <= axes; ++a) apart.push_back(result[a]);
  const auto spread =
      x.make("ConvTranspose", {x.make("Reshape", {shares, x.to.integers(apart)}), filled(ones, [](index) { return 1; })}, with);
  const auto extents = x.make("Shape", {channels_second(x, x.in[1], axes)});
  x.give(channels_last(x, x.make("Reshape", {spread, extents}), axes));
}

// clang-format off
inline constexpr spelled_op spelled_window_gradients[] = {
    {&ops::conv2d_backprop_input, spell_backprop_input}, {&ops::conv3d_backprop_input, spell_backprop_input},
    {&ops::depthwise_conv2d_backprop_input, spell_backprop_input}, {&ops::conv2d_backprop_filter, spell_backprop_filter},
    {&ops::conv3d_backprop_filter, spell_backprop_filter}, {&ops::depthwise_conv2d_backprop_filter, spell_backprop_filter},
    {&ops::max_pool2d_grad, spell_max_pool_grad}, {&ops::max_pool3d_grad, spell_max_pool_grad},
    {&ops::max_pool2d_grad_grad, spell_max_pool_grad_grad}, {&ops::max_pool3d_grad_grad, spell_max_pool_grad_grad},
    {&ops::avg_pool2d_grad, spell_avg_pool_grad}, {&ops::avg_pool3d_grad, spell_avg_pool_grad},
};
// clang-format on

}  // namespace jig::onnx
