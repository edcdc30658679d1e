// SPDX-License-Identifier: MIT
#include <jig/nn/clipping.hpp>
#include <jig/nn/sgd.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace {

struct model {
  BOOST_HANA_DEFINE_STRUCT(model, (jig::variable<double, 2>, a), (jig::variable<double>, b));
};

// The gradients are x and y.
constexpr auto step = jig::function<"step(model, optimizer, x, y)">(
    [](auto& m, auto& optimizer, auto x, auto y) { optimizer.apply_gradients(m, jig::gradient(jig::reduce_sum(m.a * x) + m.b * y, m)); });

template <class Optimizer>
std::array<double, 3> stepped(Optimizer optimizer, const jig::tensor<double, 2>& x, double y) {
  model m;
  step(m, optimizer, x, jig::tensor<double>(y));
  return {-m.a.value()(0), -m.a.value()(1), -m.b.value()()};
}
bool near(const std::array<double, 3>& x, const std::array<double, 3>& y) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!(std::abs(x[i] - y[i]) < 1e-12)) return false;
  return true;
}

TEST_CASE("clipping: by value, by the norm of each gradient, by that of all") {
  const jig::nn::sgd<model> sgd(1);
  using namespace jig::nn;
  CHECK(near(stepped(clipvalue(sgd, 2), {3, -4}, 12), {2, -2, 2}));
  CHECK(near(stepped(clipvalue(sgd, 20), {3, -4}, 12), {3, -4, 12}));
  CHECK(near(stepped(clipnorm(sgd, 1), {3, -4}, 0.5), {0.6, -0.8, 0.5}));
  CHECK(near(stepped(clipnorm(sgd, 5), {3, -4}, -6), {3, -4, -5}));
  CHECK(near(stepped(global_clipnorm(sgd, 1), {3, -4}, 12), {3 / 13.0, -4 / 13.0, 12 / 13.0}));
  CHECK(near(stepped(global_clipnorm(sgd, 13), {3, -4}, 12), {3, -4, 12}));
}

TEST_CASE("clipping: no gradient, and one that is not finite") {
  const jig::nn::sgd<model> sgd(1);
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(near(stepped(jig::nn::clipnorm(sgd, 1), {0, 0}, 0), {0, 0, 0}));
  CHECK(near(stepped(jig::nn::global_clipnorm(sgd, 1), {0, 0}, 0), {0, 0, 0}));
  CHECK(std::isnan(stepped(jig::nn::global_clipnorm(sgd, 1), {1, 1}, infinity)[0]));
  CHECK(stepped(jig::nn::clipvalue(sgd, 1), {1, infinity}, 0.5)[1] == 1);
}

}  // namespace
