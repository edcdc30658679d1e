// SPDX-License-Identifier: MIT
#pragma once
// Models with an optimiser, a loss and metrics: what trains, evaluates and predicts.

#include <jig/nn/epochs.hpp>
#include <jig/nn/fit_options.hpp>
#include <jig/nn/layer.hpp>
#include <jig/nn/optimizer.hpp>
#include <jig/nn/trainer_parts.hpp>
#include <jig/trace/variable_references.hpp>

#include <optional>

namespace jig {
class ranks;
}
namespace jig::data {
template <class S>
class dataset;
}

namespace jig::nn {

namespace detail {

// What a model or loss refused is said once: nothing is made of it.
template <class Loss>
constexpr auto mean_loss(const auto& y, const auto& predicted) {
  if constexpr (is_refused<std::remove_cvref_t<decltype(predicted)>>) return predicted;
  else return reduce_mean(Loss()(y, predicted));
}
// The loss and metrics of a batch as one tensor.
template <class... Metrics>
constexpr auto measured(const auto& loss, const auto& y, const auto& predicted) {
  if constexpr (is_refused<std::remove_cvref_t<decltype(loss)>>) return loss;
  else return stack<0>(cast<double>(loss), cast<double>(reduce_mean(Metrics()(y, predicted)))...);
}

template <class Loss, class... Metrics>
inline constexpr auto train_step = function<"train_step(model, optimizer, x, y)">([](auto& model, auto& optimizer, auto x, auto y) {
  auto predicted = call_layer(model, x, lit<true>);
  auto loss = mean_loss<Loss>(y, predicted);
  optimizer.apply_gradients(model, gradient(loss, trainable_variables(model)));
  return measured<Metrics...>(loss, y, predicted);
});
template <class Loss, class... Metrics>
inline constexpr auto test_step = function<"test_step(model, x, y)">([](auto& model, auto x, auto y) {
  auto predicted = call_layer(model, x, lit<false>);
  return measured<Metrics...>(mean_loss<Loss>(y, predicted), y, predicted);
});
inline constexpr auto predict_step =
    function<"predict_step(model, x)">([](auto& model, auto x) { return call_layer(model, x, lit<false>); });

template <class X>
inline constexpr bool is_dataset = false;
template <class S>
inline constexpr bool is_dataset<data::dataset<S>> = true;

template <class E>
inline constexpr bool is_pair_of_batches = false;
template <Argument X, Argument Y>
inline constexpr bool is_pair_of_batches<std::tuple<X, Y>> = argument<X>::spec_type::rank() > 0 && argument<Y>::spec_type::rank() > 0;
// The learning rate of an optimiser, or of that which it gives gradients to.
constexpr auto& learning_rate_of(auto& optimizer) {
  if constexpr (requires { optimizer.learning_rate; }) return optimizer.learning_rate;
  else return learning_rate_of(optimizer.optimizer);
}

template <class Metric>
std::string metric_name(std::size_t i) {
  if constexpr (requires { std::string_view(Metric::name); }) return std::string(Metric::name);
  else return "metric_" + std::to_string(i);
}

}  // namespace detail

/// A model, which has to outlive it, with an optimiser, a loss and metrics; `nn::compile` makes one. Data are arguments of any kind with
/// the samples along the first axis; they are read where they are, and copied only where they have gaps or are shuffled, batch by batch.
/// A smaller batch at the end runs the same program.
template <class Model, class Optimizer, class Loss, class... Metrics>
class trainer {
  static constexpr std::size_t numbers = 1 + sizeof...(Metrics);
  using result = view<row_major<double>, static_cast<index>(numbers)>;
  template <class X, class Y>
  class pairs;
  template <class X, class Y>
  class steps;
  template <class X, class Y>
  class rank_steps;
  template <class Dataset, class Run>
  class dataset_batches;
  class session;

 public:
  trainer(Model& model, const Optimizer& with) : optimizer(with), model_(&model) {}

  /// Its slots and steps stay from one `fit` to the next.
  Optimizer optimizer;
  Model& model() const { return *model_; }

  /// The names of the loss and the metrics.
  static std::vector<std::string> metrics_names() {
    std::vector<std::string> names{"loss"};
    ((names.push_back(detail::metric_name<Metrics>(names.size()))), ...);
    return names;
  }

  /// Trains for some epochs; returns the loss and the metrics after each.
  /// Errors: no samples, other numbers of them in x and y, and options that make no sense throw invalid_argument.
  template <class X, class Y>
    requires(!detail::is_dataset<X>)
  nn::history fit(const X& x, const Y& y, const fit_options<X, Y>& options = {}) {
    steps<X, Y> run(*this, x, y);
    return fit_samples(run, options);
  }

  /// Trains on a dataset whose elements are batches of inputs and labels, and validates with another one where it is given.
  /// Errors: a dataset without elements, or without end where steps_per_epoch is not given, throws invalid_argument.
  template <class S>
  nn::history fit(const data::dataset<S>& dataset, const dataset_fit_options& options = {}) {
    if constexpr (are_batches<S>()) return fit_dataset(dataset, nullptr, options);
    else return {};
  }
  template <class S, class V>
  nn::history fit(const data::dataset<S>& dataset, const data::dataset<V>& validation_data, const dataset_fit_options& options = {}) {
    if constexpr (are_batches<S, V>()) {
      dataset_batches<data::dataset<V>, decltype(step<false>())> tests(step<false>(), validation_data, -1, "fit: validation_data");
      return fit_dataset(dataset, &tests, options);
    } else {
      return {};
    }
  }

  /// The same over ranks, such as jig::mpi::world, each of which has all data and computes a part of every batch; nn/ranks.hpp has more.
  template <class X, class Y>
    requires(!detail::is_dataset<X>)
  nn::history fit(const X& x, const Y& y, const fit_options<X, Y>& options, const ranks& among, index shards = 8);
  template <class S>
  nn::history fit(const data::dataset<S>& dataset, const dataset_fit_options& options, const ranks& among, index shards = 8);

  /// The loss and the metrics, by name, of a model in use.
  /// Errors: as for fit.
  template <class X, class Y>
    requires(!detail::is_dataset<X>)
  logs evaluate(const X& x, const Y& y, const evaluate_options& options = {}) {
    steps<X, Y> run(*this, {}, {});
    run.test_x = x;
    run.test_y = y;
    detail::check_samples("evaluate", run.test_x.count(), run.test_y.count(), options.batch_size);
    detail::test_batches tests(run, run.test_x.count(), options.batch_size);
    return evaluated(tests, options.verbose);
  }
  /// The same for a dataset of batches of inputs and labels; batch_size is that of the dataset.
  template <class S>
  logs evaluate(const data::dataset<S>& dataset, const evaluate_options& options = {}) {
    if constexpr (are_batches<S>()) {
      dataset_batches<data::dataset<S>, decltype(step<false>())> tests(step<false>(), dataset, -1, "evaluate");
      return evaluated(tests, options.verbose);
    } else {
      return {};
    }
  }

  /// What the model in use makes of all samples, batch by batch; the result is one tensor.
  /// Cost: nothing is built. Up to batch_size samples are one call of a traced function.
  template <class X>
  auto predict(const X& x, const predict_options& options = {}) {
    const detail::samples_of<X> all(x);
    const index count = all.count(), batch_size = options.batch_size;
    if (batch_size < 1) detail::check_samples("predict", 1, 1, batch_size);
    auto out = detail::predict_step(*model_, all.rows(0, (std::min)(count, batch_size)));
    if (count > batch_size) append(out, all, batch_size);
    return out;
  }
  /// What the model in use makes of one batch.
  template <class X>
  auto predict_on_batch(const X& x) {
    const detail::samples_of<X> all(x);
    return detail::predict_step(*model_, all.rows(0, all.count()));
  }

  /// One step on one batch: the loss and the metrics before it.
  /// Errors: as for fit.
  template <class X, class Y>
  std::array<double, numbers> train_on_batch(const X& x, const Y& y) {
    steps<X, Y> run(*this, x, y);
    detail::check_samples("train_on_batch", run.x.count(), run.y.count(), 1);
    std::array<double, numbers> out;
    run.train(0, run.x.count(), nullptr, out.data());
    return out;
  }
  /// The loss and the metrics of one batch, of a model in use.
  /// Errors: as for fit.
  template <class X, class Y>
  std::array<double, numbers> test_on_batch(const X& x, const Y& y) {
    steps<X, Y> run(*this, {}, {});
    run.test_x = x;
    run.test_y = y;
    detail::check_samples("test_on_batch", run.test_x.count(), run.test_y.count(), 1);
    std::array<double, numbers> out;
    run.test(0, run.test_x.count(), out.data());
    return out;
  }

 private:
  template <class... S>
  static constexpr bool are_batches() {
    constexpr bool all = (detail::is_pair_of_batches<typename data::dataset<S>::element_type> && ...);
    static_assert(all,
                  "jig: fit: the elements of a dataset are tuples of a batch of inputs and a batch of labels, as zip and batch make them");
    return all;
  }
  // What happens to a batch of a dataset.
  template <bool Trains>
  auto step() {
    return [this](const auto& x, const auto& y, double* results) {
      result out(results);
      if constexpr (Trains) detail::train_step<Loss, Metrics...>.into(out, *model_, optimizer, x, y);
      else detail::test_step<Loss, Metrics...>.into(out, *model_, x, y);
    };
  }
  template <class X, class Y>
  nn::history fit_samples(pairs<X, Y>& run, const fit_options<X, Y>& options) {
    index samples = run.x.count();
    detail::check_samples("fit", samples, run.y.count(), options.batch_size);
    if (options.validation_data.x.count() != 0 || options.validation_data.y.count() != 0) {
      run.test_x = options.validation_data.x.behind(0);
      run.test_y = options.validation_data.y.behind(0);
      detail::check_samples("fit: validation_data", run.test_x.count(), run.test_y.count(), options.batch_size);
    } else if (options.validation_split != 0) {
      samples = detail::split_at(samples, options.validation_split);
      run.test_x = run.x.behind(samples);
      run.test_y = run.y.behind(samples);
    }
    detail::training_batches train(run, samples, options.batch_size, options.shuffle, options.seed);
    detail::test_batches tests(run, run.test_x.count(), options.batch_size);
    session here(*this);
    return detail::run_epochs(here, metrics_names(), train, tests.count() > 0 ? &tests : nullptr,
                              {options.epochs, options.initial_epoch, options.verbose, &options.callbacks});
  }
  template <class S>
  nn::history fit_dataset(const data::dataset<S>& dataset, detail::batches* tests, const dataset_fit_options& options) {
    dataset_batches<data::dataset<S>, decltype(step<true>())> train(step<true>(), dataset, options.steps_per_epoch, "fit");
    return fit_batches(train, tests, options);
  }
  nn::history fit_batches(detail::batches& train, detail::batches* tests, const dataset_fit_options& options) {
    session here(*this);
    return detail::run_epochs(here, metrics_names(), train, tests,
                              {options.epochs, options.initial_epoch, options.verbose, &options.callbacks});
  }
  static logs evaluated(detail::batches& tests, int verbose) {
    logs out;
    detail::progress shown(verbose, tests.count());
    shown.begin("");
    detail::run_batches(tests, metrics_names(), "", out, [&](int batch) { shown.step(batch + 1, out); });
    shown.end(out);
    return out;
  }
  // Runs the batches behind the first, whose results are there.
  template <class Out, class Samples>
  void append(Out& out, const Samples& all, index batch_size) {
    const index count = all.count(), row = out.size() / batch_size;
    jig::shape extents = out.shape();
    extents[0] = count;
    Out whole = detail::rows_of_tensor<Out>::of_extents(extents);
    std::copy_n(out.data(), out.size(), whole.data());
    for (index first = batch_size; first < count; first += batch_size) {
      extents[0] = (std::min)(batch_size, count - first);
      auto part = detail::rows_of_tensor<Out>::rows(whole.data() + first * row, extents);
      detail::predict_step.into(part, *model_, all.rows(first, extents[0]));
    }
    out = std::move(whole);
  }

  Model* model_;
};

// Samples of arguments, by their numbers.
template <class Model, class Optimizer, class Loss, class... Metrics>
template <class X, class Y>
class trainer<Model, Optimizer, Loss, Metrics...>::pairs : public detail::batch_steps {
 public:
  pairs(const detail::samples_of<X>& inputs, const detail::samples_of<Y>& labels) : x(inputs), y(labels) {}
  detail::samples_of<X> x, test_x;
  detail::samples_of<Y> y, test_y;
};

// What one process does with them.
template <class Model, class Optimizer, class Loss, class... Metrics>
template <class X, class Y>
class trainer<Model, Optimizer, Loss, Metrics...>::steps final : public pairs<X, Y> {
 public:
  using pairs<X, Y>::x, pairs<X, Y>::y, pairs<X, Y>::test_x, pairs<X, Y>::test_y;
  steps(trainer& of, const detail::samples_of<X>& inputs, const detail::samples_of<Y>& labels)
      : pairs<X, Y>(inputs, labels), trainer_(of) {}

  void train(index first, index count, const index* order, double* results) override {
    result out(results);
    const auto of = [&](auto& data) { return order == nullptr ? data.rows(first, count) : data.gathered(order, count); };
    detail::train_step<Loss, Metrics...>.into(out, *trainer_.model_, trainer_.optimizer, of(x), of(y));
  }
  void test(index first, index count, double* results) override {
    result out(results);
    detail::test_step<Loss, Metrics...>.into(out, *trainer_.model_, test_x.rows(first, count), test_y.rows(first, count));
  }

 private:
  trainer& trainer_;
};

// Batches as a dataset has them; run(x, y, results) is what happens to each.
template <class Model, class Optimizer, class Loss, class... Metrics>
template <class Dataset, class Run>
class trainer<Model, Optimizer, Loss, Metrics...>::dataset_batches final : public detail::batches {
 public:
  dataset_batches(Run run, const Dataset& dataset, int steps, const char* function)
      : run_(run), dataset_(dataset), steps_(steps), function_(function) {
    const index known = dataset.cardinality();
    if (known == -1 && steps < 0) refuse("the dataset does not end: steps_per_epoch says how many batches are an epoch");
    count_ = steps > 0 ? steps : known < 0 ? -1 : static_cast<int>(known);
  }
  int count() const override { return count_; }
  void begin() override {
    if (steps_ < 0) at_.reset();
    left_ = steps_;
    begins_ = true;
  }
  index next(double* results) override {
    if (left_ == 0) return 0;
    if (left_ > 0) --left_;
    if (!at_) at_.emplace(dataset_.begin());
    else ++*at_;
    if (*at_ == dataset_.end() && left_ >= 0) at_.emplace(dataset_.begin());
    if (*at_ == dataset_.end()) {
      if (begins_) refuse("the dataset has no elements");
      return 0;
    }
    begins_ = false;
    const auto& [x, y] = **at_;
    const index samples = samples_of_batch(x);
    if (samples != samples_of_batch(y)) detail::check_samples(function_, samples, samples_of_batch(y), 1);
    run_(x, y, results);
    return samples;
  }

 private:
  template <class X>
  static index samples_of_batch(const X& x) {
    static_assert(argument<X>::spec_type::rank() > 0,
                  "jig: the elements of a dataset to train on are batches: dataset.batch(32) makes them");
    return argument<X>::bind(x).extent(0);
  }
  [[noreturn]] void refuse(const char* why) const { jig::detail::throw_invalid_argument(std::string(function_) + ": " + why); }

  Run run_;
  const Dataset& dataset_;
  int steps_, left_ = -1, count_ = -1;
  bool begins_ = true;
  const char* function_;
  std::optional<typename Dataset::iterator> at_;
};

// What callbacks may do.
template <class Model, class Optimizer, class Loss, class... Metrics>
class trainer<Model, Optimizer, Loss, Metrics...>::session final : public training {
 public:
  explicit session(trainer& of) : trainer_(of) {}
  double learning_rate() const override {
    const auto& rate = detail::learning_rate_of(trainer_.optimizer);
    if constexpr (is_variable<std::remove_cvref_t<decltype(rate)>>) return static_cast<double>(rate.value()());
    else jig::detail::throw_invalid_argument("learning_rate: that of the optimizer follows a schedule");
  }
  void set_learning_rate(double to) override {
    auto& rate = detail::learning_rate_of(trainer_.optimizer);
    if constexpr (is_variable<std::remove_cvref_t<decltype(rate)>>) detail::set_number(rate, to);
    else jig::detail::throw_invalid_argument("learning_rate: that of the optimizer follows a schedule");
  }
  void keep_weights() override { kept_.emplace(*trainer_.model_); }
  void restore_weights() override {
    if (kept_) *trainer_.model_ = *kept_;
  }
  void append_variables(std::vector<jig::detail::variable_reference>& to) override { jig::detail::append_references(to, trainer_, ""); }

 private:
  trainer& trainer_;
  std::optional<Model> kept_;
};

/// A trainer for a model: `auto t = nn::compile(model, nn::adam<net>(1e-3), nn::mse, nn::mae);`. A model is what takes a batch by
/// `model(x, training)`, where training is jig::lit<true> or jig::lit<false>, or by `model(x)`. The loss and the metrics are functions of
/// labels and predictions, such as those of jig::nn or lambdas that do not capture; their means over all samples count.
template <class Model, class Optimizer, class Loss, class... Metrics>
trainer<Model, Optimizer, Loss, Metrics...> compile(Model& model, const Optimizer& optimizer, const Loss&, const Metrics&...) {
  return {model, optimizer};
}

}  // namespace jig::nn
