// SPDX-License-Identifier: MIT
#pragma once
// Adam. Source: Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015, in the order of operations of Keras.

#include <jig/nn/optimizer.hpp>

namespace jig::nn {

/// Adam for a model, a variable or a structure of them, with Keras' names and defaults: a learning rate of 0.001, which may be a schedule.
template <class Model, class Rate = variable<weight_type<Model>>>
struct adam {
  using value_type = weight_type<Model>;
  BOOST_HANA_DEFINE_STRUCT(adam, (Rate, learning_rate), (variable<value_type>, beta_1), (variable<value_type>, beta_2),
                           (variable<value_type>, epsilon), (variable<std::int64_t>, iterations), (slots_like<Model>, momentums),
                           (slots_like<Model>, velocities));

  constexpr adam() {
    if (!std::is_constant_evaluated()) {
      if constexpr (is_variable<Rate>) detail::set_number(learning_rate, 0.001);
      set(0.9, 0.999, 1e-7);
    }
  }
  explicit adam(const detail::rate_argument<Rate>& rate, double decay_1 = 0.9, double decay_2 = 0.999, double least = 1e-7) {
    detail::set_rate(learning_rate, rate);
    set(decay_1, decay_2, least);
  }

  /// One step. The gradients are those of jig::gradient(loss, nn::trainable_variables(model)).
  constexpr void apply_gradients(Model& model, const auto& gradients) {
    auto given_rate = learning_rate_at(learning_rate, iterations);
    iterations.assign_add(1);
    auto step = cast<value_type>(iterations);
    auto rate = given_rate * sqrt(1 - pow(beta_2, step)) / (1 - pow(beta_1, step));
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
  void set(double decay_1, double decay_2, double least) {
    detail::set_number(beta_1, decay_1);
    detail::set_number(beta_2, decay_2);
    detail::set_number(epsilon, least);
  }
};

}  // namespace jig::nn
