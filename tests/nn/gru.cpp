// SPDX-License-Identifier: MIT
#include <jig/nn/gru.hpp>

#include "../recurrent_loops.hpp"

#include <doctest/doctest.h>

namespace {

namespace loops = recurrent_loops;

constexpr auto apply = jig::function<"apply(layer, x)">([](auto& layer, auto x) { return layer(x); });

template <class Layer>
double distance(Layer& layer, bool reset_after) {
  layer.initialize(1);
  const auto x = loops::filled(jig::tensor<float, 2, 5, 3>(), 1);
  const auto expected = loops::gru({2, 5, 3, 4}, loops::elements(x), loops::elements(layer.kernel.value()),
                                   loops::elements(layer.recurrent_kernel.value()), loops::elements(layer.bias.value()), reset_after);
  return loops::distance(apply(layer, x), expected.h);
}

TEST_CASE("gru layer: beside a plain loop, with both places of the reset gate") {
  jig::nn::gru<float, 3, 4> after;
  CHECK(after.bias.value().shape() == jig::shape{2, {2, 12}});
  CHECK(distance(after, true) < 1e-6);
  jig::nn::gru<float, 3, 4, jig::reset_before_t> before;
  CHECK(before.bias.value().shape() == jig::shape{1, {12}});
  CHECK(distance(before, false) < 1e-6);
}

}  // namespace
