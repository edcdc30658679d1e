// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

namespace {

constexpr auto told = jig::function<"told(x, step)">([](auto x, auto step) {
  jig::summary_scalar("loss", jig::reduce_sum(x), step);
  jig::summary_scalar("step", step, 3);
  return x;
});
constexpr auto& graph = told.get_concrete_function(jig::spec<float, 3>(), jig::spec<std::int64_t>()).optimized_graph();

TEST_CASE("A summary is a node that stays, with the tag as attribute and the value and the step as inputs") {
  static_assert(graph.count("WriteScalarSummary") == 2 && jig::verify(graph) == nullptr);
  int seen = 0;
  for (int id = 0; id < graph.size(); ++id) {
    const auto n = graph.node(id);
    if (n.op() != "WriteScalarSummary") continue;
    CHECK(n.attribute("tag").text == (seen == 0 ? "loss" : "step"));
    CHECK(graph.node(n.inputs()[0]).op() == (seen == 0 ? "Sum" : "Placeholder"));
    CHECK(graph.spec(n.inputs()[1]).dtype == (seen == 0 ? jig::dtype::int64 : jig::dtype::int32));
    ++seen;
  }
}

TEST_CASE("Run-time traces tell what does not fit") {
  const auto of = [](auto value, auto step) {
    return jig::dynamic_function([](auto x, auto n) {
      jig::summary_scalar("x", x, n);
      return x;
    })(jig::any_tensor(value), jig::any_tensor(step));
  };
  CHECK_NOTHROW(of(2.5f, 1));
  CHECK_THROWS_WITH_AS(of(jig::tensor<float, 2>(), 1),
                       "summary_scalar: expected a scalar number and a scalar integer, given float32 (2,) and int32 ()",
                       jig::invalid_argument);
  CHECK_THROWS_WITH_AS(of(2.5f, 1.5f), "summary_scalar: expected a scalar number and a scalar integer, given float32 () and float32 ()",
                       jig::invalid_argument);
}

}  // namespace
