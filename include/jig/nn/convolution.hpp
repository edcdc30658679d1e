// SPDX-License-Identifier: MIT
#pragma once
// Layers of convolutions.

#include <jig/nn/bias.hpp>
#include <jig/nn/initializers.hpp>
#include <jig/nn/layer.hpp>

namespace jig::nn {

namespace detail {

constexpr message axes_refusal(int axes, const shape& input) {
  constexpr std::string_view expected[] = {"", "(batch, length, channels)", "(batch, rows, columns, channels)",
                                           "(batch, planes, rows, columns, channels)"};
  message m;
  if (input.rank != axes + 1) m << expected[axes];
  return m;
}

}  // namespace detail

/// A layer that convolves along as many axes as Taps, a std::integer_sequence, has extents. Options is a std::tuple of those of
/// jig::conv2d.
template <class T, class Taps, index In, index Filters, class Activation, class Options, class Bias = variable<T, Filters>>
struct convolution;
template <class T, index... Taps, index In, index Filters, class Activation, class... Options, class Bias>
struct convolution<T, std::integer_sequence<index, Taps...>, In, Filters, Activation, std::tuple<Options...>, Bias> {
  static constexpr int axes = sizeof...(Taps);
  static_assert(!(... || std::is_same_v<Options, channels_first_t>), "jig: layers have their channels at the end");
  static constexpr std::string_view type = axes == 1 ? "Conv1D" : axes == 2 ? "Conv2D" : "Conv3D";
  BOOST_HANA_DEFINE_STRUCT(convolution, (variable<T, Taps..., In, Filters>, kernel), (Bias, bias));

  /// activation(convolution of x with kernel + bias).
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    if constexpr (axes == 1) return Activation()(detail::with_bias(conv1d(x, kernel, Options()...), bias));
    else if constexpr (axes == 2) return Activation()(detail::with_bias(conv2d(x, kernel, Options()...), bias));
    else return Activation()(detail::with_bias(conv3d(x, kernel, Options()...), bias));
  }

  /// Keras' defaults: glorot_uniform and a bias of zeros.
  void initialize(std::int64_t seed) {
    kernel.assign(glorot_uniform<T, Taps..., In, Filters>(seed));
    detail::clear_bias(bias);
  }
};

namespace layers {

template <class Taps, index Filters, class... Options>
struct convolution_description {
  template <class Input, class T = typename Input::value_type>
  using layer = nn::convolution<T, Taps, nn::detail::channels_in<Input>, Filters, nn::detail::activation_among<Options...>,
                                nn::detail::spatial_options<Options...>, nn::detail::bias_among<T, Filters, Options...>>;
  static constexpr message refusal(const shape& input) { return nn::detail::axes_refusal(Taps::size(), input); }
};

/// A convolution along one axis, `conv1d<128, 400>(jig::same_padding, activations::relu)`: so many filters of so many taps. The options of
/// jig::conv1d, an activation and `no_bias`, in any order, may be given.
/// Shape: [batch, length, channels] -> [batch, length', Filters]
template <index Filters, index Taps, class... Options>
constexpr auto conv1d(const Options&...) {
  return convolution_description<std::integer_sequence<index, Taps>, Filters, Options...>();
}
/// The same along two axes: `conv2d<32, 3>(activations::relu)` has filters of 3 x 3 taps, `conv2d<32, 3, 5>()` of 3 x 5.
/// Shape: [batch, rows, columns, channels] -> [batch, rows', columns', Filters]
template <index Filters, index Rows, index Columns = Rows, class... Options>
constexpr auto conv2d(const Options&...) {
  return convolution_description<std::integer_sequence<index, Rows, Columns>, Filters, Options...>();
}
/// The same along three axes.
/// Shape: [batch, planes, rows, columns, channels] -> [batch, planes', rows', columns', Filters]
template <index Filters, index Planes, index Rows = Planes, index Columns = Planes, class... Options>
constexpr auto conv3d(const Options&...) {
  return convolution_description<std::integer_sequence<index, Planes, Rows, Columns>, Filters, Options...>();
}

}  // namespace layers

}  // namespace jig::nn
