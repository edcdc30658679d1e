// SPDX-License-Identifier: MIT
#pragma once
// Gradient descent.

#include <jig/nn/optimizer.hpp>

namespace jig::nn {

/// Gradient descent with momentum for a model, a variable or a structure of them, with Keras' names and defaults: a learning rate
/// of 0.01 and no momentum.
template <class Model>
struct sgd {
  using value_type = typename first_element<Model>::type;
  BOOST_HANA_DEFINE_STRUCT(sgd, (variable<value_type>, learning_rate), (variable<value_type>, momentum), (Model, velocities));

  constexpr sgd() {
    if (!std::is_constant_evaluated()) set(0.01, 0);
  }
  explicit sgd(double rate, double decay = 0) { set(rate, decay); }

  /// velocity = momentum velocity - learning_rate gradient, which is added to the variable. The gradients are those of
  /// jig::gradient(loss, model).
  constexpr void apply_gradients(Model& model, const auto& gradients) {
    for_each_variable(
        [&](auto& x, const auto& g, auto& velocity) {
          velocity.assign(momentum * velocity - learning_rate * g);
          x.assign_add(velocity);
        },
        model, gradients, velocities);
  }

 private:
  void set(double rate, double decay) {
    learning_rate.assign(static_cast<value_type>(rate));
    momentum.assign(static_cast<value_type>(decay));
  }
};

}  // namespace jig::nn
