// SPDX-License-Identifier: MIT
#pragma once
// Adam with weight decay. Source: Loshchilov and Hutter, Decoupled Weight Decay Regularization, 2019, in the order of operations of Keras.

#include <jig/nn/adam.hpp>

namespace jig::nn {

/// Adam that takes a part of each weight away before a step: weight_decay of it, times the learning rate. Keras' names and defaults: a
/// learning rate of 0.001, which may be a schedule, and a weight decay of 0.004.
template <class Model, class Rate = variable<weight_type<Model>>>
struct adamw {
  using value_type = weight_type<Model>;
  using adam_type = adam<Model, Rate>;
  BOOST_HANA_DEFINE_STRUCT(adamw, (adam_type, optimizer), (variable<value_type>, weight_decay));

  constexpr adamw() {
    if (!std::is_constant_evaluated()) detail::set_number(weight_decay, 0.004);
  }
  explicit adamw(const detail::rate_argument<Rate>& rate, double decay = 0.004, double decay_1 = 0.9, double decay_2 = 0.999,
                 double least = 1e-7)
      : optimizer(rate, decay_1, decay_2, least) {
    detail::set_number(weight_decay, decay);
  }

  /// One step. The gradients are those of jig::gradient(loss, nn::trainable_variables(model)).
  constexpr void apply_gradients(Model& model, const auto& gradients) {
    auto part = weight_decay * learning_rate_at(optimizer.learning_rate, optimizer.iterations);
    for_each_variable([&](auto& x) { x.assign_sub(x * part); }, model);
    optimizer.apply_gradients(model, gradients);
  }
};

}  // namespace jig::nn
