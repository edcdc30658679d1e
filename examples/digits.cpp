// SPDX-License-Identifier: MIT
// Softmax regression on real handwritten digits, with a traced training step.
//   digits [digits.csv [graph.dot]]
// Prints the step's signature and graph, a progress line, loss and held-out accuracy; writes a picture of the graph.

#include <jig.hpp>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

constexpr jig::index pixels = 64, classes = 10;
constexpr std::size_t trained_rows = 1437;  // the first ones; the rest is held out

// One step of gradient descent on a batch: new weights and biases, and the loss before the step. The gradient is written
// out: that of the mean cross-entropy with respect to the scores is (probabilities - targets) / rows.
constexpr auto train_step = jig::function<"train_step(x, labels, w, b, rate)">([](auto x, auto labels, auto w, auto b,
                                                                                  auto rate) {
  auto targets = jig::one_hot<classes>(labels);
  auto log_probabilities = jig::log_softmax(jig::matmul(x, w) + b);
  auto loss = -jig::reduce_mean(jig::reduce_sum<1>(targets * log_probabilities));
  auto error = jig::exp(log_probabilities) - targets;
  auto step = rate / jig::cast<float>(jig::extent<0>(x));
  return std::tuple(w - step * jig::matmul(x, error, jig::transpose_a), b - step * jig::reduce_sum<0>(error), loss);
});

constexpr auto classify = jig::function<"classify(x, w, b)">([](auto x, auto w, auto b) {
  return jig::argmax<1>(jig::matmul(x, w) + b);
});

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
  if (out.rows() <= trained_rows) throw std::runtime_error(path + ": expected more than 1437 rows");
  return out;
}

// Rows of the images, where they are.
using images = jig::view<const float, jig::dyn, pixels>;

double accuracy(const digits& data, std::size_t first, std::size_t count, const auto& w, const auto& b) {
  auto found = classify(images(data.images.data() + first * pixels, static_cast<jig::index>(count)), w, b);
  int right = 0;
  for (std::size_t i = 0; i < count; ++i) right += found(static_cast<jig::index>(i)) == data.labels[first + i];
  return 100.0 * right / static_cast<double>(count);
}

int run(const std::string& csv, const std::string& dot) {
  const digits data = read_digits(csv);
  constexpr int epochs = 200;
  constexpr std::size_t batch = 64;
  constexpr auto step = train_step.get_concrete_function(jig::spec<float, jig::dyn, pixels>{}, jig::spec<int, jig::dyn>{},
                                                         jig::spec<float, pixels, classes>{},
                                                         jig::spec<float, classes>{}, jig::spec<float>{});
  std::cout << step << '\n' << jig::to_text(step.graph()) << '\n';
  std::ofstream(dot) << jig::to_dot(step.graph());
  std::cout << "graph of " << step.graph().size() << " nodes written to " << dot << '\n';

  jig::tensor<float, pixels, classes> w;
  jig::tensor<float, classes> b;
  float loss = 0;
  for (int epoch = 1; epoch <= epochs; ++epoch) {
    loss = 0;
    for (std::size_t first = 0; first < trained_rows; first += batch) {
      std::size_t count = std::min(batch, trained_rows - first);
      float batch_loss = 0;
      auto results = std::tie(w, b, batch_loss);
      step.into(results, images(data.images.data() + first * pixels, static_cast<jig::index>(count)),
                std::span<const int>(data.labels).subspan(first, count), w, b, 0.5f);
      loss += batch_loss * static_cast<float>(count) / static_cast<float>(trained_rows);
    }
    std::fprintf(stderr, "\repoch %d of %d, loss %.4f", epoch, epochs, static_cast<double>(loss));
  }
  std::fprintf(stderr, "\n");
  std::printf("loss %.4f\ntraining accuracy %.1f %%\nheld-out accuracy %.1f %%\n", static_cast<double>(loss),
              accuracy(data, 0, trained_rows, w, b), accuracy(data, trained_rows, data.rows() - trained_rows, w, b));
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
