// SPDX-License-Identifier: MIT
#include <jig/nn/dense.hpp>
#include <jig/nn/dropout.hpp>
#include <jig/nn/normalization.hpp>
#include <jig/nn/parameters.hpp>
#include <jig/nn/sequential.hpp>

#include <doctest/doctest.h>

namespace {

namespace nn = jig::nn;

struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (nn::dense<float, 10, 4>, first), (nn::batch_normalization<double, 4>, norm), (nn::dropout<0.5>, drop));
};

TEST_CASE("parameters: those that are trained, and the others") {
  constexpr auto count = nn::parameters_of<network>();
  static_assert(count.trainable == 44 + 8 && count.non_trainable == 8);
  static_assert(count.trainable_bytes == 44 * 4 + 8 * 8 && count.non_trainable_bytes == 8 * 8);
  network model;
  static_assert(nn::count_params(model) == 60);
  static_assert(nn::parameters_of<nn::dropout<0.5>>().total() == 0);
  static_assert(nn::parameters_of<std::tuple<>>().total() == 0);
  static_assert(nn::parameters_of<jig::variable<int>>().total() == 1);
  auto layers =
      nn::sequential(nn::input<float, 784>(), nn::layers::dense<64>(), nn::layers::batch_normalization(), nn::layers::dense<10>());
  static_assert(nn::count_params(layers) == 784 * 64 + 64 + 4 * 64 + 650);
}

}  // namespace
