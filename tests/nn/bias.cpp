// SPDX-License-Identifier: MIT
#include <jig/nn/bias.hpp>
#include <jig/nn/convolution.hpp>
#include <jig/nn/dense.hpp>
#include <jig/nn/parameters.hpp>

#include <doctest/doctest.h>

namespace {

namespace nn = jig::nn;
namespace layers = nn::layers;

constexpr auto apply = jig::function<"apply(layer, x)">([](auto& layer, auto x) { return layer(x); });

template <class Description, class T, jig::index... E>
using layer_of = typename Description::template layer<jig::spec<T, E...>>;

TEST_CASE("no_bias: dense") {
  using layer_t = layer_of<decltype(layers::dense<2>(nn::activations::relu, nn::no_bias)), double, 3>;
  using with_bias = layer_of<decltype(layers::dense<2>(nn::activations::relu)), double, 3>;
  static_assert(std::is_same_v<decltype(with_bias::bias), jig::variable<double, 2>>);
  layer_t layer;
  CHECK(jig::variables(layer).size() == 1);
  layer.initialize(1);
  CHECK(std::abs(layer.kernel.value()(2, 1)) > 0);
  layer.kernel.assign(jig::tensor<double, 3, 2>{{1, 2}, {3, -4}, {5, 6}});
  const auto y = apply(layer, jig::tensor<double, 1, 3>{{1, 4, 2}});
  CHECK((y(0, 0) == 23 && y(0, 1) == 0));
}

TEST_CASE("no_bias: convolutions") {
  using layer_t = layer_of<decltype(layers::conv1d<1, 3>(nn::no_bias, jig::same_padding)), double, 4, 1>;
  static_assert(std::is_same_v<decltype(layer_t::bias), nn::no_bias_t> && nn::parameters_of<layer_t>().total() == 3);
  layer_t layer;
  layer.kernel.assign(jig::tensor<double, 3, 1, 1>{{{1}}, {{2}}, {{4}}});
  const auto y = apply(layer, jig::tensor<double, 1, 4, 1>{{{1}, {0}, {0}, {8}}});
  CHECK((y(0, 0, 0) == 2 && y(0, 1, 0) == 1 && y(0, 2, 0) == 32 && y(0, 3, 0) == 16));
}

}  // namespace
