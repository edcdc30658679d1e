// SPDX-License-Identifier: MIT
#include <jig/runtime/dynamic_function.hpp>

#include "../counting.hpp"

#include <jig.hpp>

#include <doctest/doctest.h>

#include <vector>

// Options of such functions: tests/trace/options.cpp.

namespace {

using jig::any_tensor;

}  // namespace

TEST_CASE("a dynamic function may capture: what it captures is a constant of the trace") {
  float scale = 3;
  const jig::tensor<float, 2> shift{10, 20};
  auto f = jig::dynamic_function("scaled(x)", [scale, shift](auto x) { return x * scale + shift; });
  CHECK(f(any_tensor(jig::tensor<float, 2>{1, 2})).as<float>()(1) == 26);
  CHECK(f.experimental_get_tracing_count() == 1);
  CHECK(f.pretty_printed_concrete_signatures(true) ==
        "Input Parameters:\n  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(2,), dtype=tf.float32, name=None)\n"
        "Output Type:\n  TensorSpec(shape=(2,), dtype=tf.float32, name=None)\nCaptures:\n  None\n");
}

TEST_CASE("relax_shapes generalises what changes: the second shape makes a wildcard, the third needs no trace") {
  auto f = jig::dynamic_function("f(x)", [](auto x) { return x * x; }).relax_shapes();
  for (jig::index n : {3, 5, 7, 0, 1}) {
    const any_tensor y = f(counting(n));
    REQUIRE(y.shape() == jig::shape{1, {n}});
    for (jig::index i = 0; i < n; ++i) CHECK(y.as<float>()(i) == static_cast<float>(i * i));
  }
  CHECK(f.experimental_get_tracing_count() == 2);
  f(any_tensor(jig::ones<double, 3>()));  // another dtype never generalises
  f(any_tensor(jig::ones<float, 3, 2>()));
  CHECK(f.experimental_get_tracing_count() == 4);
}

TEST_CASE("copies share the signatures, whatever their options") {
  int factor = 2;
  const auto f = jig::dynamic_function("f(x)", [&](auto x) { return x * factor; });
  const auto same = f;
  const auto relaxed = f.relax_shapes();
  CHECK(f(any_tensor(3)).as<int>()() == 6);
  factor = 5;  // a constant of the trace that is there
  CHECK(same(any_tensor(3)).as<int>()() == 6);
  CHECK(relaxed(any_tensor(3)).as<int>()() == 6);
  CHECK(f.without_passes()(any_tensor(3)).as<int>()() == 15);
  CHECK(f.run_eagerly()(any_tensor(3)).as<int>()() == 15);
  CHECK(f.experimental_get_tracing_count() == 2);
  CHECK_THROWS_AS(f.max_traces<1>()(any_tensor(3)), jig::invalid_argument);
  CHECK(f.max_traces<2>()(any_tensor(3)).as<int>()() == 6);
}

TEST_CASE("into copies the result") {
  const auto f = jig::dynamic_function("f(x)", [](auto x) { return x + 1; });
  std::vector<float> out(3);
  f.into(out, counting(3));
  CHECK(out == std::vector<float>{1, 2, 3});
}

TEST_CASE("gradients of a function that captures, with its options") {
  const double factor = 2;
  const auto f = jig::dynamic_function("f(x, y)", [&factor](auto x, auto y) { return jig::reduce_sum(x * x * x * y) * factor; });
  const any_tensor x(std::vector<double>{2, 3}), y(std::vector<double>{1, 10});
  const jig::tensor<double, jig::dyn> by_x(jig::grad(f)(x, y)), by_y(jig::grad<1>(f)(x, y));
  CHECK((by_x(0) == 24 && by_x(1) == 540));
  CHECK((by_y(0) == 16 && by_y(1) == 54));
  const auto both = jig::value_and_grad<0, 1>(f);
  const auto [value, gradients] = both(x, y);
  CHECK(jig::tensor<double>(value)() == 2 * (8 + 270));
  CHECK(jig::tensor<double, jig::dyn>(std::get<0>(gradients))(1) == 540);
  CHECK(jig::tensor<double, jig::dyn>(std::get<1>(gradients))(1) == 54);
  CHECK(both.pretty_printed_concrete_signatures().find("value_and_grad_f(x, y)") == 0);
  CHECK(f.experimental_get_tracing_count() == 0);
  CHECK_THROWS_AS(jig::grad(f.max_traces<1>())(any_tensor(1), any_tensor(2)), jig::invalid_argument);
  const auto seconds = jig::grad(jig::grad<0>(jig::dynamic_function("g(x)", [&](auto z) { return jig::reduce_sum(z * z * z) * factor; })));
  CHECK(jig::tensor<double, jig::dyn>(seconds(x))(1) == 36);
  const jig::tensor<double, jig::dyn> eager(jig::grad(f.run_eagerly())(x, y));
  CHECK(eager(1) == 540);
}
