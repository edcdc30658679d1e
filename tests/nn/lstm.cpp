// SPDX-License-Identifier: MIT
#include <jig/nn/lstm.hpp>

#include "../recurrent_loops.hpp"

#include <doctest/doctest.h>

namespace {

namespace loops = recurrent_loops;

constexpr auto apply = jig::function<"apply(layer, x)">([](auto& layer, auto x) { return layer(x); });
constexpr auto step = jig::function<"step(layer, x, h, c)">([](auto& layer, auto x, auto& h, auto& c) {
  auto [output, cell] = layer.step(x, h, c);
  h.assign(output);
  c.assign(cell);
});

TEST_CASE("lstm layer: a sequence at once and step by step, beside a plain loop") {
  jig::nn::lstm<float, 3, 4> layer;
  layer.initialize(1);
  const auto x = loops::filled(jig::tensor<float, 1, 5, 3>(), 1);
  const auto expected = loops::lstm({1, 5, 3, 4}, loops::elements(x), loops::elements(layer.kernel.value()),
                                    loops::elements(layer.recurrent_kernel.value()), loops::elements(layer.bias.value()));
  CHECK(loops::distance(apply(layer, x), expected.h) < 1e-6);
  jig::variable<float, 1, 4> h, c;
  for (jig::index t = 0; t < 5; ++t) step(layer, jig::view<const float, 1, 3>(x.data() + 3 * t), h, c);
  CHECK(loops::distance(h.value(), expected.h) < 1e-6);
  CHECK(loops::distance(c.value(), expected.c) < 1e-6);
}

TEST_CASE("lstm layer: Keras' initialisers") {
  jig::nn::lstm<float, 3, 4> layer;
  layer.initialize(1);
  CHECK(std::abs(layer.kernel.value()(2, 15)) <= std::sqrt(6.0f / 19));
  for (jig::index j = 0; j < 16; ++j) CHECK(layer.bias.value()(j) == (j / 4 == 1 ? 1.0f : 0.0f));
  layer.initialize(1, false);
  for (jig::index j = 0; j < 16; ++j) CHECK(layer.bias.value()(j) == 0.0f);
}

}  // namespace
