// SPDX-License-Identifier: MIT
#pragma once
// Gradient descent.

#include <jig/nn/optimizer.hpp>

namespace jig::nn {

/// Gradient descent with momentum for a model, a variable or a structure of them, with Keras' names and defaults: a learning rate
/// of 0.01 and no momentum. Rate may be a schedule.
template <class Model, class Rate = variable<weight_type<Model>>>
struct sgd {
  using value_type = weight_type<Model>;
  BOOST_HANA_DEFINE_STRUCT(sgd, (Rate, learning_rate), (variable<value_type>, momentum), (variable<bool>, nesterov),
                           (variable<std::int64_t>, iterations), (slots_like<Model>, velocities));

  constexpr sgd() {
    if constexpr (is_variable<Rate>)
      if (!std::is_constant_evaluated()) detail::set_number(learning_rate, 0.01);
  }
  explicit sgd(const detail::rate_argument<Rate>& rate, double decay = 0, bool looks_ahead = false) {
    detail::set_rate(learning_rate, rate);
    detail::set_number(momentum, decay);
    nesterov.assign(looks_ahead);
  }

  /// velocity = momentum velocity - learning_rate gradient, which is added to the variable; with nesterov, what the next velocity would be
  /// for the same gradient. The gradients are those of jig::gradient(loss, nn::trainable_variables(model)).
  constexpr void apply_gradients(Model& model, const auto& gradients) {
    auto rate = learning_rate_at(learning_rate, iterations);
    iterations.assign_add(1);
    for_each_variable(
        [&](auto& x, const auto& g, auto& velocity) {
          velocity.assign(momentum * velocity - rate * g);
          x.assign_add(where(nesterov, momentum * velocity - rate * g, velocity.read()));
        },
        model, gradients, velocities);
  }
};

}  // namespace jig::nn
