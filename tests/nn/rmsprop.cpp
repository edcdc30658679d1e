// SPDX-License-Identifier: MIT
#include <jig/nn/rmsprop.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

using model = jig::variable<double, 3>;

constexpr auto step = jig::function<"step(w, optimizer, x, y)">([](auto& w, auto& optimizer, auto x, auto y) {
  auto loss = jig::reduce_sum(jig::square(w.read() * x - y));
  optimizer.apply_gradients(w, jig::gradient(loss, w));
  return loss;
});

TEST_CASE("rmsprop: by hand, with and without momentum") {
  jig::nn::rmsprop<model> plain, other(0.05, 0.8, 0.5, 1e-3);
  CHECK((plain.learning_rate.value()() == 0.001 && plain.rho.value()() == 0.9 && plain.momentum.value()() == 0));
  for (auto* optimizer : {&plain, &other}) {
    const double rate = optimizer->learning_rate.value()(), rho = optimizer->rho.value()(), momentum = optimizer->momentum.value()();
    const double epsilon = optimizer->epsilon.value()(), x[] = {1, 0.5, 2}, y[] = {0.5, 1, 1};
    model w(jig::tensor<double, 3>{1, -2, 0});
    double at[] = {1, -2, 0}, v[3] = {}, m[3] = {};
    int wrong = 0;
    for (int t = 1; t <= 20; ++t) {
      step(w, *optimizer, jig::tensor<double, 3>{x[0], x[1], x[2]}, jig::tensor<double, 3>{y[0], y[1], y[2]});
      for (int i = 0; i < 3; ++i) {
        const double g = 2 * (at[i] * x[i] - y[i]) * x[i];
        v[i] = rho * v[i] + (1 - rho) * g * g;
        m[i] = momentum * m[i] + rate * g / std::sqrt(v[i] + epsilon);
        at[i] -= m[i];
        wrong += !(std::abs(w.value()(i) - at[i]) < 1e-12);
      }
    }
    CHECK(wrong == 0);
    CHECK(optimizer->iterations.value()() == 20);
  }
}

}  // namespace
