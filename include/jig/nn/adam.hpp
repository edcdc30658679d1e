// SPDX-License-Identifier: MIT
#pragma once
// Adam. Source: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015, in the order of operations of Keras.

#include <jig/nn/optimizer.hpp>

namespace jig::nn {

/// Adam for a model, a variable or a structure of them, with Keras' names and defaults.
template <class Model>
struct adam {
  using value_type = typename first_element<Model>::type;
  BOOST_HANA_DEFINE_STRUCT(adam, (variable<value_type>, learning_rate), (variable<value_type>, beta_1), (variable<value_type>, beta_2),
                           (variable<value_type>, epsilon), (variable<value_type>, iterations), (Model, momentums), (Model, velocities));

  constexpr adam() {
    if (!std::is_constant_evaluated()) set(0.001, 0.9, 0.999, 1e-7);
  }
  explicit adam(double rate, double decay_1 = 0.9, double decay_2 = 0.999, double least = 1e-7) { set(rate, decay_1, decay_2, least); }

  /// One step. The gradients are those of jig::gradient(loss, model).
  constexpr void apply_gradients(Model& model, const auto& gradients) {
    iterations.assign_add(1);
    auto rate = learning_rate * sqrt(1 - pow(beta_2, iterations)) / (1 - pow(beta_1, iterations));
    auto rest_1 = 1 - beta_1, rest_2 = 1 - beta_2;
    for_each_variable(
        [&](auto& x, const auto& g, auto& m, auto& v) {
          m.assign_add((g - m) * rest_1);
          v.assign_add((square(g) - v) * rest_2);
          x.assign_sub(m * rate / (sqrt(v) + epsilon));
        },
        model, gradients, momentums, velocities);
  }

 private:
  void set(double rate, double decay_1, double decay_2, double least) {
    learning_rate.assign(static_cast<value_type>(rate));
    beta_1.assign(static_cast<value_type>(decay_1));
    beta_2.assign(static_cast<value_type>(decay_2));
    epsilon.assign(static_cast<value_type>(least));
  }
};

}  // namespace jig::nn
