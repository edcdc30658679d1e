// SPDX-License-Identifier: MIT
#pragma once
// Learning rates that follow from the number of steps before, inside the graph, with Keras' names.

#include <boost/hana.hpp>
#include <jig.hpp>

#include <array>
#include <numbers>

namespace jig::nn {

/// initial_learning_rate decay_rate^(step / decay_steps); a staircase has whole powers only.
template <class T>
struct exponential_decay {
  BOOST_HANA_DEFINE_STRUCT(exponential_decay, (variable<T>, initial_learning_rate), (variable<T>, decay_steps), (variable<T>, decay_rate),
                           (variable<bool>, staircase));

  constexpr exponential_decay() {}
  exponential_decay(double initial, double steps, double rate, bool whole = false)
      : initial_learning_rate(static_cast<T>(initial)),
        decay_steps(static_cast<T>(steps)),
        decay_rate(static_cast<T>(rate)),
        staircase(whole) {}

  constexpr auto operator()(const auto& step) const {
    auto power = cast<T>(step) / decay_steps;
    return initial_learning_rate * pow(decay_rate, where(staircase, floor(power), power));
  }
};

/// Half a wave of the cosine from initial_learning_rate to alpha of it in decay_steps, where it stays.
/// Source: Loshchilov and Hutter, SGDR: Stochastic Gradient Descent with Warm Restarts, 2017.
template <class T>
struct cosine_decay {
  BOOST_HANA_DEFINE_STRUCT(cosine_decay, (variable<T>, initial_learning_rate), (variable<T>, decay_steps), (variable<T>, alpha));

  constexpr cosine_decay() {}
  cosine_decay(double initial, double steps, double least = 0)
      : initial_learning_rate(static_cast<T>(initial)), decay_steps(static_cast<T>(steps)), alpha(static_cast<T>(least)) {}

  constexpr auto operator()(const auto& step) const {
    auto part = minimum(cast<T>(step), decay_steps) / decay_steps;
    auto wave = (cos(part * std::numbers::pi_v<T>) + 1) * static_cast<T>(0.5);
    return initial_learning_rate * ((1 - alpha) * wave + alpha);
  }
};

/// values[0] up to and with step boundaries[0], values[1] up to and with step boundaries[1], and so on.
template <class T, index Boundaries>
struct piecewise_constant_decay {
  using steps_type = variable<std::int64_t, Boundaries>;
  using values_type = variable<T, Boundaries + 1>;
  BOOST_HANA_DEFINE_STRUCT(piecewise_constant_decay, (steps_type, boundaries), (values_type, values));

  constexpr piecewise_constant_decay() {}
  piecewise_constant_decay(const std::array<std::int64_t, static_cast<std::size_t>(Boundaries)>& steps,
                           const std::array<T, static_cast<std::size_t>(Boundaries) + 1>& rates)
      : boundaries(steps), values(rates) {}

  constexpr auto operator()(const auto& step) const {
    return gather<0>(values, reduce_sum(cast<std::int64_t>(cast<std::int64_t>(step) > boundaries)));
  }
};

}  // namespace jig::nn
