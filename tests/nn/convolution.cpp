// SPDX-License-Identifier: MIT
#include <jig/nn/convolution.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

namespace nn = jig::nn;
namespace layers = nn::layers;
using nn::activations::relu;

template <class Description, class T, jig::index... E>
using layer_of = typename Description::template layer<jig::spec<T, E...>>;

constexpr auto apply = jig::function<"apply(layer, x)">([](auto& layer, auto x) { return layer(x); });

TEST_CASE("conv1d: bias and activation of a convolution") {
  using description = decltype(layers::conv1d<2, 3>(jig::same_padding, relu));
  using layer_t = layer_of<description, double, 5, 2>;
  static_assert(std::is_same_v<decltype(layer_t::kernel), jig::variable<double, 3, 2, 2>>);
  static_assert(layer_t::type == "Conv1D");
  layer_t layer;
  layer.initialize(1);
  CHECK(std::abs(layer.kernel.value()(2, 1, 1)) <= std::sqrt(6.0 / 12));
  layer.bias.assign(jig::tensor<double, 2>{0.1, -0.2});
  jig::tensor<double, jig::dyn, 5, 2> x(2);
  for (jig::index i = 0; i < x.size(); ++i) x.data()[i] = std::sin(static_cast<double>(i));
  const auto y = apply(layer, x);
  int wrong = 0, zeros = 0;
  for (jig::index b = 0; b < 2; ++b)
    for (jig::index at = 0; at < 5; ++at)
      for (jig::index f = 0; f < 2; ++f) {
        double sum = layer.bias.value()(f);
        for (jig::index tap = 0; tap < 3; ++tap)
          for (jig::index c = 0; c < 2; ++c)
            if (at + tap >= 1 && at + tap <= 5) sum += x(b, at + tap - 1, c) * layer.kernel.value()(tap, c, f);
        wrong += y(b, at, f) != doctest::Approx(sum > 0 ? sum : 0);
        zeros += y(b, at, f) == 0;
      }
  CHECK(wrong == 0);
  CHECK((zeros > 0 && zeros < 20));
}

TEST_CASE("convolutions: descriptions") {
  // Options in any order; without an activation none.
  using first = decltype(layers::conv2d<8, 3, 5>(relu, jig::strides<2>));
  using second = decltype(layers::conv2d<8, 3, 5>(jig::strides<2>, relu));
  using third = decltype(layers::conv2d<8, 3, 5>(jig::strides<2>));
  static_assert(std::is_same_v<layer_of<first, float, 9, 9, 4>, layer_of<second, float, 9, 9, 4>>);
  static_assert(!std::is_same_v<layer_of<first, float, 9, 9, 4>, layer_of<third, float, 9, 9, 4>>);
  static_assert(std::is_same_v<decltype(layer_of<first, float, 9, 9, 4>::kernel), jig::variable<float, 3, 5, 4, 8>>);
  static_assert(
      std::is_same_v<decltype(layer_of<decltype(layers::conv3d<8, 2>()), float, 9, 9, 9, 4>::kernel), jig::variable<float, 2, 2, 2, 4, 8>>);
  static_assert(first::refusal({3, {9, 9, 4}}).length == 0);
  CHECK(first::refusal({2, {9, 4}}).view() == "(batch, rows, columns, channels)");
  CHECK(decltype(layers::conv1d<1, 1>())::refusal({0, {}}).view() == "(batch, length, channels)");
}

}  // namespace
