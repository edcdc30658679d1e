// SPDX-License-Identifier: MIT
#include <jig/nn/early_stopping.hpp>

#include <doctest/doctest.h>

namespace {

struct fake : jig::nn::training {
  double learning_rate() const override { return 0; }
  void set_learning_rate(double) override {}
  void keep_weights() override { kept = epoch - 1; }
  void restore_weights() override { restored = kept; }
  int epoch = 0, kept = -1, restored = -1;
};

// What a training with these numbers looks like: the number of epochs.
int run(jig::nn::early_stopping& stop, fake& t, const char* name, std::initializer_list<double> values) {
  stop.on_train_begin(t);
  for (double v : values) {
    jig::nn::logs l;
    l.set(name, v);
    stop.on_epoch_end(t, t.epoch++, l);
    if (t.stop_training) break;
  }
  stop.on_train_end(t);
  return t.epoch;
}

TEST_CASE("early_stopping: patience, min_delta, and larger accuracies") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  auto epochs = [](jig::nn::early_stopping_options o, std::initializer_list<double> values) {
    jig::nn::early_stopping stop(o);
    fake t;
    return run(stop, t, o.monitor.c_str(), values);
  };
  CHECK(epochs({}, {5, 4, 3, 3, 2}) == 4);
  CHECK(epochs({}, {5, 6}) == 2);
  CHECK(epochs({.patience = 2}, {5, 6, 4, 5, 3, 4, 4, 1}) == 7);
  CHECK(epochs({.min_delta = 1}, {5, 3.5, 3, 1}) == 3);
  CHECK(epochs({.monitor = "val_accuracy"}, {0.5, 0.6, 0.6, 0.7}) == 3);
  CHECK(epochs({}, {5, 4, 3}) == 3);
  CHECK(epochs({.patience = 2}, {nan, nan, nan, nan}) == 2);
  CHECK(epochs({.start_from_epoch = 3}, {1, 2, 3, 4, 3, 5}) == 6);
}

TEST_CASE("early_stopping: the weights of the best epoch") {
  jig::nn::early_stopping stop({.patience = 2, .restore_best_weights = true}), never({.restore_best_weights = true});
  fake t, u;
  run(stop, t, "val_loss", {3, 1, 2, 4, 5});
  CHECK((t.restored == 1 && stop.best_epoch() == 1 && stop.stopped_epoch() == 3 && stop.best() == 1));
  run(never, u, "val_loss", {3, 2, 1});
  CHECK((u.restored == 2 && never.stopped_epoch() == -1));
  // A second training begins anew.
  u.stop_training = false;
  u.epoch = 0;
  run(never, u, "val_loss", {9, 8});
  CHECK(u.restored == 1);
}

}  // namespace
