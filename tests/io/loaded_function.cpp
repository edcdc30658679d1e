// SPDX-License-Identifier: MIT
#include <jig/io/loaded_function.hpp>

#include "models.hpp"

#include <doctest/doctest.h>

#include <boost/hana.hpp>

TEST_CASE("a loaded function is called by position, by name and in traces, and differentiated") {
  const auto all = models();
  const jig::loaded_function dense(all[0].graph), step(all[5].graph);
  const jig::tensor<float, 2, 3> x{{1, 2, 3}, {-1, 0, 2}};
  const jig::any_tensor y = dense(x);
  // Against a plain loop.
  const float w[3][2] = {{0.5f, -1}, {0.25f, 2}, {-0.75f, 0.125f}}, b[2] = {0.1f, -0.2f};
  for (jig::index i = 0; i < 2; ++i)
    for (jig::index j = 0; j < 2; ++j) {
      float sum = b[j];
      for (jig::index k = 0; k < 3; ++k) sum += x(i, k) * w[k][j];
      CHECK(y.as<float>()(i, j) == doctest::Approx(std::tanh(sum)));
    }
  CHECK(differing(dense({{"x", x}}), y) == 0);
  CHECK(dense(x).size() == 1);
  CHECK(dense(x).as<float>()(0, 1) == y.as<float>()(0, 1));
  CHECK(dense.pretty_printed_signature() ==
        "dense(x)\n  Args:\n    x: float32 Tensor, shape=(None, 3)\n  Returns:\n    float32 Tensor, shape=(None, 2)\n");
  CHECK(to_text(dense) == jig::to_text(all[0].graph.graph.view()));

  const auto both = step(all[5].arguments[0], all[5].arguments[1]);
  CHECK(both.size() == 2);
  CHECK(both["output_1"].rank() == 0);
  CHECK_THROWS_WITH(both[2], "step: there is no result 2");
  CHECK_THROWS_WITH(both["loss"], "step: there is no result loss");
  CHECK_THROWS_WITH(both.value(), "step has 2 results: take one by [number] or [name]");

  // In a trace its nodes are nodes of that: no others, and gradients go through.
  auto sum = jig::dynamic_function("f(x)", [&](auto v) {
    auto s = jig::reduce_sum(dense(v).value());
    return std::make_tuple(s, jig::gradient(s, v));
  });
  const auto [s, gradient] = sum(jig::any_tensor(x));
  CHECK(s.template as<float>()() == doctest::Approx(y.as<float>()(0, 0) + y.as<float>()(0, 1) + y.as<float>()(1, 0) + y.as<float>()(1, 1)));
  for (jig::index k = 0; k < 3; ++k) {
    float expected = 0;
    for (jig::index j = 0; j < 2; ++j) expected += (1 - y.as<float>()(1, j) * y.as<float>()(1, j)) * w[k][j];
    CHECK(gradient.template as<float>()(1, k) == doctest::Approx(expected));
  }
  auto named = jig::dynamic_function("g(x)", [&](auto v) { return dense({{"x", v * 1.0f}})[0]; });
  CHECK(differing(named(jig::any_tensor(x)), y) == 0);
}

TEST_CASE("functions that are traced at run time are called by name, and their variables are arguments") {
  const auto f =
      jig::traced_function("f(a, b)", [](auto a, auto b) { return std::make_tuple(a - b, a * b); }, jig::spec<float>(), jig::spec<float>());
  const auto results = f({{"b", 2.0f}, {"a", 5.0f}});
  CHECK(results["output_0"].as<float>()() == 3);
  CHECK(results["output_1"].as<float>()() == 10);
  CHECK_THROWS_WITH(f({{"a", 5.0f}, {"c", 2.0f}}), "f: there is no argument c");

  jig::variable<float> v{4};
  const auto step = jig::traced_function("step(x, v)", [](auto x, auto& u) { u.assign_add(x); }, jig::spec<float>(), v);
  CHECK(step.input_names() == std::vector<std::string>{"x", "v"});
  REQUIRE(step.model().variables.size() == 1);
  CHECK(step.model().variables[0].input == 1);
  CHECK(step.model().variables[0].output == 0);
  CHECK(step(1.0f, 4.0f).as<float>()() == 5);
  CHECK(step.variables().empty());
  CHECK(v.value() == 4);
  CHECK(step.signatures() == std::vector<std::string>{"serving_default"});
}

namespace {

struct counted_scale {
  BOOST_HANA_DEFINE_STRUCT(counted_scale, (jig::variable<float, 2>, scale), (jig::variable<int>, calls));
  constexpr auto operator()(const auto& x) const { return x * scale; }
};

}  // namespace

TEST_CASE("functions that are traced at run time take structs of variables, whose members are named") {
  counted_scale model;
  model.scale.assign(jig::tensor<float, 2>{2, 3});
  const auto step = jig::traced_function(
      "step(model, x)",
      [](auto& m, auto x) {
        m.calls.assign_add(1);
        return m(x);
      },
      model, jig::spec<float, 2>());
  CHECK(step.input_names() == std::vector<std::string>{"model_scale", "model_calls", "x"});
  const auto results = step(model.scale.value(), 4, jig::tensor<float, 2>{10, 100});
  CHECK(results[0].as<float>()(1) == 300);
  CHECK(results[1].as<int>()() == 5);
  const auto with_values = jig::with_variables(step, model);
  CHECK(with_values.variables().size() == 2);
}

TEST_CASE("arguments that do not fit are refused in a sentence") {
  const auto all = models();
  const jig::loaded_function dense(all[0].graph);
  const jig::tensor<float, 2, 3> x;
  CHECK_THROWS_WITH(dense(), "dense: expected 1 argument, given 0");
  CHECK_THROWS_WITH(dense(x, x), "dense: expected 1 argument, given 2");
  CHECK_THROWS_WITH(dense(jig::tensor<float, 2, 4>()), "dense: argument x: expected float32 (None, 3), given float32 (2, 4)");
  CHECK_THROWS_WITH(dense(jig::tensor<double, 2, 3>()), "dense: argument x: expected float32 (None, 3), given float64 (2, 3)");
  CHECK_THROWS_WITH(dense({{"y", x}}), "dense: there is no argument y");
  CHECK_THROWS_WITH(dense({{"x", x}, {"x", x}}), "dense: the argument x is given twice");
  const jig::loaded_function step(all[5].graph);
  CHECK_THROWS_WITH(step({{"x", x}}), "step: the argument w is missing");

  jig::named_graph broken = all[0].graph;
  broken.outputs.clear();
  CHECK_THROWS_AS(std::make_shared<jig::loaded_function>(broken), jig::error);
  broken = all[0].graph;
  broken.graph.output_edges[0].node = 1000;
  CHECK_THROWS_AS(std::make_shared<jig::loaded_function>(broken), jig::error);

  const auto same = traced_model(
      "same(a, b)", [](auto a, auto c) { return a + c; }, jig::spec<float, jig::dim<"n">>(), jig::spec<float, jig::dim<"n">>());
  const jig::loaded_function f(same);
  CHECK_THROWS_WITH(f(jig::tensor<float, 2>(), jig::tensor<float, 3>()), doctest::Contains("the extent n is another one before"));
  CHECK(f(jig::tensor<float, 2>{1, 2}, jig::tensor<float, 2>{3, 4}).as<float>()(1) == 6);
}
