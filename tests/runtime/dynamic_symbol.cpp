// SPDX-License-Identifier: MIT
#include "../dynamic_trace.hpp"

#include <array>
#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::dyn;
using jig::spec;

constexpr spec<float, 3> vector{};
constexpr spec<float, 2, 3> matrix{};
constexpr spec<int> number{};
constexpr spec<bool> truth{};

}  // namespace

TEST_CASE("what a dynamic symbol knows about itself") {
  (void)traced_dynamically(
      [](auto x) {
        CHECK(x.dtype() == jig::dtype::float64);
        CHECK(x.rank() == 3);
        CHECK(x.shape() == jig::shape{3, {2, dyn, 5}});
        CHECK(x.extent(0) == 2);
        CHECK(x.extent(1) == dyn);
        CHECK(x.extent(-1) == 5);
        CHECK_THROWS_WITH_AS(x.extent(3), "extent: there is no axis 3: float64 (2, None, 5)", jig::invalid_argument);
        return x;
      },
      spec<double, 2, dyn, 5>());
}

TEST_CASE("operators and literals") {
  same_graph([](auto x, auto y) { return (x + y) * (x - y) / (x * 2 + 0.5); }, vector, matrix);
  same_graph([](auto a, auto b) { return a / b + a % b - -a; }, number, number);
  same_graph([](auto x) { return std::tuple(x < 1, x <= 1, x > 1, x >= 1, x == 1, x != 1); }, vector);
  same_graph([](auto a, auto b) { return (a && !b) || (a == true); }, truth, truth);
  same_graph([](auto a) { return (a & 3) | (a ^ 5) | ~a | (a << 2) | (a >> 1); }, number);
  same_graph([](auto x) { return x + jig::lit<2>; }, spec<double, dyn>());
  same_graph([](auto x) { return 1 + x * 3; }, spec<jig::half, 4>());
  same_graph([](auto x) { return x + std::array<float, 3>{1, 2, 3}; }, matrix);
  same_graph([](auto x) { return x * jig::tensor<float, 2, 1>{{1}, {2}}; }, matrix);
  same_graph([](auto c) { return jig::where(c, 1, 2.5); }, truth);
  same_graph([](auto x) { return jig::where(x > 0, x, 0); }, matrix);
}

TEST_CASE("elements that only run time knows become constants") {
  const std::vector<float> weights{1, 2, 3};
  const auto graph = jig::detail::dynamic_trace("", [&](auto x) { return x * weights; }, spec<float, 3>()).graph;
  CHECK(jig::to_text(graph) == jig::to_text(jig::graph_of([](auto x) { return x * std::array<float, 3>{1, 2, 3}; }, spec<float, 3>())));
}

TEST_CASE("elements may lie anywhere, and be strings") {
  const jig::tensor<float, 3, 2> columns{{1, 10}, {2, 20}, {3, 30}};
  const jig::view<const float, 2, 3> turned(columns.data(), jig::shape{2, {2, 3}}, jig::shape{2, {1, 2}});
  const auto graph = jig::detail::dynamic_trace("", [&](auto x) { return x + turned; }, matrix).graph;
  CHECK(jig::to_text(graph) ==
        jig::to_text(jig::graph_of([](auto x) { return x + jig::tensor<float, 2, 3>{{1, 2, 3}, {10, 20, 30}}; }, matrix)));

  const auto joined = jig::detail::dynamic_trace("", [](auto x) { return x + std::string("!"); }, spec<std::string, 2>()).graph;
  CHECK(joined.node(1).attribute("text").text == "!");
  CHECK(joined.node(2).op() == "AddV2");
  CHECK(refused_dynamically([](auto x) { return x + 1; }, spec<std::string>()) ==
        "AddV2: a literal of another kind cannot join a tensor of dtype string: use jig::cast, or write the literal as that kind");
}

TEST_CASE("assignment") {
  same_graph(
      [](auto x, auto n) {
        auto y = x;
        for (auto i : jig::range(n)) {
          y = y + x;
          if (i > 3) y = y * 2;
        }
        return y;
      },
      vector, number);
  same_graph(
      [](auto x) {
        auto y = jig::reduce_sum(x);
        y = 3;
        return y + x;
      },
      vector);
}

TEST_CASE("what does not fit throws what a static trace says") {
  CHECK(refused_dynamically([](auto x, auto y) { return jig::matmul(x, y); }, spec<float, 4, 3>(), spec<float, 5, 2>()) ==
        "MatMul: inner extents differ: float32 (4, 3) and float32 (5, 2)");
  CHECK(refused_dynamically([](auto x, auto y) { return x + y; }, vector, number) ==
        "AddV2: dtypes differ, convert one with jig::cast: float32 (3,) and int32 ()");
  CHECK(refused_dynamically([](auto x) { return x + 0.5; }, number) ==
        "AddV2: a literal of another kind cannot join a tensor of dtype int32: use jig::cast, or write the literal as that kind");
  CHECK(refused_dynamically([](auto x) { return x + 300; }, spec<std::int8_t>()) == "a literal does not fit the dtype of the tensor");
  CHECK(refused_dynamically([](auto x) { return x > 0 ? x : -x; }, vector) ==
        "a condition must be a scalar of dtype bool, given bool (3,): compare, or use jig::reduce_all or jig::reduce_any");
  CHECK(refused_dynamically(
            [](auto x, auto y) {
              x = y;
              return x;
            },
            vector, matrix) ==
        "a traced value of spec float32 (3,) cannot become one of spec float32 (2, 3): what a loop or branch changes keeps its dtype and "
        "shape");
  CHECK(refused_dynamically(
            [](auto x) {
              x = 1.5;
              return x;
            },
            number) ==
        "a traced value of spec int32 () cannot become one of spec float64 (): what a loop or branch changes keeps its dtype and shape");
}

TEST_CASE("a value belongs to one trace") {
  CHECK(refused_dynamically(
            [](auto x) {
              (void)traced_dynamically([&](auto y) { return x + y; }, spec<float, 3>());
              return x;
            },
            vector) == "a traced value is used in a trace that is not its own");
}
