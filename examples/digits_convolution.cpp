// SPDX-License-Identifier: MIT
// A convolutional network learns real handwritten digits with compile, fit and evaluate.
//   digits_convolution [digits.csv [seed]]
// Prints the loss and accuracy of every epoch, then the held-out ones.

#include <jig/nn.hpp>

#include <charconv>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace nn = jig::nn;

constexpr std::size_t pixels = 64, held_out = 5;  // every fifth row is not trained on

struct digits {
  std::vector<std::array<float, pixels>> images;  // from 0 to 1
  std::vector<int> labels;
};

// Adds one line of 64 pixels and a class, with commas between them.
void add_row(digits& to, const std::string& line, const std::string& place) {
  const char *at = line.data(), *end = at + line.size();
  const auto number = [&](int most) {
    int value = -1;
    const auto [next, status] = std::from_chars(at, end, value);
    if (status != std::errc() || value < 0 || value > most) throw std::runtime_error(place + ": expected 64 pixels up to 16 and a class");
    at = next < end ? next + 1 : next;
    return value;
  };
  std::array<float, pixels> image{};
  for (float& pixel : image) pixel = static_cast<float>(number(16)) / 16;
  to.images.push_back(image);
  to.labels.push_back(number(9));
}

void run(const std::string& path, std::int64_t seed) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  digits trained, tested;
  std::string line;
  for (std::size_t row = 0; std::getline(file, line); ++row)
    add_row(row % held_out == 0 ? tested : trained, line, path + ':' + std::to_string(row + 1));

  nn::sequential model(
      nn::input<float, 64>(), nn::layers::reshape<8, 8, 1>(), nn::layers::conv2d<32, 3>(jig::same_padding, nn::activations::relu),
      nn::layers::conv2d<64, 3>(jig::same_padding, nn::activations::relu), nn::layers::max_pooling2d<2>(), nn::layers::flatten(),
      nn::layers::dense<128>(nn::activations::relu), nn::layers::dropout<0.5>(), nn::layers::dense<10>());
  model.initialize(seed);
  using network = decltype(model);
  using rate = nn::cosine_decay<float>;
  auto trainer =
      nn::compile(model, nn::adam<network, rate>(rate(0.002, 10 * 90)), nn::sparse_categorical_crossentropy.from_logits(), nn::accuracy);
  trainer.fit(trained.images, trained.labels, {.batch_size = 16, .epochs = 10, .seed = static_cast<std::uint64_t>(seed)});
  const nn::logs result = trainer.evaluate(tested.images, tested.labels, {.verbose = 0});
  std::printf("held-out loss %.4f\nheld-out accuracy %.2f %%\n", result["loss"], 100 * result["accuracy"]);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    run(argc > 1 ? argv[1] : "data/digits.csv", argc > 2 ? std::stoll(argv[2]) : 1);
    return 0;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "digits_convolution: %s\n", e.what());
    return 1;
  }
}
