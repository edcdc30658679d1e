// SPDX-License-Identifier: MIT
#include <jig/nn/callbacks.hpp>

#include <doctest/doctest.h>

namespace {

struct fake : jig::nn::training {
  double learning_rate() const override { return rate; }
  void set_learning_rate(double to) override { rate = to; }
  void keep_weights() override {}
  void restore_weights() override {}
  double rate = 1;
};

TEST_CASE("lambda_callback: what is there is called") {
  fake t;
  std::string seen;
  jig::nn::lambda_callback all({.on_train_begin = [&](jig::nn::training&) { seen += 'a'; },
                                .on_epoch_begin = [&](jig::nn::training&, int) { seen += 'b'; },
                                .on_train_batch_end = [&](jig::nn::training&, int, const jig::nn::logs&) { seen += 'c'; },
                                .on_epoch_end = [&](jig::nn::training& now, int, const jig::nn::logs&) { now.stop_training = true; },
                                .on_train_end = [&](jig::nn::training&) { seen += 'e'; }});
  jig::nn::lambda_callback none({});
  for (jig::nn::callback* c : {static_cast<jig::nn::callback*>(&all), static_cast<jig::nn::callback*>(&none)}) {
    c->on_train_begin(t);
    c->on_epoch_begin(t, 0);
    c->on_train_batch_end(t, 0, {});
    c->on_epoch_end(t, 0, {});
    c->on_train_end(t);
  }
  CHECK(seen == "abce");
  CHECK(t.stop_training);
}

TEST_CASE("learning_rate_scheduler: from the epoch and the rate before") {
  fake t;
  jig::nn::learning_rate_scheduler halves([](int epoch, double rate) { return epoch < 2 ? rate : rate / 2; });
  for (int epoch = 0; epoch < 4; ++epoch) halves.on_epoch_begin(t, epoch);
  CHECK(t.rate == 0.25);
}

}  // namespace
