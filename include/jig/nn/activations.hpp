// SPDX-License-Identifier: MIT
#pragma once
// Activations as objects, for layers to be described with: `layers::dense<64>(activations::relu)`. Any function of one value that
// does not capture is an activation too.

#include <jig/nn/layer.hpp>

namespace jig::nn {

namespace activations {

/// x itself.
inline constexpr auto linear = [](const auto& x) { return x; };
inline constexpr auto relu = [](const auto& x) { return jig::relu(x); };
inline constexpr auto relu6 = [](const auto& x) { return jig::relu6(x); };
inline constexpr auto leaky_relu = [](const auto& x) { return jig::leaky_relu(x); };
inline constexpr auto elu = [](const auto& x) { return jig::elu(x); };
inline constexpr auto selu = [](const auto& x) { return jig::selu(x); };
inline constexpr auto gelu = [](const auto& x) { return jig::gelu(x); };
inline constexpr auto silu = [](const auto& x) { return jig::silu(x); };
inline constexpr auto sigmoid = [](const auto& x) { return jig::sigmoid(x); };
inline constexpr auto tanh = [](const auto& x) { return jig::tanh(x); };
inline constexpr auto softplus = [](const auto& x) { return jig::softplus(x); };
inline constexpr auto softsign = [](const auto& x) { return jig::softsign(x); };
inline constexpr auto exponential = [](const auto& x) { return jig::exp(x); };
/// Along the last axis.
inline constexpr auto softmax = [](const auto& x) { return jig::softmax<-1>(x); };

}  // namespace activations

/// A layer that applies an activation.
template <class Function>
struct activation {
  static constexpr std::string_view type = "Activation";
  constexpr auto operator()(const auto& x) const { return Function()(x); }
};

namespace layers {

/// An activation as a layer of its own: `activation(activations::relu)`.
template <class Function>
constexpr auto activation(const Function&) {
  return nn::activation<Function>();
}

}  // namespace layers

}  // namespace jig::nn
