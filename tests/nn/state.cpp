// SPDX-License-Identifier: MIT
#include <jig/nn/sgd.hpp>
#include <jig/nn/state.hpp>

#include <doctest/doctest.h>

namespace {

namespace nn = jig::nn;

struct counted {
  BOOST_HANA_DEFINE_STRUCT(counted, (nn::seed_generator, seeds), (jig::variable<double>, weight), (nn::state<double>, mean));

  constexpr auto operator()(const auto& x) {
    auto y = weight * x + jig::stop_gradient(jig::cast<double>(seeds.next()));
    mean.value.assign(0.5 * mean.value + 0.5 * y);
    return y + mean.value;
  }
};
using optimizer_t = nn::sgd<counted>;

constexpr auto step = jig::function<"step(model, optimizer, x)">([](auto& model, auto& optimizer, auto x) {
  auto y = model(x);
  auto gradients = jig::gradient(y, model);
  static_assert(jig::structure<decltype(gradients)>::size == 3);
  static_assert(std::is_same_v<jig::detail::part<decltype(gradients), 0>, std::tuple<>>);
  static_assert(std::is_same_v<jig::detail::part<decltype(gradients), 2>, std::tuple<>>);
  optimizer.apply_gradients(model, gradients);
  return y;
});

TEST_CASE("state: gradients and optimisers pass it by, calls change it") {
  static_assert(jig::is_trainable<jig::variable<float>> && !jig::is_trainable<nn::state<float, 3>> &&
                !jig::is_trainable<nn::seed_generator>);
  counted model;
  model.weight.assign(2.0);
  optimizer_t optimizer(0.1);
  double weight = 2, mean = 0;
  for (int i = 0; i < 5; ++i) {
    const double y = weight * 3 + i;
    mean = 0.5 * mean + 0.5 * y;
    CHECK(step(model, optimizer, 3.0)() == doctest::Approx(y + mean));
    weight -= 0.1 * (3 + 0.5 * 3);
    CHECK(model.weight.value()() == doctest::Approx(weight));
    CHECK(model.mean.value.value()() == doctest::Approx(mean));
    CHECK(model.seeds.counter.value()() == i + 1);
  }
}

TEST_CASE("state: names") {
  const auto found = jig::variables(counted());
  REQUIRE(found.size() == 3);
  CHECK(found[0].name() == std::string("seeds/counter"));
  CHECK(found[2].name() == std::string("mean/value"));
}

}  // namespace
