// SPDX-License-Identifier: MIT
// A model as guides to Keras build it: 40 446 593 parameters. Prints its summary, and what it predicts for two samples; TensorFlow.js 4.22
// gives the same with these weights.

#include "guide_model.hpp"

#include <cstdio>

namespace {

namespace nn = jig::nn;
using guide_model::network, guide_model::samples;

static_assert(nn::parameters_of<network>().total() == 40'446'593);

constexpr auto predict =
    jig::function<"predict(model, x, training)">([](auto& model, auto x, auto training) { return model(x, training); });

// Two graphs: what is in use has no dropout.
static_assert(predict.get_concrete_function(network(), samples(), jig::lit<false>).optimized_graph().count("StatelessRandomUniformV2") ==
              0);
static_assert(predict.get_concrete_function(network(), samples(), jig::lit<true>).optimized_graph().count("StatelessRandomUniformV2") == 1);

// The guide's own model calls a bidirectional layer and overwrites what it gives. Nothing of it is left: there is one loop.
using overwritten = nn::bidirectional<nn::lstm<float, 16, 512, jig::return_sequences_t>>;
constexpr auto predict_overwritten = jig::function<"predict(model, other, x)">([](auto& model, auto& other, auto x) {
  [[maybe_unused]] auto hidden = other(x);
  return model(x, jig::lit<false>);
});
static_assert(predict_overwritten.get_concrete_function(network(), overwritten(), samples()).optimized_graph().count("While") == 1);

}  // namespace

int main() {
  static network model;
  std::printf("%s", nn::summary(model).c_str());

  guide_model::start(model);
  const auto x = guide_model::inputs(2);
  const auto y = predict(model, x, jig::lit<false>);
  std::printf("%.4f\n%.4f\n", y(0, 0), y(1, 0));
}
