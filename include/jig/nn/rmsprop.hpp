// SPDX-License-Identifier: MIT
#pragma once
// RMSprop. Source: Tieleman and Hinton, lecture 6.5 of Neural Networks for Machine Learning, 2012, in the order of operations of Keras.

#include <jig/nn/optimizer.hpp>

namespace jig::nn {

/// RMSprop for a model, a variable or a structure of them, with Keras' names and defaults: a learning rate of 0.001, which may be a
/// schedule, rho 0.9, no momentum; not centred.
template <class Model, class Rate = variable<weight_type<Model>>>
struct rmsprop {
  using value_type = weight_type<Model>;
  BOOST_HANA_DEFINE_STRUCT(rmsprop, (Rate, learning_rate), (variable<value_type>, rho), (variable<value_type>, momentum),
                           (variable<value_type>, epsilon), (variable<std::int64_t>, iterations), (slots_like<Model>, velocities),
                           (slots_like<Model>, momentums));

  constexpr rmsprop() {
    if (!std::is_constant_evaluated()) {
      if constexpr (is_variable<Rate>) detail::set_number(learning_rate, 0.001);
      set(0.9, 0, 1e-7);
    }
  }
  explicit rmsprop(const detail::rate_argument<Rate>& rate, double decay = 0.9, double kept = 0, double least = 1e-7) {
    detail::set_rate(learning_rate, rate);
    set(decay, kept, least);
  }

  /// One step. The gradients are those of jig::gradient(loss, nn::trainable_variables(model)).
  constexpr void apply_gradients(Model& model, const auto& gradients) {
    auto rate = learning_rate_at(learning_rate, iterations);
    iterations.assign_add(1);
    auto rest = 1 - rho;
    for_each_variable(
        [&](auto& x, const auto& g, auto& v, auto& m) {
          v.assign(rho * v + rest * square(g));
          m.assign(momentum * m + rate * g / sqrt(v + epsilon));
          x.assign_sub(m.read());
        },
        model, gradients, velocities, momentums);
  }

 private:
  void set(double decay, double kept, double least) {
    detail::set_number(rho, decay);
    detail::set_number(momentum, kept);
    detail::set_number(epsilon, least);
  }
};

}  // namespace jig::nn
