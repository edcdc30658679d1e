// SPDX-License-Identifier: MIT
#pragma once
// Layers that give what passes through them a mean and a variance of their own.

#include <jig/nn/layer.hpp>
#include <jig/nn/state.hpp>

namespace jig::nn {

/// Gives every channel, the last axis, a mean of beta and a standard deviation of gamma: over the batch in training, by moving averages of
/// its means and variances in use.
/// Source: Ioffe and Szegedy, Batch Normalization, 2015, with Keras' names and defaults.
template <class T, index Channels, real Momentum = 0.99, real Epsilon = 1e-3>
struct batch_normalization {
  static constexpr std::string_view type = "BatchNormalization";
  BOOST_HANA_DEFINE_STRUCT(batch_normalization, (variable<T, Channels>, gamma), (variable<T, Channels>, beta),
                           (state<T, Channels>, moving_mean), (state<T, Channels>, moving_variance));

  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return normalised(x, moving_mean.value, moving_variance.value);
  }
  template <class X, Constant Training>
  constexpr auto operator()(const X& x, const Training&) {
    if constexpr (Training::value) {
      auto [mean, variance] = batch_moments(x);
      moving_mean.value.assign(moving_mean.value * keep + mean * (1 - keep));
      moving_variance.value.assign(moving_variance.value * keep + variance * (1 - keep));
      return normalised(x, mean, variance);
    } else {
      return normalised(x, moving_mean.value, moving_variance.value);
    }
  }

  /// Keras' defaults: a mean of 0 and a variance of 1.
  void initialize(std::int64_t) {
    gamma.assign(ones<T, Channels>());
    beta.assign(zeros<T, Channels>());
    moving_mean.value.assign(zeros<T, Channels>());
    moving_variance.value.assign(ones<T, Channels>());
  }

 private:
  static constexpr T keep = static_cast<T>(Momentum.value());

  constexpr auto normalised(const auto& x, const auto& mean, const auto& variance) const {
    return batch_norm(x, mean, variance, beta, gamma, Epsilon.value());
  }
};

/// Gives every row along the last axis a mean of beta and a standard deviation of gamma.
/// Source: Ba, Kiros and Hinton, Layer Normalization, 2016, with Keras' names and defaults.
template <class T, index Channels, real Epsilon = 1e-3>
struct layer_normalization {
  static constexpr std::string_view type = "LayerNormalization";
  BOOST_HANA_DEFINE_STRUCT(layer_normalization, (variable<T, Channels>, gamma), (variable<T, Channels>, beta));

  constexpr auto operator()(const auto& x, const source_line& at = source_line::here()) const {
    const jig::detail::line_scope in(at, x);
    return layer_norm(x, gamma, beta, Epsilon.value());
  }

  /// Keras' defaults: a mean of 0 and a variance of 1.
  void initialize(std::int64_t) {
    gamma.assign(ones<T, Channels>());
    beta.assign(zeros<T, Channels>());
  }
};

namespace layers {

/// Normalisation of every channel over the batch, `batch_normalization()`, with momentum and epsilon if they are others than Keras'
/// defaults.
template <real Momentum = 0.99, real Epsilon = 1e-3>
struct batch_normalization {
  template <class Input>
  using layer = nn::batch_normalization<typename Input::value_type, nn::detail::channels_in<Input>, Momentum, Epsilon>;
  static constexpr message refusal(const shape& input) { return nn::detail::last_axis_refusal(input); }
};

/// Normalisation of every row along the last axis.
template <real Epsilon = 1e-3>
struct layer_normalization {
  template <class Input>
  using layer = nn::layer_normalization<typename Input::value_type, nn::detail::channels_in<Input>, Epsilon>;
  static constexpr message refusal(const shape& input) { return nn::detail::last_axis_refusal(input); }
};

}  // namespace layers

}  // namespace jig::nn
