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
        CHECK_THROWS_WITH_AS(x.extent(3), "extent: there is no such axis", jig::invalid_argument);
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

TEST_CASE("assignments to elements and parts") {
  same_graph(
      [](auto x, auto i) {
        x[i] = 1;
        x[0] = x[jig::lit<-1>];
        return x;
      },
      vector, number);
  const auto parts = [](auto a, auto i, auto j) {
    a(i, j) = 2;
    a[1][j] = 3;
    a(jig::all, j) = a(jig::lit<0>, jig::all)[1];
    return a;
  };
  same_graph(parts, matrix, number, number);
  same_graph(parts, spec<float, jig::dim<"n">, dyn>(), number, number);
  same_graph(parts, matrix, number, spec<std::int64_t>());
  same_graph(
      [](auto x, auto y) {
        x += y;
        x[1] -= 1;
        auto part = x[2];
        part = 9;
        return x;
      },
      spec<float, dyn>(), vector);
  CHECK(refused_dynamically([](auto x, auto y) { return x[0] = y; }, vector, spec<double>()) ==
        "an element or part of spec float32 () cannot take a value of spec float64 (): dtypes differ, convert one with jig::cast");
  CHECK(refused_dynamically([](auto x, auto y) { return x[0] = y; }, matrix, spec<float, 2>()) ==
        "an element or part of spec float32 (3,) cannot take a value of spec float32 (2,)");
  CHECK(refused_dynamically([](auto x) { return (x + 1)[0] = 1; }, vector) ==
        "an assignment to a temporary value is lost: assign to an element of a named value, or to the value itself");
  const std::string positions = "x(i, j): positions are integers of rank 0, numbers or jig::all, one for each axis";
  CHECK(refused_dynamically([](auto x) { return x(0, 1); }, vector) == positions);
  CHECK(refused_dynamically([](auto x, auto i) { return x(i, 1); }, matrix, vector) == positions);
  CHECK(refused_dynamically([](auto x) { return x(jig::all, jig::lit<3>); }, matrix).starts_with("StridedSlice: "));
}

TEST_CASE("elements of run-time tensors and variables") {
  constexpr auto f = jig::function([](auto a, auto i, auto j) {
    a(i, j) = 100;
    a(jig::all, j) += 1;
    a[0] *= 2;
    for (auto k : jig::range(jig::extent<0>(a))) a(k, k) = a(k, k) - 1;
    return a;
  });
  constexpr auto g = jig::function([](auto& w, auto i) {
    w[i] += 1;
    w *= 2;
    w(0) = 5;
  });
  const jig::any_tensor a = jig::tensor<float, 2, 2>{{1, 2}, {3, 4}}, one = 1;
  const auto found = f(a, one, 0).as<float, 2, 2>();
  CHECK(std::vector<float>(found.begin(), found.end()) == std::vector<float>{3, 4, 101, 3});
  const auto eager = f.eager(a, one, 0).as<float, 2, 2>();
  CHECK(std::vector<float>(eager.begin(), eager.end()) == std::vector<float>{3, 4, 101, 3});
  jig::variable<float, dyn> w{1, 2, 3};
  g(w, one);
  CHECK(std::vector<float>(w.value().begin(), w.value().end()) == std::vector<float>{5, 6, 6});
  CHECK_THROWS_AS(f(a, one, 2), jig::invalid_argument);
  CHECK_THROWS_WITH_AS(jig::function([](auto copy, auto i) { copy[i] = 1; })(w, one),
                       "an assignment to a copy of a variable is lost: take the variable by reference", jig::invalid_argument);
}
