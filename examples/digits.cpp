// SPDX-License-Identifier: MIT
// A network of two layers learns real handwritten digits: forward, gradients and Adam are one traced step.
//   digits [digits.csv [graph.dot]]
// Prints the step's signature and the size of its graph before and after the passes, a progress line, loss and held-out accuracy;
// writes a picture of the graph.

#include "digits.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <random>

namespace {

constexpr jig::index batch = 32;
using network_optimizer = jig::nn::adam<network>;

// One step on a batch: the loss before it.
constexpr auto train_step =
    jig::function<"train_step(model, optimizer, x, labels, seed)">([](auto& model, auto& optimizer, auto x, auto labels, auto seed) {
      auto loss = jig::reduce_mean(jig::nn::sparse_softmax_cross_entropy_with_logits(labels, model(x, seed)));
      optimizer.apply_gradients(model, jig::gradient(loss, model));
      return loss;
    });

int run(const std::string& csv, const std::string& dot) {
  const auto [data, tested] = divided(read_digits(csv));
  const std::size_t batches = data.rows() / batch;
  if (batches == 0) throw std::runtime_error(csv + ": expected at least " + std::to_string(batch + batch / 4) + " rows");
  constexpr int epochs = 120;
  constexpr auto step = train_step.get_concrete_function(network(), network_optimizer(), jig::spec<float, batch, pixels>{},
                                                         jig::spec<int, batch>{}, jig::spec<int>{});
  std::cout << step << "\ngraph of " << step.graph().size() << " nodes, " << step.optimized_graph().size() << " after the passes\n";
  std::ofstream(dot) << jig::to_dot(step.optimized_graph());

  network model;
  model.hidden.initialize(1);
  model.scores.initialize(2);
  network_optimizer adam;
  std::vector<std::size_t> order(data.rows());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  jig::tensor<float, batch, pixels> x;
  jig::tensor<int, batch> labels;
  float loss = 0, batch_loss = 0;
  int seed = 0;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    std::shuffle(order.begin(), order.end(), random);
    loss = 0;
    for (std::size_t k = 0; k < batches; ++k) {
      for (std::size_t i = 0; i < batch; ++i) {
        const std::size_t row = order[k * batch + i];
        std::copy_n(data.images.data() + row * pixels, pixels, x.data() + static_cast<jig::index>(i) * pixels);
        labels.data()[i] = data.labels[row];
      }
      step.into(batch_loss, model, adam, x, labels, ++seed);
      loss += batch_loss / static_cast<float>(batches);
    }
    if (epoch == epochs / 2) adam.learning_rate.assign(0.0003f);
    std::fprintf(stderr, "\repoch %d of %d, loss %.4f", epoch, epochs, static_cast<double>(loss));
  }
  std::fprintf(stderr, "\n");
  std::printf("loss %.4f\ntraining accuracy %.1f %%\nheld-out accuracy %.1f %%\n", static_cast<double>(loss), accuracy(data, model),
              accuracy(tested, model));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "data/digits.csv", argc > 2 ? argv[2] : "digits.dot");
  } catch (const std::exception& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 1;
  }
}
