// SPDX-License-Identifier: MIT
#include <jig/nn/adamw.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

using model = jig::variable<double, 3>;

constexpr auto step = jig::function<"step(w, optimizer, x, y)">([](auto& w, auto& optimizer, auto x, auto y) {
  auto loss = jig::reduce_sum(jig::square(w.read() * x - y));
  optimizer.apply_gradients(w, jig::gradient(loss, w));
  return loss;
});

TEST_CASE("adamw: by hand") {
  const jig::nn::adamw<model> defaults;
  CHECK((defaults.weight_decay.value()() == 0.004 && defaults.optimizer.learning_rate.value()() == 0.001));
  jig::nn::adamw<model> optimizer(0.1, 0.3, 0.8, 0.95, 1e-3);
  const double x[] = {1, 0.5, 2}, y[] = {0.5, 1, 1};
  model w(jig::tensor<double, 3>{1, -2, 0});
  double at[] = {1, -2, 0}, m[3] = {}, v[3] = {};
  int wrong = 0;
  for (int t = 1; t <= 20; ++t) {
    step(w, optimizer, jig::tensor<double, 3>{x[0], x[1], x[2]}, jig::tensor<double, 3>{y[0], y[1], y[2]});
    for (int i = 0; i < 3; ++i) {
      const double g = 2 * (at[i] * x[i] - y[i]) * x[i];
      at[i] -= at[i] * 0.3 * 0.1;
      m[i] += (g - m[i]) * 0.2;
      v[i] += (g * g - v[i]) * 0.05;
      at[i] -= 0.1 * std::sqrt(1 - std::pow(0.95, t)) / (1 - std::pow(0.8, t)) * m[i] / (std::sqrt(v[i]) + 1e-3);
      wrong += !(std::abs(w.value()(i) - at[i]) < 1e-12);
    }
  }
  CHECK(wrong == 0);
}

}  // namespace
