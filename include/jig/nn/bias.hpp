// SPDX-License-Identifier: MIT
#pragma once
// Layers with and without a bias.

#include <jig/nn/activations.hpp>

namespace jig::nn {

/// Keras' use_bias=False: `layers::dense<64>(no_bias)`. In the layer it stands in the bias' place and has no variables.
struct no_bias_t {
  BOOST_HANA_DEFINE_STRUCT(no_bias_t);
};
inline constexpr no_bias_t no_bias{};

namespace detail {

template <class T, index Units, class... Options>
using bias_among = std::conditional_t<(... || std::is_same_v<Options, no_bias_t>), no_bias_t, variable<T, Units>>;

template <class X, class Bias>
constexpr auto with_bias(const X& x, const Bias& bias) {
  if constexpr (std::is_same_v<Bias, no_bias_t>) return x;
  else return x + bias;
}

template <class T, index Units>
void clear_bias(variable<T, Units>& bias) {
  bias.assign(zeros<T, Units>());
}
inline void clear_bias(no_bias_t&) {}

template <class... X>
using joined = decltype(std::tuple_cat(std::declval<X>()...));
// What convolutions and pools take of these options.
template <class... Options>
using spatial_options =
    joined<std::tuple<>, std::conditional_t<jig::detail::is_convolution_option<Options>, std::tuple<Options>, std::tuple<>>...>;
// The first of the options that is an activation: none of the others.
template <class... Options>
using activation_among =
    std::tuple_element_t<0, joined<std::conditional_t<jig::detail::is_convolution_option<Options> || std::is_same_v<Options, no_bias_t>,
                                                      std::tuple<>, std::tuple<Options>>...,
                                   std::tuple<std::remove_const_t<decltype(activations::linear)>>>>;

}  // namespace detail

}  // namespace jig::nn
