// SPDX-License-Identifier: MIT
#include <jig/nn/sgd.hpp>

#include <doctest/doctest.h>

namespace {

struct line {
  BOOST_HANA_DEFINE_STRUCT(line, (jig::variable<double, 2>, slope), (jig::variable<double>, offset));
};

constexpr auto step = jig::function<"step(model, optimizer, x)">([](auto& model, auto& optimizer, auto x) {
  auto loss = jig::square(jig::reduce_sum(model.slope * x) + model.offset - 1);
  optimizer.apply_gradients(model, jig::gradient(loss, model));
  return loss;
});

// The same by hand.
struct by_hand {
  double rate, momentum, w[2] = {}, b = 0, vw[2] = {}, vb = 0;
  bool nesterov = false;
  void step(const double (&x)[2]) {
    const double error = 2 * (w[0] * x[0] + w[1] * x[1] + b - 1);
    for (int i = 0; i < 2; ++i) {
      vw[i] = momentum * vw[i] - rate * error * x[i];
      w[i] += nesterov ? momentum * vw[i] - rate * error * x[i] : vw[i];
    }
    vb = momentum * vb - rate * error;
    b += nesterov ? momentum * vb - rate * error : vb;
  }
};

TEST_CASE("sgd: Keras' defaults, momentum, and Nesterov's") {
  jig::nn::sgd<line> plain, heavy(0.05, 0.9), nesterov(0.05, 0.9, true);
  CHECK(plain.learning_rate.value()() == 0.01);
  CHECK(plain.momentum.value()() == 0);
  for (auto* optimizer : {&plain, &heavy, &nesterov}) {
    line model;
    by_hand expected{optimizer->learning_rate.value()(), optimizer->momentum.value()()};
    expected.nesterov = optimizer == &nesterov;
    for (int i = 0; i < 20; ++i) {
      step(model, *optimizer, jig::tensor<double, 2>{0.5, -1});
      expected.step({0.5, -1});
      CHECK(model.slope.value()(1) == doctest::Approx(expected.w[1]).epsilon(1e-12));
      CHECK(model.offset.value()() == doctest::Approx(expected.b).epsilon(1e-12));
    }
  }
}

TEST_CASE("sgd: of one variable") {
  constexpr auto descend = jig::function<"f(x, optimizer)">(
      [](auto& x, auto& optimizer) { optimizer.apply_gradients(x, jig::gradient(jig::square(x.read()), x)); });
  jig::variable<float> x{1.0f};
  jig::nn::sgd<jig::variable<float>> optimizer(0.25);
  descend(x, optimizer);
  CHECK(x.value()() == 0.5f);
}

}  // namespace
