// SPDX-License-Identifier: MIT
// An LSTM learns to write like a text, one character after another, and then writes, one character at a time.
//   character_lstm [text [seed]]
// Trains on the first nine tenths. Prints, all in nats a character, what a table of how often each character occurs, or follows each other
// one, reaches at best on this text; the loss on the last tenth before and after training, also with characters coming one by one; then
// some text of its own. Exit code 1 where the tables are not clearly beaten.

#include <jig/nn.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

namespace nn = jig::nn;
namespace layers = jig::nn::layers;

constexpr int characters = 128;  // those of ASCII
constexpr jig::index time_steps = 32, units = 64;

std::string read_text(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be opened");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (std::any_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= characters; }))
    throw std::runtime_error(path + ": has characters that are not ASCII");
  if (text.size() < 10 * time_steps + 1) throw std::runtime_error(path + ": is too short");
  return text;
}

// The least loss on this text of what knows only so many characters before each: the entropy of the counts in the text itself.
double entropy(const std::string& text, std::size_t before) {
  std::map<std::string, int> strings, contexts;
  for (std::size_t i = 0; i + before < text.size(); ++i) {
    ++strings[text.substr(i, before + 1)];
    ++contexts[text.substr(i, before)];
  }
  double nats = 0;
  for (const auto& [string, count] : strings) nats -= count * std::log(double(count) / contexts[string.substr(0, before)]);
  return nats / static_cast<double>(text.size() - before);
}

// How likely each character is behind this one: the layers of the model, whose LSTM makes one step from its state, h and c, to the next.
constexpr auto next = jig::function<"next(model, character, h, c)">([](auto& model, auto character, auto& h, auto& c) {
  auto [output, cell] = model.template layer<1>().step(model.template layer<0>()(character), h, c);
  h.assign(output);
  c.assign(cell);
  return jig::softmax(model.template layer<2>()(output));
});

int run(const std::string& path, std::int64_t seed) {
  const std::string text = read_text(path);
  const double pairs = entropy(text, 1);
  std::printf("frequencies of characters %.3f\nfrequencies of pairs %.3f\n", entropy(text, 0), pairs);

  // A sample is a piece of the text, its labels are the same one character further on.
  const std::vector<int> numbers(text.begin(), text.end());
  using pieces = jig::view<const int, jig::dyn, time_steps>;
  const auto samples = static_cast<jig::index>(text.size() - 1) / time_steps, trained = samples * 9 / 10;
  const int *const held_out = numbers.data() + trained * time_steps, *const last = &numbers.back();
  const pieces x(numbers.data(), trained), y(numbers.data() + 1, trained);
  const pieces test_x(held_out, samples - trained), test_y(held_out + 1, samples - trained);

  nn::sequential model(nn::input<int, time_steps>(), layers::embedding<characters, 32>(), layers::lstm<units>(jig::return_sequences),
                       layers::dense<characters>());
  model.initialize(seed);
  using network = decltype(model);
  auto trainer = nn::compile(model, nn::adam<network>(1e-2), nn::sparse_categorical_crossentropy.from_logits());
  std::printf("before training %.3f\n", trainer.evaluate(test_x, test_y, {.verbose = 0})["loss"]);
  trainer.fit(x, y, {.batch_size = 16, .epochs = 10, .seed = static_cast<std::uint64_t>(seed)});
  const double after = trainer.evaluate(test_x, test_y, {.verbose = 0})["loss"];
  std::printf("after training %.3f\n", after);

  jig::variable<float, 1, units> h, c;
  double streamed = 0;
  for (const int* at = held_out; at != last; ++at) streamed -= std::log(next(model, jig::tensor<int, 1>{*at}, h, c)(0, at[1]));
  streamed /= static_cast<double>(last - held_out);
  std::printf("one by one %.3f\n", streamed);

  std::mt19937 random(static_cast<unsigned>(seed));
  int character = ' ';
  for (int i = 0; i < 400; ++i) {
    const auto likely = next(model, jig::tensor<int, 1>{character}, h, c);
    character = std::discrete_distribution<int>(likely.begin(), likely.end())(random);
    std::putchar(character);
  }
  std::putchar('\n');

  if (std::max(after, streamed) < pairs - 0.1) return 0;
  std::fprintf(stderr, "character_lstm: has learnt no more than pairs of characters\n");
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc > 1 ? argv[1] : "/usr/share/common-licenses/GPL-3", argc > 2 ? std::stoll(argv[2]) : 1);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "character_lstm: %s\n", e.what());
    return 1;
  }
}
