// SPDX-License-Identifier: MIT
#pragma once
// What a training was like.

#include <jig/nn/callback.hpp>

namespace jig::nn {

/// The loss, the metrics and those of the validation after each epoch: `history["val_loss"].back()`.
class history {
 public:
  /// The numbers of all epochs under this name.
  /// Errors: an unknown name throws invalid_argument with those that there are.
  std::vector<double> operator[](std::string_view name) const {
    std::vector<double> out;
    for (const logs& of_epoch : epochs_) out.push_back(of_epoch[name]);
    return out;
  }
  /// The number of epochs, of which one may have stopped the training.
  std::size_t size() const { return epochs_.size(); }
  /// Everything after one epoch.
  const logs& epoch(std::size_t i) const { return epochs_.at(i); }
  void add(logs of_epoch) { epochs_.push_back(std::move(of_epoch)); }

 private:
  std::vector<logs> epochs_;
};

}  // namespace jig::nn
