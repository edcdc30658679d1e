// SPDX-License-Identifier: MIT
#include <jig/nn/gru.hpp>
#include <jig/nn/lstm.hpp>
#include <jig/nn/recurrent.hpp>

#include <doctest/doctest.h>

namespace {

namespace layers = jig::nn::layers;

TEST_CASE("recurrent layers: what their descriptions make of the shape of a sample") {
  using description = decltype(layers::lstm<4>(jig::return_sequences));
  using expected = jig::nn::lstm<double, 3, 4, jig::return_sequences_t>;
  static_assert(std::is_same_v<description::layer<jig::spec<double, 7, 3>>, expected>);
  static_assert(std::is_same_v<decltype(layers::gru<4>())::layer<jig::spec<float, jig::dyn, 3>>, jig::nn::gru<float, 3, 4>>);
  static_assert(description::refusal({2, {7, 3}}).length == 0);
  CHECK(description::refusal({1, {3}}).view() == "(batch, time, features)");
  CHECK(description::refusal({3, {5, 7, 3}}).view() == "(batch, time, features)");
  CHECK(description::refusal({0, {}}).view() == "(batch, time, features)");
}

}  // namespace
