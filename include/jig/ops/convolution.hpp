// SPDX-License-Identifier: MIT
#pragma once
// Convolutions with one to three spatial axes, and what their gradients are made of: transposed ones and products for the filter.
// The kernels are in eval/convolution.hpp.

#include <jig/graph/gradient.hpp>
#include <jig/ops/convolution_rules.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/transpose.hpp>

namespace jig {

namespace ops {

extern const op conv2d, conv2d_backprop_input, conv2d_backprop_filter;
extern const op conv3d, conv3d_backprop_input, conv3d_backprop_filter;
extern const op depthwise_conv2d, depthwise_conv2d_backprop_input, depthwise_conv2d_backprop_filter;

}  // namespace ops

namespace detail {

template <const op& Input, const op& Filter>
constexpr void convolution_gradient(gradient_context& c) {
  if (c.wants(0)) c.give(0, c.call_alike(Input, {c.input(1), c.full_adjoint(), c.input(0)}));
  if (c.wants(1)) c.give(1, c.call_alike(Filter, {c.input(0), c.full_adjoint(), c.input(1)}));
}
template <const op& Forward, const op& Filter>
constexpr void convolution_input_gradient(gradient_context& c) {
  if (c.wants(0)) c.give(0, c.call_alike(Filter, {c.full_adjoint(), c.input(1), c.input(0)}));
  if (c.wants(1)) c.give(1, c.call_alike(Forward, {c.full_adjoint(), c.input(0)}));
  c.nothing();
}
template <const op& Forward, const op& Input>
constexpr void convolution_filter_gradient(gradient_context& c) {
  if (c.wants(0)) c.give(0, c.call_alike(Input, {c.full_adjoint(), c.input(1), c.input(0)}));
  if (c.wants(1)) c.give(1, c.call_alike(Forward, {c.input(0), c.full_adjoint()}));
  c.nothing();
}
constexpr index forward_flops(const rule_context& c) { return convolution_flops(c.result.shape.size(), c.inputs[1].shape); }
constexpr index input_flops(const rule_context& c) { return convolution_flops(c.inputs[1].shape.size(), c.inputs[0].shape); }
constexpr index filter_flops(const rule_context& c) { return convolution_flops(c.inputs[1].shape.size(), c.result.shape); }
// `Taps` is the input that has the filter's extents, `Positions` the one with an element for each of its products; -1 is the result.
template <int Taps, int Positions>
constexpr index depthwise_flops(const rule_context& c) {
  const shape& w = c.inputs[Taps].shape;
  const shape& positions = Positions < 0 ? c.result.shape : c.inputs[static_cast<std::size_t>(Positions < 0 ? 0 : Positions)].shape;
  return 2 * positions.size() * w[0] * w[1];
}

}  // namespace detail

namespace ops {

// All of them have the attributes `strides`, `padding`, `explicit_paddings`, `data_format` and `dilations`.

inline constexpr op conv2d{.name = "Conv2D",
                           .label = "Conv2D",
                           .facts = fact::epilogue | fact::computes,
                           .rule = detail::convolution_rule<2>,
                           .flops = detail::forward_flops,
                           .gradient = detail::convolution_gradient<conv2d_backprop_input, conv2d_backprop_filter>,
                           .makes = made_ops<conv2d_backprop_input, conv2d_backprop_filter>,
                           .operands = {.elements = floats}};
/// Of a filter and what a convolution gave, and maybe a tensor with the extents of the result.
inline constexpr op conv2d_backprop_input{.name = "Conv2DBackpropInput",
                                          .label = "Conv2DBackpropInput",
                                          .facts = fact::epilogue | fact::computes,
                                          .rule = detail::convolution_input_rule<2>,
                                          .flops = detail::input_flops,
                                          .gradient = detail::convolution_input_gradient<conv2d, conv2d_backprop_filter>,
                                          .makes = made_ops<conv2d, conv2d_backprop_filter>,
                                          .operands = {.elements = floats, .shapes = 4}};
/// Of the operand of a convolution, the adjoint of its result and a tensor with the extents of the filter.
inline constexpr op conv2d_backprop_filter{.name = "Conv2DBackpropFilter",
                                           .label = "Conv2DBackpropFilter",
                                           .facts = fact::computes,
                                           .rule = detail::convolution_filter_rule<2>,
                                           .flops = detail::filter_flops,
                                           .gradient = detail::convolution_filter_gradient<conv2d, conv2d_backprop_input>,
                                           .makes = made_ops<conv2d, conv2d_backprop_input>,
                                           .operands = {.elements = floats, .shapes = 4}};
inline constexpr op conv3d{.name = "Conv3D",
                           .label = "Conv3D",
                           .facts = fact::epilogue | fact::computes,
                           .rule = detail::convolution_rule<3>,
                           .flops = detail::forward_flops,
                           .gradient = detail::convolution_gradient<conv3d_backprop_input, conv3d_backprop_filter>,
                           .makes = made_ops<conv3d_backprop_input, conv3d_backprop_filter>,
                           .operands = {.elements = floats}};
inline constexpr op conv3d_backprop_input{.name = "Conv3DBackpropInputV2",
                                          .label = "Conv3DBackpropInputV2",
                                          .facts = fact::epilogue | fact::computes,
                                          .rule = detail::convolution_input_rule<3>,
                                          .flops = detail::input_flops,
                                          .gradient = detail::convolution_input_gradient<conv3d, conv3d_backprop_filter>,
                                          .makes = made_ops<conv3d, conv3d_backprop_filter>,
                                          .operands = {.elements = floats, .shapes = 4}};
inline constexpr op conv3d_backprop_filter{.name = "Conv3DBackpropFilterV2",
                                           .label = "Conv3DBackpropFilterV2",
                                           .facts = fact::computes,
                                           .rule = detail::convolution_filter_rule<3>,
                                           .flops = detail::filter_flops,
                                           .gradient = detail::convolution_filter_gradient<conv3d, conv3d_backprop_input>,
                                           .makes = made_ops<conv3d, conv3d_backprop_input>,
                                           .operands = {.elements = floats, .shapes = 4}};
inline constexpr op depthwise_conv2d{
    .name = "DepthwiseConv2dNative",
    .label = "DepthwiseConv2dNative",
    .facts = fact::epilogue | fact::computes,
    .rule = detail::depthwise_rule,
    .flops = detail::depthwise_flops<1, -1>,
    .gradient = detail::convolution_gradient<depthwise_conv2d_backprop_input, depthwise_conv2d_backprop_filter>,
    .makes = made_ops<depthwise_conv2d_backprop_input, depthwise_conv2d_backprop_filter>,
    .operands = {.elements = floats}};
/// Of a filter, what a depthwise convolution gave, and a tensor with the extents of the result.
inline constexpr op depthwise_conv2d_backprop_input{
    .name = "DepthwiseConv2dNativeBackpropInput",
    .label = "DepthwiseConv2dNativeBackpropInput",
    .facts = fact::epilogue | fact::computes,
    .rule = detail::depthwise_input_rule,
    .flops = detail::depthwise_flops<0, 1>,
    .gradient = detail::convolution_input_gradient<depthwise_conv2d, depthwise_conv2d_backprop_filter>,
    .makes = made_ops<depthwise_conv2d, depthwise_conv2d_backprop_filter>,
    .operands = {.elements = floats, .shapes = 4}};
/// Of the operand of a depthwise convolution, the adjoint of its result and a tensor with the extents of the filter.
inline constexpr op depthwise_conv2d_backprop_filter{
    .name = "DepthwiseConv2dNativeBackpropFilter",
    .label = "DepthwiseConv2dNativeBackpropFilter",
    .facts = fact::computes,
    .rule = detail::depthwise_filter_rule,
    .flops = detail::depthwise_flops<2, 1>,
    .gradient = detail::convolution_filter_gradient<depthwise_conv2d, depthwise_conv2d_backprop_input>,
    .makes = made_ops<depthwise_conv2d, depthwise_conv2d_backprop_input>,
    .operands = {.elements = floats, .shapes = 4}};

}  // namespace ops

namespace detail {

// Channels become the last axis, or the second one again.
template <int Axes, class X>
constexpr auto channels_to_end(const X& x) {
  if constexpr (Axes == 1) return transpose<0, 2, 1>(x);
  else if constexpr (Axes == 2) return transpose<0, 2, 3, 1>(x);
  else return transpose<0, 2, 3, 4, 1>(x);
}
template <int Axes, class X>
constexpr auto channels_to_front(const X& x) {
  if constexpr (Axes == 1) return transpose<0, 2, 1>(x);
  else if constexpr (Axes == 2) return transpose<0, 3, 1, 2>(x);
  else return transpose<0, 4, 1, 2, 3>(x);
}

// Lists the extents of some axes of an input.
constexpr void list_axes(auto& extents, const shape& s, int input, int first, int last) {
  for (int a = first; a < last; ++a) extents.push_back(listed_product(s, input, a, 1));
}
// f of x with `Axes` axes: where x has more, its first ones, several axes of batches, are one for f.
template <int Axes, class F, class X>
constexpr auto with_one_batch(F f, const X& x) {
  constexpr auto folded = [](const shape& s) {
    found_integers<max_rank> extents;
    const int batch = s.rank - Axes + 1;
    extents.push_back(listed_product(s, 0, 0, batch));
    list_axes(extents, s, 0, batch, s.rank);
    return extents;
  };
  constexpr auto unfolded = [](const shape& y, const shape& s) {
    found_integers<max_rank> extents;
    list_axes(extents, s, 1, 0, s.rank - Axes + 1);
    list_axes(extents, y, 0, 1, y.rank);
    return extents;
  };
  const auto of_one = [&] {
    return call_with_found<ops::reshape, "shape">(unfolded, f(call_with_found<ops::reshape, "shape">(folded, x)), x);
  };
  if constexpr (is_refused<X>) {
    return x;
  } else if constexpr (is_dynamic<X>) {
    if (known_shape(x).rank > Axes) return of_one();
    return f(x);
  } else if constexpr (operand_shape<X>().rank > Axes) {
    return of_one();
  } else {
    return f(x);
  }
}

// A convolution of one axis is one of two, of which the first has extent 1, as in TensorFlow.
template <const op& Op, class With, bool One, bool Turned, class X, class W>
constexpr auto convolve_last(const X& x, const W& w) {
  if constexpr (is_refused<X> || is_refused<W>) {
    return first_refused(x, w);
  } else if constexpr (One) {
    return squeeze<1>(convolve_last<Op, With, false, Turned>(expand_dims<1>(x), expand_dims<0>(w)));
  } else if constexpr (Turned) {
    return call<Op, With>(w, x);
  } else {
    return call<Op, With>(x, w);
  }
}

template <int Axes, const op& Op, bool Turned, class... Flags, class X, class W>
constexpr auto convolve(const X& x, const W& w) {
  if constexpr (!are_convolution_options<Flags...>) {
    return refuse<convolution_option_reason<Axes>>();
  } else {
    using with = convolution_attributes<Axes == 1 ? 2 : Axes, Axes, Flags...>;
    if constexpr (!with::options.fits) return refuse<convolution_option_reason<Axes>>();
    else if constexpr (with::options.winograd && (Axes != 2 || &Op != &ops::conv2d)) return refuse<winograd_reason<Axes>>();
    else
      return with_one_batch<Axes + 2>(
          [&](const auto& images) {
            if constexpr (with::options.channels_first)
              return channels_to_front<Axes>(convolve_last < Op, with, Axes == 1, Turned > (channels_to_end<Axes>(images), w));
            else return convolve_last < Op, with, Axes == 1, Turned > (images, w);
          },
          x);
  }
}

}  // namespace detail

/// Convolution along one axis of space, TensorFlow's `conv1d`. Further arguments, in any order: `jig::strides<2>`, `jig::dilations<2>`,
/// `jig::same_padding`, `jig::explicit_padding<before, after>` (otherwise no zeros around the operand) and `jig::channels_first`. A filter
/// with fewer channels than the operand is one of groups of channels. Batches may have several axes, here and in all convolutions.
/// Shape: [batch..., length, in] x [taps, in, out] -> [batch..., length', out]; with `jig::channels_first` the operand and the result are
/// [batch..., channels, length]
/// Dtype: floating
/// Errors: channels that do not fit are refused at compile time or throw invalid_argument.
/// Cost: 2 operations for each tap, channel in and element of the result; zeros around the operand cost none.
template <Operand X, Operand W, class... Options>
constexpr auto conv1d(const X& x, const W& w, Options...) {
  return detail::convolve<1, ops::conv2d, false, Options...>(x, w);
}
/// Convolution along two axes of space, TensorFlow's `conv2d`, with the options of `conv1d`: `jig::strides<2>` or `jig::strides<2, 1>`,
/// `jig::explicit_padding<before0, after0, before1, after1>`. `jig::winograd` computes 64 tiles of 4 x 4 elements and more by Winograd's
/// algorithm F(4 x 4, 3 x 3): it is for 3 x 3 taps, strides and dilations of 1, one group of channels, float32 and float64. Results differ
/// by up to 2e-5 (float64: 2e-14) of the largest from exact ones for numbers of a normal distribution, some ten times what products with
/// every tap do, and NaN and infinity reach the elements beside them. Gradients are computed with every tap, and so is
/// what has fewer tiles, or whose channels are no neighbours in memory (`jig::channels_first`).
/// Shape: [batch, rows, columns, in] x [taps, taps, in, out] -> [batch, rows', columns', out]
/// Dtype: floating
/// Errors: channels that do not fit are refused at compile time or throw invalid_argument.
/// Cost: 2 operations for each tap, channel in and element of the result; zeros around the operand cost none.
template <Operand X, Operand W, class... Options>
constexpr auto conv2d(const X& x, const W& w, Options...) {
  return detail::convolve<2, ops::conv2d, false, Options...>(x, w);
}
/// Convolution along three axes of space, TensorFlow's `conv3d`, with the options of `conv1d`.
/// Shape: [batch, planes, rows, columns, in] x [taps, taps, taps, in, out] -> [batch, planes', rows', columns', out]
/// Dtype: floating
/// Errors: channels that do not fit are refused at compile time or throw invalid_argument.
/// Cost: 2 operations for each tap, channel in and element of the result; zeros around the operand cost none.
template <Operand X, Operand W, class... Options>
constexpr auto conv3d(const X& x, const W& w, Options...) {
  return detail::convolve<3, ops::conv3d, false, Options...>(x, w);
}

/// Convolution of every channel by itself along two axes of space, TensorFlow's `depthwise_conv2d`, with the options of `conv2d`. The
/// filters of channel c give channels c * multiplier and those behind it.
/// Shape: [batch, rows, columns, channels] x [taps, taps, channels, multiplier] -> [batch, rows', columns', channels * multiplier]
/// Dtype: floating
/// Errors: channels that do not fit are refused at compile time or throw invalid_argument.
/// Cost: 2 operations for each tap and element of the result; zeros around the operand cost none.
template <Operand X, Operand W, class... Options>
constexpr auto depthwise_conv2d(const X& x, const W& w, Options...) {
  return detail::convolve<2, ops::depthwise_conv2d, false, Options...>(x, w);
}

/// What `conv1d` with the same options and filter does to gradients: every element of x adds the filter, times itself, to the result.
/// Shape: [batch, length, out] x [taps, in, out] -> [batch, length', in], where length' is length times the stride with
/// `jig::same_padding`, otherwise as Keras has it: length times the stride and what the filter reaches beyond a stride
/// Dtype: floating
/// Errors: channels that do not fit are refused at compile time or throw invalid_argument.
template <Operand X, Operand W, class... Options>
constexpr auto conv1d_transpose(const X& x, const W& w, Options...) {
  return detail::convolve<1, ops::conv2d_backprop_input, true, Options...>(x, w);
}
/// What `conv2d` with the same options and filter does to gradients, as `conv1d_transpose`.
/// Shape: [batch, rows, columns, out] x [taps, taps, in, out] -> [batch, rows', columns', in], with extents as of `conv1d_transpose`
/// Dtype: floating
/// Errors: channels that do not fit are refused at compile time or throw invalid_argument.
template <Operand X, Operand W, class... Options>
constexpr auto conv2d_transpose(const X& x, const W& w, Options...) {
  return detail::convolve<2, ops::conv2d_backprop_input, true, Options...>(x, w);
}
/// What `conv3d` with the same options and filter does to gradients, as `conv1d_transpose`.
/// Shape: [batch, planes, rows, columns, out] x [taps, taps, taps, in, out] -> [batch, planes', rows', columns', in], with extents as of
/// `conv1d_transpose`
/// Dtype: floating
/// Errors: channels that do not fit are refused at compile time or throw invalid_argument.
template <Operand X, Operand W, class... Options>
constexpr auto conv3d_transpose(const X& x, const W& w, Options...) {
  return detail::convolve<3, ops::conv3d_backprop_input, true, Options...>(x, w);
}

}  // namespace jig
