// SPDX-License-Identifier: MIT
#include <jig/nn/state.hpp>
#include <jig/nn/trainable.hpp>

#include <doctest/doctest.h>

namespace {

using moving = jig::nn::state<float>;
struct network {
  using pair_type = std::array<jig::variable<float>, 2>;
  BOOST_HANA_DEFINE_STRUCT(network, (moving, statistics), (jig::variable<int>, calls), (jig::variable<float, 3>, weights),
                           (pair_type, more));
};

constexpr auto slope = jig::function<"slope(model)">([](auto& model) {
  model.calls.assign_add(1);
  model.statistics.value.assign(5);
  auto loss = jig::reduce_sum(jig::square(model.weights.read())) + 3 * model.more[0] * model.more[1];
  return jig::gradient(loss, jig::nn::trainable_variables(model));
});

TEST_CASE("trainable_variables: floating ones, but for parts that are not trainable") {
  network model;
  using expected = std::tuple<jig::variable<float, 3>&, jig::variable<float>&, jig::variable<float>&>;
  static_assert(std::is_same_v<decltype(jig::nn::trainable_variables(model)), expected>);
  static_assert(
      std::is_same_v<jig::nn::slots_like<network>, std::tuple<jig::variable<float, 3>, jig::variable<float>, jig::variable<float>>>);
  static_assert(std::is_same_v<jig::nn::weight_type<network>, float>);
  model.weights.assign(jig::tensor<float, 3>{1, 2, 3});
  model.more[0].assign(4);
  model.more[1].assign(5);
  const auto [weights, first, second] = slope(model);
  CHECK((weights(0) == 2 && weights(1) == 4 && weights(2) == 6 && first() == 15 && second() == 12));
  CHECK(model.calls.value()() == 1);
  std::get<1>(jig::nn::trainable_variables(model)).assign(7);
  CHECK(model.more[0].value()() == 7);
}

TEST_CASE("trainable_variables: of one variable") {
  jig::variable<double, 2> x;
  static_assert(std::is_same_v<decltype(jig::nn::trainable_variables(x)), std::tuple<jig::variable<double, 2>&>>);
  jig::variable<int> n;
  static_assert(std::is_same_v<decltype(jig::nn::trainable_variables(n)), std::tuple<>>);
}

}  // namespace
