// SPDX-License-Identifier: MIT
#include <jig/nn/bidirectional.hpp>

#include "../recurrent_loops.hpp"

#include <doctest/doctest.h>

namespace {

namespace loops = recurrent_loops;
using jig::dyn;

constexpr auto apply = jig::function<"apply(layer, x)">([](auto& layer, auto x) { return layer(x); });

template <class Layer>
loops::results expected_of(const Layer& layer, const auto& x, bool backwards) {
  return loops::lstm({x.extent(0), x.extent(1), 3, 2}, loops::elements(x), loops::elements(layer.kernel.value()),
                     loops::elements(layer.recurrent_kernel.value()), loops::elements(layer.bias.value()), loops::tanh, backwards);
}

TEST_CASE("bidirectional: both ends side by side, outputs in the order of time") {
  using each = jig::nn::lstm<double, 3, 2, jig::return_sequences_t>;
  jig::nn::bidirectional<each> layer;
  layer.initialize(5);
  CHECK(layer.forward_layer.kernel.value()(0, 0) != layer.backward_layer.kernel.value()(0, 0));
  const auto x = loops::filled(jig::tensor<double, dyn, dyn, 3>(2, 4), 1);
  const auto y = apply(layer, x);
  REQUIRE(y.shape() == jig::shape{3, {2, 4, 4}});
  const auto there = expected_of(layer.forward_layer, x, false), back = expected_of(layer.backward_layer, x, true);
  int wrong = 0;
  for (jig::index n = 0; n < 2; ++n)
    for (jig::index t = 0; t < 4; ++t)
      for (jig::index j = 0; j < 2; ++j) {
        auto at = [&](const loops::results& r, jig::index step) { return r.outputs[static_cast<std::size_t>((n * 4 + step) * 2 + j)]; };
        wrong += !(std::abs(y(n, t, j) - at(there, t)) < 1e-13) + !(std::abs(y(n, t, 2 + j) - at(back, 3 - t)) < 1e-13);
      }
  CHECK(wrong == 0);
}

TEST_CASE("bidirectional: last outputs, added") {
  jig::nn::bidirectional<jig::nn::lstm<double, 3, 2>, decltype(jig::nn::merge::sum)> layer;
  layer.initialize(5);
  const auto x = loops::filled(jig::tensor<double, 2, 4, 3>(), 1);
  auto expected = expected_of(layer.forward_layer, x, false).h;
  const auto back = expected_of(layer.backward_layer, x, true).h;
  for (std::size_t k = 0; k < expected.size(); ++k) expected[k] += back[k];
  CHECK(loops::distance(apply(layer, x), expected) < 1e-13);
}

TEST_CASE("bidirectional: from a description") {
  using described = decltype(jig::nn::layers::bidirectional(jig::nn::layers::gru<8>(jig::return_sequences)));
  using layer = described::layer<jig::spec<float, 10, 3>>;
  using expected = jig::nn::bidirectional<jig::nn::gru<float, 3, 8, jig::return_sequences_t>>;
  static_assert(std::is_same_v<layer, expected>);
  CHECK(described::refusal(jig::shape{2, {10, 3}}).length == 0);
  CHECK(described::refusal(jig::shape{1, {10}}).length > 0);
}

}  // namespace
