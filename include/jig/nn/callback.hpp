// SPDX-License-Identifier: MIT
#pragma once
// What `fit` tells others while it trains, and what they may do. Nothing here knows the type of a model.

#include <jig/core/error.hpp>

#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jig::detail {
struct variable_reference;
}

namespace jig::nn {

/// Numbers by name, in their order: the loss, the metrics, then those of the validation (`val_loss`).
class logs {
 public:
  void set(std::string name, double value) {
    for (auto& [known, number] : numbers_) {
      if (known != name) continue;
      number = value;
      return;
    }
    numbers_.emplace_back(std::move(name), value);
  }
  bool contains(std::string_view name) const { return find(name) != nullptr; }
  /// Errors: an unknown name throws invalid_argument with those that there are.
  double operator[](std::string_view name) const {
    const double* found = find(name);
    if (found == nullptr) throw_unknown(name);
    return *found;
  }
  auto begin() const { return numbers_.begin(); }
  auto end() const { return numbers_.end(); }
  std::size_t size() const { return numbers_.size(); }

 private:
  const double* find(std::string_view name) const {
    for (const auto& [known, number] : numbers_)
      if (known == name) return &number;
    return nullptr;
  }
  [[noreturn]] void throw_unknown(std::string_view name) const {
    std::string text = "there is no '" + std::string(name) + "' among";
    for (const auto& [known, number] : numbers_) text += (&known == &numbers_.front().first ? " " : ", ") + known;
    jig::detail::throw_invalid_argument(numbers_.empty() ? std::string_view("there are no numbers yet") : std::string_view(text));
  }

  std::vector<std::pair<std::string, double>> numbers_;
};

/// A training in progress, as callbacks see it.
class training {
 public:
  training() = default;
  training(const training&) = delete;
  training& operator=(const training&) = delete;
  virtual ~training() = default;

  /// The learning rate of the optimiser.
  /// Errors: one that follows a schedule throws invalid_argument.
  virtual double learning_rate() const = 0;
  virtual void set_learning_rate(double rate) = 0;
  /// Keeps a copy of the model, in place of an earlier one; gives the model the values of the copy.
  virtual void keep_weights() = 0;
  virtual void restore_weights() = 0;
  /// Appends the variables of the model and of the optimizer by name, `model/dense/kernel`: for callbacks that write files.
  virtual void append_variables(std::vector<jig::detail::variable_reference>&) {}

  /// Whether to end behind this epoch.
  bool stop_training = false;
};

/// What happens in a training. Epochs and batches count from 0. An epoch's logs are complete when it ends.
class callback {
 public:
  virtual ~callback() = default;
  virtual void on_train_begin(training&) {}
  virtual void on_epoch_begin(training&, int /*epoch*/) {}
  /// The logs are the means over the batches of this epoch so far.
  virtual void on_train_batch_end(training&, int /*batch*/, const logs&) {}
  virtual void on_epoch_end(training&, int /*epoch*/, const logs&) {}
  virtual void on_train_end(training&) {}
};

}  // namespace jig::nn
