// SPDX-License-Identifier: MIT
#pragma once
// What a training was like.

#include <jig/nn/callback.hpp>

#include <string>
#include <utility>
#include <vector>

namespace jig::nn {

/// The loss, the metrics and those of the validation after each epoch: `history["val_loss"].back()`.
class history {
 public:
  /// The numbers of all epochs under this name.
  /// Errors: an unknown name throws invalid_argument with those that there are.
  const std::vector<double>& operator[](std::string_view name) const {
    static const std::vector<double> none;
    for (const auto& [known, numbers] : numbers_)
      if (known == name) return numbers;
    if (!epochs_.empty()) (void)epochs_.front()[name];
    return none;
  }
  /// The number of epochs, of which one may have stopped the training.
  std::size_t size() const { return epochs_.size(); }
  /// Everything after one epoch.
  const logs& epoch(std::size_t i) const { return epochs_.at(i); }
  void add(logs of_epoch) {
    for (const auto& [name, number] : of_epoch) numbers_of(name).push_back(number);
    epochs_.push_back(std::move(of_epoch));
  }

 private:
  std::vector<double>& numbers_of(const std::string& name) {
    for (auto& [known, numbers] : numbers_)
      if (known == name) return numbers;
    return numbers_.emplace_back(name, std::vector<double>()).second;
  }

  std::vector<logs> epochs_;
  std::vector<std::pair<std::string, std::vector<double>>> numbers_;
};

}  // namespace jig::nn
