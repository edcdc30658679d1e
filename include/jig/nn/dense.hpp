// SPDX-License-Identifier: MIT
#pragma once
// Fully connected layers.

#include <jig/nn/bias.hpp>
#include <jig/nn/initializers.hpp>

namespace jig::nn {

/// A layer with a weight for every pair of an input and an output. It starts at zero until it is initialised.
template <class T, index In, index Units, class Activation = decltype(activations::linear), class Bias = variable<T, Units>>
struct dense {
  static constexpr std::string_view type = "Dense";
  BOOST_HANA_DEFINE_STRUCT(dense, (variable<T, In, Units>, kernel), (Bias, bias));

  /// activation(x kernel + bias).
  /// Shape: [..., In] -> [..., Units]
  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return Activation()(detail::with_bias(matmul(x, kernel), bias));
  }

  /// Keras' defaults: glorot_uniform and a bias of zeros.
  void initialize(std::int64_t seed) {
    kernel.assign(glorot_uniform<T, In, Units>(seed));
    detail::clear_bias(bias);
  }
};

namespace layers {

template <index Units, class... Options>
struct dense_description {
  template <class Input, class T = typename Input::value_type>
  using layer = nn::dense<T, nn::detail::channels_in<Input>, Units, nn::detail::activation_among<Options...>,
                          nn::detail::bias_among<T, Units, Options...>>;
  static constexpr message refusal(const shape& input) { return nn::detail::last_axis_refusal(input); }
};

/// A dense layer of so many units: `dense<64>(activations::relu)`, `dense<64>(no_bias)`.
template <index Units, class... Options>
constexpr auto dense(const Options&...) {
  return dense_description<Units, Options...>();
}

}  // namespace layers

}  // namespace jig::nn
