// SPDX-License-Identifier: MIT
#pragma once
// What `fit`, `evaluate` and `predict` are told.

#include <jig/nn/callback.hpp>
#include <jig/nn/samples.hpp>

#include <cstdint>
#include <functional>

namespace jig::nn {

namespace detail {
template <class X>
using samples_of = samples<typename argument<X>::spec_type>;
}  // namespace detail

/// Data to validate with, of the dtypes and shapes of data to train on; it has to outlive the training.
template <class X, class Y>
struct validation {
  detail::samples_of<X> x;
  detail::samples_of<Y> y;
  validation() = default;
  template <class A, class B>
  validation(const A& inputs, const B& labels) : x(inputs), y(labels) {}
};

/// Keras' names and defaults. verbose is 0 for nothing, 1 for a bar on a terminal and lines elsewhere, 2 for lines. Samples are in another
/// order in each epoch, which follows from the seed.
template <class X, class Y>
struct fit_options {
  int batch_size = 32;
  int epochs = 1;
  int verbose = 1;
  double validation_split = 0;
  validation<X, Y> validation_data = {};
  bool shuffle = true;
  std::vector<std::reference_wrapper<callback>> callbacks = {};
  int initial_epoch = 0;
  std::uint64_t seed = 0;
};

/// The same where a dataset says what batches there are, and in which order. An epoch is all of them, or the next steps_per_epoch, which
/// begin anew behind the last.
struct dataset_fit_options {
  int epochs = 1;
  int verbose = 1;
  int steps_per_epoch = -1;
  std::vector<std::reference_wrapper<callback>> callbacks = {};
  int initial_epoch = 0;
};

struct evaluate_options {
  int batch_size = 32;
  int verbose = 1;
};
struct predict_options {
  int batch_size = 32;
};

}  // namespace jig::nn
