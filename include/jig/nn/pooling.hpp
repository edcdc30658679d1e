// SPDX-License-Identifier: MIT
#pragma once
// Layers that make one number of the windows of each channel.

#include <jig/nn/convolution.hpp>

namespace jig::nn {

/// The largest element or the mean of each window. Options is a std::tuple of those of jig::max_pool2d.
template <bool Max, class Window, class Options>
struct pooling;
template <bool Max, index... Window, class... Options>
struct pooling<Max, std::integer_sequence<index, Window...>, std::tuple<Options...>> {
  static constexpr int axes = sizeof...(Window);
  static_assert(!(... || std::is_same_v<Options, channels_first_t>), "jig: layers have their channels at the end");
  static constexpr std::string_view type =
      Max ? (axes == 1 ? "MaxPooling1D" : "MaxPooling2D") : (axes == 1 ? "AveragePooling1D" : "AveragePooling2D");

  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    if constexpr (Max && axes == 1) return max_pool1d<Window...>(x, Options()...);
    else if constexpr (Max) return max_pool2d<Window...>(x, Options()...);
    else if constexpr (axes == 1) return avg_pool1d<Window...>(x, Options()...);
    else return avg_pool2d<Window...>(x, Options()...);
  }
  static constexpr message refusal(const shape& input) { return detail::axes_refusal(axes, input); }
};

/// The largest element or the mean of each channel.
template <bool Max, int Axes>
struct global_pooling {
  static constexpr std::string_view type =
      Max ? (Axes == 1 ? "GlobalMaxPooling1D" : "GlobalMaxPooling2D") : (Axes == 1 ? "GlobalAveragePooling1D" : "GlobalAveragePooling2D");

  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    if constexpr (Max && Axes == 1) return reduce_max<1>(x);
    else if constexpr (Max) return reduce_max<1, 2>(x);
    else if constexpr (Axes == 1) return reduce_mean<1>(x);
    else return reduce_mean<1, 2>(x);
  }
  static constexpr message refusal(const shape& input) { return detail::axes_refusal(Axes, input); }
};

namespace layers {

/// The largest elements of windows, `max_pooling1d<2>(jig::same_padding)`, with the options of jig::max_pool1d.
/// Shape: [batch, length, channels] -> [batch, length', channels]
template <index Window, class... Options>
constexpr auto max_pooling1d(const Options&...) {
  return nn::pooling<true, std::integer_sequence<index, Window>, std::tuple<Options...>>();
}
/// The same along two axes: windows of 2 x 2, `max_pooling2d<2>()`, or of other sides, `max_pooling2d<3, 2>()`.
/// Shape: [batch, rows, columns, channels] -> [batch, rows', columns', channels]
template <index Rows, index Columns = Rows, class... Options>
constexpr auto max_pooling2d(const Options&...) {
  return nn::pooling<true, std::integer_sequence<index, Rows, Columns>, std::tuple<Options...>>();
}
/// The means of windows.
/// Shape: [batch, length, channels] -> [batch, length', channels]
template <index Window, class... Options>
constexpr auto average_pooling1d(const Options&...) {
  return nn::pooling<false, std::integer_sequence<index, Window>, std::tuple<Options...>>();
}
/// The same along two axes.
/// Shape: [batch, rows, columns, channels] -> [batch, rows', columns', channels]
template <index Rows, index Columns = Rows, class... Options>
constexpr auto average_pooling2d(const Options&...) {
  return nn::pooling<false, std::integer_sequence<index, Rows, Columns>, std::tuple<Options...>>();
}

/// Shape: [batch, length, channels] -> [batch, channels]
using global_max_pooling1d = nn::global_pooling<true, 1>;
/// Shape: [batch, rows, columns, channels] -> [batch, channels]
using global_max_pooling2d = nn::global_pooling<true, 2>;
/// Shape: [batch, length, channels] -> [batch, channels]
using global_average_pooling1d = nn::global_pooling<false, 1>;
/// Shape: [batch, rows, columns, channels] -> [batch, channels]
using global_average_pooling2d = nn::global_pooling<false, 2>;

}  // namespace layers

}  // namespace jig::nn
