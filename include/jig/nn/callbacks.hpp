// SPDX-License-Identifier: MIT
#pragma once
// Callbacks of functions: what happens at each event, and learning rates by epoch.

#include <jig/nn/callback.hpp>

#include <functional>

namespace jig::nn {

/// What to call at each event; nothing where it is left out.
struct lambda_callback_options {
  std::function<void(training&)> on_train_begin = {};
  std::function<void(training&, int epoch)> on_epoch_begin = {};
  std::function<void(training&, int batch, const logs&)> on_train_batch_end = {};
  std::function<void(training&, int epoch, const logs&)> on_epoch_end = {};
  std::function<void(training&)> on_train_end = {};
};

/// A callback of functions: `nn::lambda_callback({.on_epoch_end = [&](nn::training&, int epoch, const nn::logs& l) { … }})`.
class lambda_callback : public callback {
 public:
  explicit lambda_callback(lambda_callback_options functions) : f_(std::move(functions)) {}
  void on_train_begin(training& t) override {
    if (f_.on_train_begin) f_.on_train_begin(t);
  }
  void on_epoch_begin(training& t, int epoch) override {
    if (f_.on_epoch_begin) f_.on_epoch_begin(t, epoch);
  }
  void on_train_batch_end(training& t, int batch, const logs& numbers) override {
    if (f_.on_train_batch_end) f_.on_train_batch_end(t, batch, numbers);
  }
  void on_epoch_end(training& t, int epoch, const logs& numbers) override {
    if (f_.on_epoch_end) f_.on_epoch_end(t, epoch, numbers);
  }
  void on_train_end(training& t) override {
    if (f_.on_train_end) f_.on_train_end(t);
  }

 private:
  lambda_callback_options f_;
};

/// Sets the learning rate before each epoch: `nn::learning_rate_scheduler([](int epoch, double rate) { return rate * 0.9; })`.
class learning_rate_scheduler : public callback {
 public:
  explicit learning_rate_scheduler(std::function<double(int epoch, double rate)> schedule) : schedule_(std::move(schedule)) {}
  void on_epoch_begin(training& t, int epoch) override { t.set_learning_rate(schedule_(epoch, t.learning_rate())); }

 private:
  std::function<double(int, double)> schedule_;
};

}  // namespace jig::nn
