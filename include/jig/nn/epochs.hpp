// SPDX-License-Identifier: MIT
#pragma once
// The loops of `fit` and `evaluate`, which know of batches what they measure.

#include <jig/core/extent.hpp>
#include <jig/data/split_mix.hpp>
#include <jig/nn/history.hpp>
#include <jig/nn/progress.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

namespace jig::nn::detail {

/// What a training does with samples, which are known by their numbers. Results are the loss and the metrics, as means over the batch.
class batch_steps {
 public:
  batch_steps() = default;
  batch_steps(const batch_steps&) = delete;
  batch_steps& operator=(const batch_steps&) = delete;
  virtual ~batch_steps() = default;
  /// Trains on count samples: those that order lists, or, where that is null, those from first on.
  virtual void train(index first, index count, const index* order, double* results) = 0;
  /// The same numbers for samples that are not trained on.
  virtual void test(index first, index count, double* results) = 0;
};

/// The batches of an epoch or of a validation.
class batches {
 public:
  batches() = default;
  batches(const batches&) = delete;
  batches& operator=(const batches&) = delete;
  virtual ~batches() = default;
  /// How many there are; -1 where only running them can tell.
  virtual int count() const = 0;
  virtual void begin() = 0;
  /// Runs the next one; returns how many samples it has, 0 behind the last.
  virtual index next(double* results) = 0;
};

struct epoch_settings {
  int epochs, initial_epoch, verbose;
  const std::vector<std::reference_wrapper<callback>>* callbacks;
};

inline void check_samples(const char* function, index x, index y, index batch_size) {
  const std::string name = function;
  if (x != y) jig::detail::throw_invalid_argument(name + ": x has " + std::to_string(x) + " samples and y " + std::to_string(y));
  if (x == 0) jig::detail::throw_invalid_argument(name + ": there are no samples");
  if (batch_size < 1) jig::detail::throw_invalid_argument(name + ": batch_size must be at least 1, given " + std::to_string(batch_size));
}

/// The first sample of those at the end that a part of all is kept for.
inline index split_at(index samples, double part) {
  const auto first = static_cast<index>(static_cast<double>(samples) * (1 - part));
  if (!(part > 0 && part < 1) || first < 1 || first >= samples)
    jig::detail::throw_invalid_argument("fit: validation_split of " + number_text(part) + " leaves nothing of " + std::to_string(samples) +
                                        " samples to train on or to validate with");
  return first;
}

/// Means over batches of several sizes.
class running_means {
 public:
  explicit running_means(std::size_t count) : totals_(count) {}
  void add(const std::vector<double>& means, index samples) {
    for (std::size_t i = 0; i < totals_.size(); ++i) totals_[i] += means[i] * static_cast<double>(samples);
    samples_ += static_cast<double>(samples);
  }
  void write(logs& out, const std::vector<std::string>& names, const char* prefix) const {
    for (std::size_t i = 0; i < totals_.size(); ++i) out.set(prefix + names[i], totals_[i] / samples_);
  }

 private:
  std::vector<double> totals_;
  double samples_ = 0;
};

inline int batches_of(index samples, index batch_size) { return static_cast<int>((samples + batch_size - 1) / batch_size); }

/// Another order of the numbers in it.
/// Source: Fisher and Yates.
inline void shuffle(std::vector<index>& order, data::detail::split_mix& random) {
  for (std::size_t left = order.size(); left > 1; --left) std::swap(order[left - 1], order[random() % left]);
}

/// Batches of samples to train on, each time in another order where they are shuffled.
class training_batches final : public batches {
 public:
  training_batches(batch_steps& steps, index samples, index batch_size, bool shuffled, std::uint64_t seed)
      : steps_(steps), samples_(samples), batch_size_(batch_size), random_(seed), order_(shuffled ? static_cast<std::size_t>(samples) : 0) {
    std::iota(order_.begin(), order_.end(), index{0});
  }
  int count() const override { return batches_of(samples_, batch_size_); }
  void begin() override {
    first_ = 0;
    shuffle(order_, random_);
  }
  index next(double* results) override {
    const index count = (std::min)(batch_size_, samples_ - first_);
    if (count > 0) steps_.train(first_, count, order_.empty() ? nullptr : order_.data() + first_, results);
    first_ += count;
    return count;
  }

 private:
  batch_steps& steps_;
  index samples_, batch_size_, first_ = 0;
  data::detail::split_mix random_;
  std::vector<index> order_;
};

/// Batches of samples to test on.
class test_batches final : public batches {
 public:
  test_batches(batch_steps& steps, index samples, index batch_size) : steps_(steps), samples_(samples), batch_size_(batch_size) {}
  int count() const override { return batches_of(samples_, batch_size_); }
  void begin() override { first_ = 0; }
  index next(double* results) override {
    const index count = (std::min)(batch_size_, samples_ - first_);
    if (count > 0) steps_.test(first_, count, results);
    first_ += count;
    return count;
  }

 private:
  batch_steps& steps_;
  index samples_, batch_size_, first_ = 0;
};

/// Runs all batches; writes the means so far to the logs behind each, and calls done with its number.
template <class F>
void run_batches(batches& all, const std::vector<std::string>& names, const char* prefix, logs& out, F done) {
  running_means means(names.size());
  std::vector<double> results(names.size());
  all.begin();
  for (int batch = 0; const index samples = all.next(results.data()); ++batch) {
    means.add(results, samples);
    means.write(out, names, prefix);
    done(batch);
  }
}

/// Trains, and validates behind each epoch where there is something to validate with.
inline history run_epochs(training& of, const std::vector<std::string>& names, batches& train, batches* tests, const epoch_settings& s) {
  const auto each = [&](auto what) {
    for (callback& c : *s.callbacks) what(c);
  };
  history all;
  progress shown(s.verbose, train.count());
  each([&](callback& c) { c.on_train_begin(of); });
  for (int epoch = s.initial_epoch; epoch < s.epochs && !of.stop_training; ++epoch) {
    each([&](callback& c) { c.on_epoch_begin(of, epoch); });
    shown.begin("Epoch " + std::to_string(epoch + 1) + '/' + std::to_string(s.epochs));
    logs numbers;
    run_batches(train, names, "", numbers, [&](int batch) {
      each([&](callback& c) { c.on_train_batch_end(of, batch, numbers); });
      shown.step(batch + 1, numbers);
    });
    if (tests != nullptr) run_batches(*tests, names, "val_", numbers, [](int) {});
    shown.end(numbers);
    each([&](callback& c) { c.on_epoch_end(of, epoch, numbers); });
    all.add(std::move(numbers));
  }
  each([&](callback& c) { c.on_train_end(of); });
  return all;
}

}  // namespace jig::nn::detail
