// SPDX-License-Identifier: MIT
#include <jig/nn/accuracy.hpp>
#include <jig/nn/callbacks.hpp>
#include <jig/nn/early_stopping.hpp>
#include <jig/nn/regression_losses.hpp>
#include <jig/nn/sgd.hpp>
#include <jig/nn/trainer.hpp>

#include <jig/data.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>

namespace {

namespace nn = jig::nn;

// A line through numbers, which counts its calls in training.
struct line {
  BOOST_HANA_DEFINE_STRUCT(line, (jig::variable<double, 1, 1>, slope), (jig::variable<double, 1>, offset),
                           (jig::variable<std::int64_t>, calls));

  template <class Training>
  constexpr auto operator()(const auto& x, const Training&) {
    if constexpr (Training::value) calls.assign_add(1);
    return jig::matmul(x, slope) + offset;
  }
};
using sgd = nn::sgd<line>;
constexpr auto worst = [](auto y, auto p) { return jig::reduce_max(jig::abs(y - p)); };

// The same by hand: batches in order.
struct by_hand {
  double slope = 0, offset = 0, rate;
  double train(const double* x, const double* y, int n) {
    double loss = 0, to_slope = 0, to_offset = 0;
    for (int i = 0; i < n; ++i) {
      const double error = slope * x[i] + offset - y[i];
      loss += error * error / n;
      to_slope += 2 * error * x[i] / n;
      to_offset += 2 * error / n;
    }
    slope -= rate * to_slope;
    offset -= rate * to_offset;
    return loss;
  }
  double loss(const double* x, const double* y, int n) const {
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += (slope * x[i] + offset - y[i]) * (slope * x[i] + offset - y[i]) / n;
    return sum;
  }
};

struct data {
  std::vector<std::array<double, 1>> x;
  std::vector<double> y;
  explicit data(int n) {
    for (int i = 0; i < n; ++i) x.push_back({std::sin(i)}), y.push_back(3 * std::sin(i) - 1 + 0.1 * std::cos(7 * i));
  }
  const double* first() const { return x.front().data(); }
};

auto trainer_of(line& model, double rate = 0.1) { return nn::compile(model, sgd(rate), nn::mse, nn::mae, worst); }

// The sentence of the exception that f throws.
template <class F>
std::string sentence(F f) {
  try {
    f();
  } catch (const jig::invalid_argument& e) {
    return e.what();
  }
  return {};
}

TEST_CASE("fit: Keras' loop by hand, a smaller batch at the end, metrics by name") {
  const data d(23);
  line model;
  auto t = trainer_of(model);
  const auto h = t.fit(d.x, d.y, {.batch_size = 5, .epochs = 3, .verbose = 0, .shuffle = false});
  by_hand expected{.rate = 0.1};
  for (std::size_t epoch = 0; epoch < 3; ++epoch) {
    double loss = 0;
    for (int first = 0; first < 23; first += 5) {
      const int n = std::min(5, 23 - first);
      loss += expected.train(d.first() + first, d.y.data() + first, n) * n / 23;
    }
    CHECK(h["loss"][epoch] == doctest::Approx(loss).epsilon(1e-12));
  }
  CHECK(model.slope.value()(0, 0) == doctest::Approx(expected.slope).epsilon(1e-12));
  CHECK(model.offset.value()(0) == doctest::Approx(expected.offset).epsilon(1e-12));
  CHECK(model.calls.value()() == 15);
  CHECK(t.optimizer.iterations.value()() == 15);
  CHECK(h.size() == 3);
  CHECK(t.metrics_names() == std::vector<std::string>{"loss", "mean_absolute_error", "metric_2"});
  const auto l = t.evaluate(d.x, d.y, {.batch_size = 4, .verbose = 0});
  CHECK(l["loss"] == doctest::Approx(expected.loss(d.first(), d.y.data(), 23)).epsilon(1e-12));
  CHECK(l["mean_absolute_error"] < l["metric_2"]);
  CHECK(sentence([&] { h["acc"]; }) == "there is no 'acc' among loss, mean_absolute_error, metric_2");
  CHECK(model.calls.value()() == 15);
}

TEST_CASE("fit: shuffled samples are all there once, by the seed") {
  const data d(40);
  line model, same, other;
  trainer_of(model).fit(d.x, d.y, {.batch_size = 7, .epochs = 30, .verbose = 0});
  trainer_of(same).fit(d.x, d.y, {.batch_size = 7, .epochs = 30, .verbose = 0});
  trainer_of(other).fit(d.x, d.y, {.batch_size = 7, .epochs = 30, .verbose = 0, .seed = 1});
  CHECK(model.slope.value()(0, 0) == same.slope.value()(0, 0));
  CHECK(model.slope.value()(0, 0) != other.slope.value()(0, 0));
  CHECK(model.slope.value()(0, 0) == doctest::Approx(3).epsilon(0.05));
  CHECK(model.offset.value()(0) == doctest::Approx(-1).epsilon(0.05));
  // A batch larger than the data, whose order does not matter then but for rounding.
  line whole;
  by_hand expected{.rate = 0.1};
  trainer_of(whole).fit(d.x, d.y, {.batch_size = 100, .verbose = 0});
  expected.train(d.first(), d.y.data(), 40);
  CHECK(whole.slope.value()(0, 0) == doctest::Approx(expected.slope).epsilon(1e-12));
}

TEST_CASE("fit: validation by a split or by other data") {
  const data d(20);
  line model;
  auto h = trainer_of(model).fit(d.x, d.y, {.batch_size = 6, .epochs = 2, .verbose = 0, .validation_split = 0.25, .shuffle = false});
  by_hand expected{.rate = 0.1};
  for (int epoch = 0; epoch < 2; ++epoch)
    for (int first = 0; first < 15; first += 6) expected.train(d.first() + first, d.y.data() + first, std::min(6, 15 - first));
  CHECK(h["val_loss"][1] == doctest::Approx(expected.loss(d.first() + 15, d.y.data() + 15, 5)).epsilon(1e-12));
  const data other(9);
  h = trainer_of(model).fit(d.x, d.y, {.batch_size = 20, .verbose = 0, .validation_data = {other.x, other.y}, .shuffle = false});
  expected.train(d.first(), d.y.data(), 20);
  CHECK(h["val_loss"][0] == doctest::Approx(expected.loss(other.first(), other.y.data(), 9)).epsilon(1e-12));
}

TEST_CASE("fit: callbacks stop, restore, and set the learning rate") {
  const data d(20);
  line model;
  auto t = trainer_of(model, 0.05);
  nn::early_stopping stop({.monitor = "loss", .patience = 2, .restore_best_weights = true});
  std::vector<double> rates, slopes;
  nn::learning_rate_scheduler rate([](int epoch, double now) { return epoch == 4 ? 30 : now; });
  nn::lambda_callback watch({.on_epoch_end = [&](nn::training& now, int, const nn::logs&) {
    rates.push_back(now.learning_rate());
    slopes.push_back(model.slope.value()(0, 0));
  }});
  const auto h = t.fit(d.x, d.y, {.batch_size = 20, .epochs = 50, .verbose = 0, .callbacks = {stop, rate, watch}});
  // The step at a rate of 30 is seen by the loss of the epoch behind it.
  CHECK(stop.best_epoch() == 4);
  CHECK(stop.stopped_epoch() == 6);
  CHECK(h.size() == 7);
  CHECK((rates[3] == 0.05 && rates[4] == 30 && rates[6] == 30));
  CHECK(model.slope.value()(0, 0) == slopes[4]);
  CHECK(sentence([&] {
          nn::early_stopping wrong;
          t.fit(d.x, d.y, {.verbose = 0, .callbacks = {wrong}});
        }) == "there is no 'val_loss' among loss, mean_absolute_error, metric_2");
}

TEST_CASE("predict: batches of any size are one tensor") {
  line model;
  model.slope.assign(jig::tensor<double, 1, 1>{{2}});
  model.offset.assign(jig::tensor<double, 1>{1});
  auto t = trainer_of(model);
  for (int n : {0, 1, 3, 4, 5, 8, 9}) {
    std::vector<std::array<double, 1>> x;
    for (int i = 0; i < n; ++i) x.push_back({static_cast<double>(i)});
    const auto y = t.predict(x, {.batch_size = 4}), whole = t.predict_on_batch(x);
    CHECK(y.extent(0) == n);
    int wrong = 0;
    for (int i = 0; i < n; ++i) wrong += y(i, 0) != 2 * i + 1 || whole(i, 0) != 2 * i + 1;
    CHECK(wrong == 0);
  }
  // Columns of others' memory.
  const double memory[] = {1, 7, 2, 7, 3, 7};
  const jig::view<const double, jig::dyn, 1> strided(memory, {3, 1}, {2, 1});
  const auto y = t.predict(strided, {.batch_size = 2});
  CHECK((y(0, 0) == 3 && y(1, 0) == 5 && y(2, 0) == 7));
}

TEST_CASE("fit: batches of a dataset, static, wildcard, from other threads, do what those of samples do") {
  const data d(20), other(9);
  line of_samples;
  const auto expected =
      trainer_of(of_samples)
          .fit(d.x, d.y, {.batch_size = 5, .epochs = 3, .verbose = 0, .validation_data = {other.x, other.y}, .shuffle = false});
  const auto slices = jig::data::from_tensor_slices(d.x, d.y);
  const auto validation = jig::data::from_tensor_slices(other.x, other.y).batch(5);
  const auto check = [&](const auto& dataset) {
    line model;
    auto t = trainer_of(model);
    const auto h = t.fit(dataset, validation, {.epochs = 3, .verbose = 0});
    REQUIRE(h.size() == 3);
    for (const char* name : {"loss", "val_loss", "mean_absolute_error", "val_metric_2"})
      for (std::size_t epoch = 0; epoch < 3; ++epoch) CHECK(h[name][epoch] == doctest::Approx(expected[name][epoch]).epsilon(1e-12));
    CHECK(model.calls.value()() == 12);
    CHECK(t.evaluate(validation, {.verbose = 0})["loss"] == doctest::Approx(expected["val_loss"].back()));
  };
  check(slices.batch(5));
  check(slices.batch<5>());
  check(slices.map([](const auto& x, double y) { return std::tuple(jig::tensor<double, 1>{x(0)}, y); }).batch(5).prefetch(2));
  check(slices.filter([](const auto&, double) { return true; }).batch(5));
}

TEST_CASE("fit: an epoch of a dataset is all of it, or so many steps, which go on where the last ones ended") {
  const data d(10);
  const auto batches = jig::data::from_tensor_slices(d.x, d.y).batch(4);
  line model;
  by_hand expected{.rate = 0.1};
  auto h = trainer_of(model).fit(batches, {.epochs = 3, .verbose = 0, .steps_per_epoch = 2});
  for (const int first : {0, 4, 8, 0, 4, 8}) expected.train(d.first() + first, d.y.data() + first, std::min(4, 10 - first));
  CHECK(model.offset.value()(0) == doctest::Approx(expected.offset).epsilon(1e-12));
  CHECK(model.calls.value()() == 6);
  line endless;
  h = trainer_of(endless).fit(batches.repeat(), {.epochs = 3, .verbose = 0, .steps_per_epoch = 2});
  CHECK(endless.offset.value()(0) == doctest::Approx(expected.offset).epsilon(1e-12));
  CHECK(sentence([&] { trainer_of(endless).fit(batches.repeat()); }) ==
        "fit: the dataset does not end: steps_per_epoch says how many batches are an epoch");
  CHECK(sentence([&] { trainer_of(endless).fit(batches.take(0), {.verbose = 0}); }) == "fit: the dataset has no elements");
  CHECK(sentence([&] { trainer_of(endless).fit(batches.take(0), {.verbose = 0, .steps_per_epoch = 2}); }) ==
        "fit: the dataset has no elements");
  CHECK(sentence([&] { trainer_of(endless).evaluate(batches.repeat()); }).starts_with("evaluate: the dataset does not end"));
  const std::vector<double> three{1, 2, 3};
  const auto uneven = jig::data::zip(jig::data::from_tensor_slices(d.x).batch(4), jig::data::from_tensor_slices(three).batch(3));
  CHECK(sentence([&] { trainer_of(endless).fit(uneven, {.verbose = 0}); }) == "fit: x has 4 samples and y 3");
  std::ostringstream out;
  jig::set_print_stream(out);
  trainer_of(endless).fit(batches.filter([](const auto&, const auto&) { return true; }));
  CHECK(out.str().find("Epoch 1/1 - 3/3 - ") == 0);
  jig::detail::line_writer::of_program().stream = nullptr;
}

TEST_CASE("train_on_batch and test_on_batch") {
  const data d(6);
  line model;
  auto t = trainer_of(model);
  by_hand expected{.rate = 0.1};
  const double before = t.test_on_batch(d.x, d.y)[0];
  CHECK(t.train_on_batch(d.x, d.y)[0] == before);
  CHECK(expected.train(d.first(), d.y.data(), 6) == doctest::Approx(before));
  CHECK(model.offset.value()(0) == doctest::Approx(expected.offset));
}

TEST_CASE("what makes no sense is refused, and NaN is seen") {
  data d(6);
  line model;
  auto t = trainer_of(model);
  const data none(0), five(5);
  CHECK(sentence([&] { t.fit(none.x, none.y); }) == "fit: there are no samples");
  CHECK(sentence([&] { t.fit(d.x, five.y); }) == "fit: x has 6 samples and y 5");
  CHECK(sentence([&] { t.evaluate(d.x, five.y); }) == "evaluate: x has 6 samples and y 5");
  CHECK(sentence([&] { t.train_on_batch(none.x, none.y); }) == "train_on_batch: there are no samples");
  CHECK(sentence([&] { t.fit(d.x, d.y, {.batch_size = 0}); }) == "fit: batch_size must be at least 1, given 0");
  CHECK(sentence([&] { t.predict(d.x, {.batch_size = -1}); }) == "predict: batch_size must be at least 1, given -1");
  CHECK(sentence([&] { t.fit(d.x, d.y, {.validation_split = 0.9}); }) ==
        "fit: validation_split of 0.9000 leaves nothing of 6 samples to train on or to validate with");
  CHECK(!sentence([&] { t.fit(d.x, d.y, {.validation_split = 1}); }).empty());
  CHECK(sentence([&] { t.fit(d.x, d.y, {.validation_data = {d.x, five.y}}); }) == "fit: validation_data: x has 6 samples and y 5");
  CHECK(model.calls.value()() == 0);
  d.y[3] = std::numeric_limits<double>::quiet_NaN();
  nn::early_stopping stop({.monitor = "loss", .patience = 2});
  const auto h = t.fit(d.x, d.y, {.epochs = 9, .verbose = 0, .callbacks = {stop}});
  CHECK(std::isnan(h["loss"][0]));
  CHECK(h.size() == 2);
}

TEST_CASE("verbose: a line for each epoch where there is no terminal, nothing on request") {
  const data d(6);
  line model;
  auto t = trainer_of(model);
  std::ostringstream out;
  jig::set_print_stream(out);
  t.fit(d.x, d.y, {.epochs = 2, .verbose = 0});
  CHECK(out.str().empty());
  t.fit(d.x, d.y, {.batch_size = 4, .epochs = 2});
  const std::string text = out.str();
  CHECK(text.find("Epoch 1/2 - 2/2 - ") == 0);
  CHECK(text.find("/step - loss: ") != std::string::npos);
  CHECK(std::count(text.begin(), text.end(), '\n') == 2);
  jig::detail::line_writer::of_program().stream = nullptr;
}

}  // namespace
