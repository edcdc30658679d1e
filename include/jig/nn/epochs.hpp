// SPDX-License-Identifier: MIT
#pragma once
// The loops of `fit` and `evaluate`, which know batches by their numbers only.

#include <jig/core/extent.hpp>
#include <jig/nn/history.hpp>
#include <jig/nn/progress.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>

namespace jig::nn::detail {

/// What a training does with batches. Results are the loss and the metrics, as means over the batch.
class batch_steps : public training {
 public:
  /// Trains on count samples: those that order lists, or, where that is null, those from first on.
  virtual void train(index first, index count, const index* order, double* results) = 0;
  /// The same numbers for samples that are not trained on.
  virtual void test(index first, index count, double* results) = 0;
  std::vector<std::string> names;  // of the results
};

struct epoch_settings {
  int batch_size, epochs, initial_epoch, verbose;
  bool shuffle;
  std::uint64_t seed;
  index samples;  // to train on
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
/// Source: Fisher and Yates; the random numbers are those of SplitMix64 (Steele, Lea and Flood, 2014).
inline void shuffle(std::vector<index>& order, std::uint64_t& state) {
  for (std::size_t left = order.size(); left > 1; --left) {
    state += 0x9e3779b97f4a7c15u;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    std::swap(order[left - 1], order[(z ^ (z >> 31)) % left]);
  }
}

inline void run_tests(batch_steps& steps, index samples, index batch_size, const char* prefix, logs& out, progress* shown = nullptr) {
  running_means means(steps.names.size());
  std::vector<double> results(steps.names.size());
  for (int batch = 0; batch < batches_of(samples, batch_size); ++batch) {
    const index first = batch * batch_size, count = (std::min)(batch_size, samples - first);
    steps.test(first, count, results.data());
    means.add(results, count);
    means.write(out, steps.names, prefix);
    if (shown != nullptr) shown->step(batch + 1, out);
  }
}

inline history run_epochs(batch_steps& steps, const epoch_settings& s, index validation_samples) {
  const auto each = [&](auto what) {
    for (callback& c : *s.callbacks) what(c);
  };
  history all;
  std::uint64_t random = s.seed;
  std::vector<index> order(s.shuffle ? static_cast<std::size_t>(s.samples) : 0);
  std::iota(order.begin(), order.end(), index{0});
  std::vector<double> results(steps.names.size());
  const index batch_size = s.batch_size;
  const int batches = batches_of(s.samples, batch_size);
  progress shown(s.verbose, batches);
  each([&](callback& c) { c.on_train_begin(steps); });
  for (int epoch = s.initial_epoch; epoch < s.epochs && !steps.stop_training; ++epoch) {
    each([&](callback& c) { c.on_epoch_begin(steps, epoch); });
    shown.begin("Epoch " + std::to_string(epoch + 1) + '/' + std::to_string(s.epochs));
    shuffle(order, random);
    running_means means(results.size());
    logs numbers;
    for (int batch = 0; batch < batches; ++batch) {
      const index first = batch * batch_size, count = (std::min)(batch_size, s.samples - first);
      steps.train(first, count, s.shuffle ? order.data() + first : nullptr, results.data());
      means.add(results, count);
      means.write(numbers, steps.names, "");
      each([&](callback& c) { c.on_train_batch_end(steps, batch, numbers); });
      shown.step(batch + 1, numbers);
    }
    if (validation_samples > 0) run_tests(steps, validation_samples, batch_size, "val_", numbers);
    shown.end(numbers);
    each([&](callback& c) { c.on_epoch_end(steps, epoch, numbers); });
    all.add(std::move(numbers));
  }
  each([&](callback& c) { c.on_train_end(steps); });
  return all;
}

}  // namespace jig::nn::detail
