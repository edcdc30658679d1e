// SPDX-License-Identifier: MIT
#include <jig/bound_function.hpp>

#include <jig.hpp>

#include <doctest/doctest.h>

#include <boost/hana.hpp>
#include <vector>

namespace {

struct linear {
  BOOST_HANA_DEFINE_STRUCT(linear, (jig::variable<float>, w), (jig::variable<float>, b));
  constexpr auto operator()(auto x) const { return x * w + b; }
};

constexpr auto predict = jig::function<"predict(model, x, times)">([](auto& model, auto x, auto times) { return model(x) * times; });

}  // namespace

TEST_CASE("bind: structs of variables, and variables, which calls see as they are then") {
  linear model;
  model.w.assign(2.0f);
  const auto bound = predict.get_concrete_function(model, jig::spec<float, jig::dyn>(), jig::spec<float>()).bind(model);
  CHECK(bound(std::vector<float>{1, 2}, 1.0f)(1) == 4);
  model.b.assign(10.0f);
  CHECK(bound(std::vector<float>{1, 2}, 1.0f)(1) == 14);
  std::vector<float> out(2);
  bound.into(out, std::vector<float>{1, 2}, 2.0f);
  CHECK(out == std::vector<float>{24, 28});
  CHECK(predict.experimental_get_tracing_count() == 1);

  constexpr auto count_up = jig::function<"count_up(count, by)">([](auto& count, auto by) {
    count.assign_add(by);
    return count.read();
  });
  jig::variable<int> count{5};
  const auto count_here = count_up.bind(count);
  CHECK(count_here(1)() == 6);
  CHECK(count_here(jig::arg<"by"> = 4)() == 10);
  CHECK(count.value()() == 10);
}

TEST_CASE("bind: literals and temporary values are kept") {
  constexpr auto power = jig::function<"power(n, x)">([](auto n, auto x) {
    auto y = x;
    for (int k = 1; k < n; ++k) y = y * x;
    return y;
  });
  constexpr auto cube = power.bind(jig::lit<3>);
  CHECK(cube(2)() == 8);
  CHECK(cube(std::vector<double>{1, 3})(1) == 27);
  constexpr auto shift = jig::function<"shift(by, x)">([](auto by, auto x) { return x + by; });
  const auto shifted = shift.bind(std::vector<int>{1, 2, 3});
  CHECK(shifted(10)(2) == 13);
  CHECK_THROWS_AS(shifted(std::vector<int>{1, 2}), jig::invalid_argument);
  // Nothing bound is the function itself.
  CHECK(shift.bind()(1, 2)() == 3);
}
