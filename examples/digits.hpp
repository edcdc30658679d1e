// SPDX-License-Identifier: MIT
#pragma once
// The digits that examples/digits.cpp and examples/digits_ranks.cpp learn, and the network that does.

#include <jig/nn.hpp>

#include <charconv>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

inline constexpr jig::index pixels = 64, hidden_units = 128, classes = 10;
inline constexpr std::size_t held_out = 5;  // every fifth row is not trained on

struct network {
  BOOST_HANA_DEFINE_STRUCT(network, (jig::nn::dense<float, pixels, hidden_units>, hidden),
                           (jig::nn::dense<float, hidden_units, classes>, scores));

  // The logits of the classes. In training half of the hidden units are dropped.
  constexpr auto operator()(const auto& x) const { return scores(jig::relu(hidden(x))); }
  constexpr auto operator()(const auto& x, const auto& seed) const { return scores(jig::dropout<0.5>(jig::relu(hidden(x)), seed)); }
};

struct digits {
  std::vector<float> images;  // row by row, pixels moved and scaled to a mean of about zero
  std::vector<int> labels;
  std::size_t rows() const { return labels.size(); }
  // Rows of the images, where they are.
  auto views() const { return jig::view<const float, jig::dyn, pixels>(images.data(), static_cast<jig::index>(rows())); }
};

// Errors: a file that is missing or not what it should be throws std::runtime_error with file, line and reason.
inline digits read_digits(const std::string& path) {
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
inline two_parts divided(const digits& all) {
  two_parts out;
  for (std::size_t row = 0; row < all.rows(); ++row) {
    digits& part = row % held_out == 0 ? out.tested : out.trained;
    const auto first = all.images.begin() + static_cast<std::ptrdiff_t>(row) * pixels;
    part.images.insert(part.images.end(), first, first + pixels);
    part.labels.push_back(all.labels[row]);
  }
  return out;
}

inline constexpr auto classify = jig::function<"classify(model, x)">([](auto& model, auto x) { return jig::argmax<1>(model(x)); });

// The percentage of rows whose class is found.
inline double accuracy(const digits& data, const network& model) {
  const auto found = classify(model, data.views());
  int right = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) right += found(static_cast<jig::index>(i)) == data.labels[i];
  return 100.0 * right / static_cast<double>(data.rows());
}
