// SPDX-License-Identifier: MIT
#include <jig/graph/names.hpp>

#include <doctest/doctest.h>

#include <jig/ops/compare.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/trigonometric.hpp>
#include <jig/trace/trace.hpp>

#include <string>
#include <vector>

namespace {

using jig::edge;
using names = std::vector<std::string>;

template <jig::text Name, class F, class... Spec>
names names_of(F, Spec...) {
  return jig::node_names(jig::trace<F, Name, Spec...>::graph);
}

using number = jig::spec<float>;
constexpr jig::tensor_spec scalar{jig::dtype::float32, {}};

}  // namespace

TEST_CASE("operators are lower-case, functions are called as their op, arguments as their parameter") {
  CHECK(names_of<"double(a)">([](auto a) { return a + a; }, jig::spec<int>()) == names{"a", "add"});
  CHECK(names_of<"f(x, y)">([](auto x, auto y) { return jig::tanh(-x) - jig::maximum(x, y); }, number(), number()) ==
        names{"x", "y", "neg", "Tanh", "Maximum", "sub"});
  CHECK(names_of<"f">([](auto x, auto y) { return x * y; }, number(), number()) == names{"args_0", "args_1", "mul"});
}

TEST_CASE("equal names are numbered") {
  CHECK(names_of<"f(x)">([](auto x) { return x + x + x + x; }, number()) == names{"x", "add", "add_1", "add_2"});
}

TEST_CASE("names differ without regard to capitals") {
  CHECK(names_of<"f(Add)">([](auto x) { return x + x; }, number()) == names{"Add", "add_1"});
  CHECK(names_of<"f(tanh)">([](auto x) { return jig::tanh(x); }, number()) == names{"tanh", "Tanh_1"});
}

TEST_CASE("a number is skipped when a name has it already") {
  CHECK(names_of<"f(add_1)">([](auto x) { return x + x + x; }, number()) == names{"add_1", "add", "add_2"});
  CHECK(names_of<"f(x, x_1, x)">([](auto x, auto y, auto z) { return x + y + z; }, number(), number(), number()) ==
        names{"x", "x_1", "x_2", "add", "add_1"});
}

TEST_CASE("arguments keep their names also when other nodes come before them") {
  jig::builder b;
  edge c = b.literal<float>(1);
  b.graph.add(jig::ops::add, scalar, std::vector{c, c});
  b.input(scalar, "add");
  CHECK(jig::node_names(b.graph) == names{"add_1/x", "add_1", "add"});
}

TEST_CASE("parameters become valid names of nodes") {
  CHECK(names_of<"f(größe, 2nd, _)">([](auto x, auto y, auto z) { return x + y + z; }, number(), number(), number()) ==
        names{"gr____e", "arg_2nd", "arg__", "add", "add_1"});
  jig::builder b;
  b.input(scalar, "");
  CHECK(jig::node_names(b.graph) == names{"Placeholder"});
}

TEST_CASE("a literal is called after the node that uses it first") {
  CHECK(names_of<"f(x)">([](auto x) { return x > 0; }, number()) == names{"x", "Greater/y", "Greater"});
  CHECK(names_of<"f(x)">([](auto x) { return 1 - x * 2; }, number()) == names{"x", "mul/y", "mul", "sub/x", "sub"});
  CHECK(names_of<"f(x)">([](auto x) { return x + 1 + 2; }, number()) == names{"x", "add/y", "add", "add_1/y", "add_1"});

  SUBCASE("from the third operand on as a constant") {
    CHECK(names_of<"f(c)">([](auto c) { return jig::where(c, 1.0f, 0.0f); }, jig::spec<bool>()) ==
          names{"c", "SelectV2/y", "Const", "SelectV2"});
  }
  SUBCASE("used again later") {
    jig::builder b;
    edge x = b.input(scalar, "x");
    edge two = b.literal<float>(2);
    edge product = b.graph.add(jig::ops::multiply, scalar, std::vector{x, two});
    b.graph.add(jig::ops::subtract, scalar, std::vector{two, product});
    CHECK(jig::node_names(b.graph) == names{"x", "mul/y", "mul", "sub"});
  }
  SUBCASE("on both sides") {
    jig::builder b;
    edge two = b.literal<float>(2);
    b.graph.add(jig::ops::multiply, scalar, std::vector{two, two});
    CHECK(jig::node_names(b.graph) == names{"mul/x", "mul"});
  }
}

TEST_CASE("other constants are numbered") {
  jig::builder b;
  const float elements[] = {1, 2, 3};
  edge first = b.constant<float>({1, {3}}, elements);
  edge second = b.constant<float>({1, {3}}, elements);
  b.graph.add(jig::ops::add, {jig::dtype::float32, {1, {3}}}, std::vector{first, second});
  b.graph.output_edges.push_back(b.literal<float>(1));
  CHECK(jig::node_names(b.graph) == names{"Const", "Const_1", "add", "Const_2"});
}

TEST_CASE("an op without label is called as its type") {
  static constexpr jig::op custom{.name = "Custom", .label = ""};
  jig::builder b;
  b.graph.add(custom, scalar, {});
  CHECK(jig::node_names(b.graph) == names{"Custom"});
}

TEST_CASE("an empty graph has no names") { CHECK(jig::node_names(jig::graph()).empty()); }
