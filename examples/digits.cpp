// SPDX-License-Identifier: MIT
// A network of two layers learns real handwritten digits: forward, gradients and Adam are one traced step.
//   digits [digits.csv [graph.dot]]
// Prints the step's signature and the size of its graph before and after the passes, a progress line, loss and held-out accuracy;
// writes a picture of the graph.

#include <jig/nn.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr jig::index pixels = 64, hidden_units = 128, classes = 10, batch = 32;
constexpr std::size_t held_out = 5;  // every fifth row is not trained on

struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (jig::nn::dense<float, pixels, hidden_units>, hidden),
                           (jig::nn::dense<float, hidden_units, classes>, scores));

  // The logits of the classes. In training half of the hidden units are dropped.
  constexpr auto operator()(const auto& x) const { return scores(jig::relu(hidden(x))); }
  constexpr auto operator()(const auto& x, const auto& seed) const { return scores(jig::dropout<0.5>(jig::relu(hidden(x)), seed)); }
};
using network_optimizer = jig::nn::adam<network>;

// One step on a batch: the loss before it.
constexpr auto train_step =
    jig::function<"train_step(model, optimizer, x, labels, seed)">([](auto& model, auto& optimizer, auto x, auto labels, auto seed) {
      auto loss = jig::reduce_mean(jig::nn::sparse_softmax_cross_entropy_with_logits(labels, model(x, seed)));
      optimizer.apply_gradients(model, jig::gradient(loss, model));
      return loss;
    });

constexpr auto classify = jig::function<"classify(model, x)">([](auto& model, auto x) { return jig::argmax<1>(model(x)); });

struct digits {
  std::vector<float> images;  // row by row, pixels moved and scaled to a mean of about zero
  std::vector<int> labels;
  std::size_t rows() const { return labels.size(); }
};

// Errors: a file that is missing or not what it should be throws std::runtime_error with file, line and reason.
digits read_digits(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  digits out;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    auto bad = [&](const char* why) { return std::runtime_error(path + ':' + std::to_string(number) + ": " + why); };
    const char *at = line.data(), *end = at + line.size();
    for (jig::index k = 0; k <= pixels; ++k) {
      int value = 0;
      auto [next, status] = std::from_chars(at, end, value);
      if (status != std::errc() || next == at) throw bad("expected 65 numbers with commas between them");
      if (value < 0 || value > (k < pixels ? 16 : 9)) throw bad("expected pixels from 0 to 16 and a class from 0 to 9");
      if (k < pixels) out.images.push_back((static_cast<float>(value) - 5) / 16);
      else out.labels.push_back(value);
      if (k == pixels ? next != end : next == end || *next != ',') throw bad("expected 65 numbers with commas between them");
      at = next + 1;
    }
  }
  if (file.bad()) throw std::runtime_error(path + ": cannot be read");
  return out;
}

// The rows that are held out, and the others.
struct two_parts {
  digits trained, tested;
};
two_parts divided(const digits& all) {
  two_parts out;
  for (std::size_t row = 0; row < all.rows(); ++row) {
    digits& part = row % held_out == 0 ? out.tested : out.trained;
    const auto first = all.images.begin() + static_cast<std::ptrdiff_t>(row) * pixels;
    part.images.insert(part.images.end(), first, first + pixels);
    part.labels.push_back(all.labels[row]);
  }
  return out;
}

double accuracy(const digits& data, network& model) {
  // Rows of the images, where they are.
  const jig::view<const float, jig::dyn, pixels> images(data.images.data(), static_cast<jig::index>(data.rows()));
  const auto found = classify(model, images);
  int right = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) right += found(static_cast<jig::index>(i)) == data.labels[i];
  return 100.0 * right / static_cast<double>(data.rows());
}

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
