// SPDX-License-Identifier: MIT
#pragma once
// Fully connected layers.

#include <jig/nn/activations.hpp>
#include <jig/nn/initializers.hpp>
#include <jig/nn/layer.hpp>

namespace jig::nn {

/// A layer with a weight for every pair of an input and an output. It starts at zero until it is initialised.
template <class T, index In, index Units, class Activation = decltype(activations::linear)>
struct dense {
  static constexpr std::string_view type = "Dense";
  BOOST_HANA_DEFINE_STRUCT(dense, (variable<T, In, Units>, kernel), (variable<T, Units>, bias));

  /// activation(x kernel + bias).
  /// Shape: [..., In] -> [..., Units]
  constexpr auto operator()(const auto& x) const { return Activation()(matmul(x, kernel) + bias); }

  /// Keras' defaults: glorot_uniform and a bias of zeros.
  void initialize(std::int64_t seed) {
    kernel.assign(glorot_uniform<T, In, Units>(seed));
    bias.assign(zeros<T, Units>());
  }
};

namespace layers {

template <index Units, class Activation>
struct dense_description {
  template <class Input>
  using layer = nn::dense<typename Input::value_type, nn::detail::last_extent<Input>, Units, Activation>;
  static constexpr message refusal(const shape& input) { return nn::detail::last_axis_refusal(input); }
};

/// A dense layer of so many units: `dense<64>(activations::relu)`.
template <index Units, class Activation = decltype(activations::linear)>
constexpr auto dense(const Activation& = {}) {
  return dense_description<Units, std::remove_const_t<Activation>>();
}

}  // namespace layers

}  // namespace jig::nn
