// SPDX-License-Identifier: MIT
#include <jig/nn/adam.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

constexpr auto step = jig::function<"step(w, optimizer, x, y)">([](auto& w, auto& optimizer, auto x, auto y) {
  auto loss = jig::reduce_sum(jig::square(w.read() * x - y));
  optimizer.apply_gradients(w, jig::gradient(loss, w));
  return loss;
});

using model = jig::variable<double>;

TEST_CASE("adam: two optimisers of one variable take turns as in TensorFlow's guide") {
  model w{2.0};
  jig::nn::adam<model> coarse(1e-2), fine;
  CHECK(fine.learning_rate.value()() == 0.001);
  const double expected[] = {1.9900000, 1.9890000, 1.9790007, 1.9780008, 1.9680028, 1.9670029, 1.9570066, 1.9560069, 1.9460128, 1.9450134};
  for (int i = 0; i < 10; ++i) {
    step(w, i % 2 ? fine : coarse, jig::tensor<double, 1>{-1}, jig::tensor<double, 1>{2});
    CHECK(w.value()() == doctest::Approx(expected[i]).epsilon(1e-6));
  }
  CHECK(fine.iterations.value()() == 5);
}

TEST_CASE("adam: by hand") {
  jig::variable<float, 3> w(jig::tensor<float, 3>{1, -2, 0});
  jig::nn::adam<jig::variable<float, 3>> optimizer(0.1, 0.8, 0.95, 1e-3);
  double at[] = {1, -2, 0}, m[3] = {}, v[3] = {};
  for (int t = 1; t <= 30; ++t) {
    step(w, optimizer, jig::tensor<float, 3>{1, 0.5f, 2}, jig::tensor<float, 3>{0.5f, 1, 1});
    const double x[] = {1, 0.5, 2}, y[] = {0.5, 1, 1};
    for (int i = 0; i < 3; ++i) {
      const double g = 2 * (at[i] * x[i] - y[i]) * x[i];
      m[i] = 0.8 * m[i] + 0.2 * g;
      v[i] = 0.95 * v[i] + 0.05 * g * g;
      at[i] -= 0.1 * std::sqrt(1 - std::pow(0.95, t)) / (1 - std::pow(0.8, t)) * m[i] / (std::sqrt(v[i]) + 1e-3);
      CHECK(w.value()(i) == doctest::Approx(at[i]).epsilon(1e-4));
    }
  }
}

}  // namespace
