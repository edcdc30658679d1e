// SPDX-License-Identifier: MIT
#pragma once
// What optimisers share: they walk through the weights of a model, their gradients and slots of their own, and have a learning rate
// that is a variable or a schedule.

#include <jig/nn/trainable.hpp>

namespace jig::nn {

/// Calls f with each weight of a model and what stands at the same place in the others: gradients of the model or of its trainable
/// variables, slots.
template <class F, class Model, class... More>
constexpr void for_each_variable(const F& f, Model& model, More&... more) {
  if constexpr (!(is_refused<std::remove_const_t<More>> || ...)) {
    auto weights = trainable_variables(model);
    constexpr std::size_t count = std::tuple_size_v<decltype(weights)>;
    auto others = std::tuple(detail::tied_leaves<false>(more)...);
    static_assert(((std::tuple_size_v<decltype(detail::tied_leaves<false>(more))> == count) && ...),
                  "apply_gradients: expected a gradient for each weight: jig::gradient(loss, nn::trainable_variables(model))");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      auto at = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        std::apply([&](auto&... other) { f(std::get<K>(weights), std::get<K>(other)...); }, others);
      };
      (at(std::integral_constant<std::size_t, I>()), ...);
    }(std::make_index_sequence<count>());
  }
}

namespace detail {

// What a constructor takes for a learning rate: a number or a schedule.
template <class Rate>
using rate_argument = std::conditional_t<is_variable<Rate>, double, Rate>;

template <class T>
void set_number(variable<T>& x, double value) {
  x.assign(static_cast<T>(value));
}
template <class Rate>
void set_rate(Rate& rate, const rate_argument<Rate>& value) {
  if constexpr (is_variable<Rate>) set_number(rate, value);
  else rate = value;
}

}  // namespace detail

/// The learning rate of the step that follows so many others.
constexpr auto learning_rate_at(const auto& rate, const auto& iterations) {
  if constexpr (is_variable<std::remove_cvref_t<decltype(rate)>>) return rate.read();
  else return rate(iterations);
}

}  // namespace jig::nn
