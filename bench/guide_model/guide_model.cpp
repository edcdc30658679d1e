// SPDX-License-Identifier: MIT
// usage: guide_model SAMPLES ROUNDS
// What predicting with the model of examples/guide_model.hpp costs: a function of the model, predict and predict_on_batch, in turns. Prints
// `name<tab>milliseconds<tab>first prediction` for each, the best of all rounds.

#include "../../examples/guide_model.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>

namespace {

namespace nn = jig::nn;
using guide_model::network;

constexpr auto call = jig::function<"call(model, x)">([](auto& model, auto x) { return model(x, jig::lit<false>); });

}  // namespace

int main(int count, char** arguments) {
  if (count != 3) return 2;
  const jig::index samples = std::atoll(arguments[1]);
  const int rounds = std::atoi(arguments[2]);
  static network model;
  guide_model::start(model);
  auto trainer = nn::compile(model, nn::sgd<network>(), nn::binary_crossentropy);
  const auto x = guide_model::inputs(samples);
  double best[3] = {1e30, 1e30, 1e30}, first[3] = {};
  const auto timed = [&](int way, auto predict) {
    const auto begin = std::chrono::steady_clock::now();
    const auto y = predict();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    if (took.count() < best[way]) best[way] = took.count();
    first[way] = static_cast<double>(y(0, 0));
  };
  for (int round = 0; round < rounds; ++round) {
    timed(0, [&] { return call(model, x); });
    timed(1, [&] { return trainer.predict(x, {.batch_size = static_cast<int>(samples)}); });
    timed(2, [&] { return trainer.predict_on_batch(x); });
  }
  constexpr const char* names[] = {"jig, model(x)", "jig, predict", "jig, predict_on_batch"};
  for (int way = 0; way < 3; ++way) std::printf("%s\t%.1f\t%.4f\n", names[way], best[way], first[way]);
}
