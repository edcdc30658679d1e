// SPDX-License-Identifier: MIT
#pragma once
// The model of guides to Keras, 400 steps of 16 sensors, an LSTM, a wide convolution and dense layers, with weights that need no file.

#include <jig/nn.hpp>

#include <cstdint>
#include <tuple>

namespace guide_model {

namespace layers = jig::nn::layers;
using jig::nn::activations::relu, jig::nn::activations::sigmoid;

using samples = jig::spec<float, jig::dyn, 400, 16>;

using network =
    decltype(jig::nn::sequential(jig::nn::input<float, 400, 16>(), layers::lstm<512>(jig::return_sequences, jig::activation(relu)),
                                 layers::conv1d<128, 400>(jig::same_padding), layers::flatten(), layers::dense<256>(relu),
                                 layers::dropout<0.5>(), layers::dense<128>(relu), layers::dense<64>(relu), layers::dense<1>(sigmoid)));

// Numbers between -scale / 2 and scale / 2, each a hash of its place.
inline void fill(float* to, jig::index n, std::uint32_t seed, float scale) {
  for (jig::index i = 0; i < n; ++i) {
    std::uint32_t h = ((static_cast<std::uint32_t>(i) + 1) * 0x9e3779b1u) ^ (seed * 0x85ebca6bu);
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h ^= h >> 15;
    to[i] = (static_cast<float>(h >> 8) / 16777216 - 0.5f) * scale;
  }
}

inline void start(network& model) {
  constexpr float scales[] = {0.5f, 0.04f, 0.1f, 0.004f, 0.1f, 0.02f, 0.1f, 0.4f, 0.1f, 0.6f, 0.1f, 2, 0.1f};
  std::uint32_t k = 0;
  const auto start_one = [&](auto& weights) {
    auto value = weights.value();
    fill(value.data(), value.size(), k + 1, scales[k]);
    weights.assign(value);
    ++k;
  };
  std::apply([&](auto&... weights) { (start_one(weights), ...); }, jig::nn::trainable_variables(model));
}

inline jig::tensor<float, jig::dyn, 400, 16> inputs(jig::index count) {
  jig::tensor<float, jig::dyn, 400, 16> x(count);
  fill(x.data(), x.size(), 100, 2);
  return x;
}

}  // namespace guide_model
