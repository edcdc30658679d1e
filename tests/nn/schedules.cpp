// SPDX-License-Identifier: MIT
#include <jig/nn/schedules.hpp>
#include <jig/nn/sgd.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace {

constexpr auto rate = jig::function<"rate(schedule, step)">([](auto& schedule, auto step) { return schedule(step); });

// How many of the first steps have another rate than expected.
template <class Schedule, class Expected>
int wrong_rates(Schedule schedule, Expected expected) {
  int wrong = 0;
  for (std::int64_t step = 0; step < 40; ++step) {
    const double found = rate(schedule, jig::tensor<std::int64_t>(step));
    wrong += !(std::abs(found - expected(static_cast<double>(step))) < 1e-12);
  }
  return wrong;
}

TEST_CASE("schedules: Keras' formulas") {
  using jig::nn::exponential_decay;
  CHECK(wrong_rates(exponential_decay<double>(0.1, 7, 0.5), [](double s) { return 0.1 * std::pow(0.5, s / 7); }) == 0);
  CHECK(wrong_rates(exponential_decay<double>(0.1, 7, 0.5, true), [](double s) { return 0.1 * std::pow(0.5, std::floor(s / 7)); }) == 0);
  CHECK(wrong_rates(jig::nn::cosine_decay<double>(0.2, 30, 0.1), [](double s) {
          return 0.2 * (0.9 * 0.5 * (1 + std::cos(3.14159265358979323846 * std::min(s, 30.0) / 30)) + 0.1);
        }) == 0);
  CHECK(wrong_rates(jig::nn::piecewise_constant_decay<double, 2>({5, 20}, {1, 0.5, 0.25}), [](double s) {
          return s <= 5 ? 1 : s <= 20 ? 0.5 : 0.25;
        }) == 0);
}

TEST_CASE("schedules: an optimiser's rate follows from its steps") {
  using model = jig::variable<float>;
  using schedule = jig::nn::exponential_decay<float>;
  constexpr auto descend = jig::function<"descend(x, optimizer)">(
      [](auto& x, auto& optimizer) { optimizer.apply_gradients(x, jig::gradient(3 * x.read(), x)); });
  model x{0.0f};
  jig::nn::sgd<model, schedule> optimizer(schedule(1, 1, 0.5));
  float expected = 0;
  for (int step = 0; step < 5; ++step) {
    descend(x, optimizer);
    expected -= 3 * std::pow(0.5f, static_cast<float>(step));
    CHECK(x.value()() == doctest::Approx(expected));
  }
}

}  // namespace
