// SPDX-License-Identifier: MIT
// A model as guides to Keras build it: 400 steps of 16 sensors, an LSTM, a wide convolution and dense layers, 40 446 593 parameters.
// Prints its summary, and what it predicts for two samples with weights that need no file; TensorFlow.js 4.22 gives the same with them.

#include <jig/nn.hpp>

#include <cstdio>

namespace {

namespace nn = jig::nn;
namespace layers = jig::nn::layers;
using nn::activations::relu, nn::activations::sigmoid;

using samples = jig::spec<float, jig::dyn, 400, 16>;

using network =
    decltype(nn::sequential(nn::input<float, 400, 16>(), layers::lstm<512>(jig::return_sequences, jig::activation(relu)),
                            layers::conv1d<128, 400>(jig::same_padding), layers::flatten(), layers::dense<256>(relu),
                            layers::dropout<0.5>(), layers::dense<128>(relu), layers::dense<64>(relu), layers::dense<1>(sigmoid)));
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

// Numbers between -scale / 2 and scale / 2, each a hash of its place.
void fill(float* to, jig::index n, std::uint32_t seed, float scale) {
  for (jig::index i = 0; i < n; ++i) {
    std::uint32_t h = ((static_cast<std::uint32_t>(i) + 1) * 0x9e3779b1u) ^ (seed * 0x85ebca6bu);
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h ^= h >> 15;
    to[i] = (static_cast<float>(h >> 8) / 16777216 - 0.5f) * scale;
  }
}

}  // namespace

int main() {
  static network model;
  std::printf("%s", nn::summary(model).c_str());

  constexpr float scales[] = {0.5f, 0.04f, 0.1f, 0.004f, 0.1f, 0.02f, 0.1f, 0.4f, 0.1f, 0.6f, 0.1f, 2, 0.1f};
  std::uint32_t k = 0;
  const auto start = [&](auto& weights) {
    auto value = weights.value();
    fill(value.data(), value.size(), k + 1, scales[k]);
    weights.assign(value);
    ++k;
  };
  std::apply([&](auto&... weights) { (start(weights), ...); }, nn::trainable_variables(model));

  jig::tensor<float, jig::dyn, 400, 16> x(2);
  fill(x.data(), x.size(), 100, 2);
  const auto y = predict(model, x, jig::lit<false>);
  std::printf("%.4f\n%.4f\n", y(0, 0), y(1, 0));
}
