// SPDX-License-Identifier: MIT
// An LSTM and a convolution over time tell good radar returns of the ionosphere from bad ones.
//   sensor_classification [ionosphere.csv [seed]]
// Trains on the first 200 returns and prints the loss and accuracy of every epoch, then those of the other 151.

#include <jig/nn.hpp>

#include <cstdio>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace nn = jig::nn;
namespace layers = jig::nn::layers;
using nn::activations::relu;
using nn::activations::sigmoid;

constexpr jig::index pulses = 17, sensors = 2, trained = 200;

struct returns {
  std::vector<std::array<std::array<float, sensors>, pulses>> signals;  // the autocorrelation at each pulse, a complex number from -1 to 1
  std::vector<float> labels;                                            // 1 is good
};

void run(const std::string& path, std::int64_t seed) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  returns training, tested;
  std::string line;
  for (jig::index row = 0; std::getline(file, line); ++row) {
    returns& to = row < trained ? training : tested;
    std::istringstream in(line);
    char separator = ',', label = 0;
    auto& signal = to.signals.emplace_back();
    for (auto& pulse : signal)
      for (float& part : pulse) in >> part >> separator;
    to.labels.push_back(in >> label && label == 'g' ? 1.0f : 0.0f);
    if (!in || (label != 'g' && label != 'b'))
      throw std::runtime_error(path + ':' + std::to_string(row + 1) + ": expected 34 numbers and g or b");
  }

  nn::sequential model(nn::input<float, pulses, sensors>(), layers::lstm<32>(jig::return_sequences, jig::activation(relu)),
                       layers::conv1d<16, pulses>(jig::same_padding, relu), layers::flatten(), layers::dense<32>(relu),
                       layers::dropout<0.3>(), layers::dense<16>(relu), layers::dense<1>(sigmoid));
  model.initialize(seed);
  using network = decltype(model);
  auto trainer = nn::compile(model, nn::adam<network>(2e-3), nn::binary_crossentropy, nn::binary_accuracy);
  trainer.fit(training.signals, training.labels, {.batch_size = 16, .epochs = 30, .seed = static_cast<std::uint64_t>(seed)});
  const nn::logs result = trainer.evaluate(tested.signals, tested.labels, {.verbose = 0});
  std::printf("held-out loss %.4f\nheld-out accuracy %.2f %%\n", result["loss"], 100 * result["binary_accuracy"]);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "data/ionosphere.csv", argc > 2 ? std::stoll(argv[2]) : 1);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "sensor_classification: %s\n", e.what());
    return 1;
  }
}
