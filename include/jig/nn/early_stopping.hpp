// SPDX-License-Identifier: MIT
#pragma once
// Training that ends when it no longer helps.

#include <jig/nn/callback.hpp>

#include <limits>

namespace jig::nn {

/// Keras' names and defaults. Accuracies are better when they are larger, all else when it is smaller.
struct early_stopping_options {
  std::string monitor = "val_loss";
  double min_delta = 0;
  int patience = 0;
  bool restore_best_weights = false;
  int start_from_epoch = 0;
};

/// Stops when a number has not become better by more than min_delta in as many epochs as there is patience. With restore_best_weights the
/// model ends with the weights of the best epoch. NaN is never better.
class early_stopping : public callback {
 public:
  explicit early_stopping(early_stopping_options options = {})
      : options_(std::move(options)), larger_(options_.monitor.find("acc") != std::string::npos) {}

  /// The epoch that it stopped behind, -1 if it did not; the best one so far, and what was monitored there.
  int stopped_epoch() const { return stopped_; }
  int best_epoch() const { return best_epoch_; }
  double best() const { return best_; }

  void on_train_begin(training&) override {
    best_ = larger_ ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
    wait_ = 0;
    stopped_ = best_epoch_ = -1;
  }
  /// Errors: a monitor that is no name of a loss or metric throws invalid_argument.
  void on_epoch_end(training& t, int epoch, const logs& numbers) override {
    if (epoch < options_.start_from_epoch) return;
    const double now = numbers[options_.monitor];
    const bool better = larger_ ? now - options_.min_delta > best_ : now + options_.min_delta < best_;
    if (better || best_epoch_ < 0) {
      if (options_.restore_best_weights) t.keep_weights();
      best_epoch_ = epoch;
    }
    if (better) {
      best_ = now;
      wait_ = 0;
    } else if (++wait_ >= options_.patience && epoch > 0) {
      stopped_ = epoch;
      t.stop_training = true;
    }
  }
  void on_train_end(training& t) override {
    if (options_.restore_best_weights && best_epoch_ >= 0) t.restore_weights();
  }

 private:
  early_stopping_options options_;
  bool larger_;
  double best_ = 0;
  int wait_ = 0, stopped_ = -1, best_epoch_ = -1;
};

}  // namespace jig::nn
