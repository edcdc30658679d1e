// SPDX-License-Identifier: MIT
#include <jig/passes/prune.hpp>

#include <doctest/doctest.h>

#include <jig/graph/text.hpp>
#include <jig/graph/verify.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/trigonometric.hpp>
#include <jig/trace/trace.hpp>

#include "../control_nodes.hpp"

#include <string>
#include <vector>

namespace {

using jig::dtype, jig::edge;

constexpr jig::op split{.name = "Split", .label = "split"};
constexpr jig::op print{.name = "Print", .label = "print", .facts = jig::fact::stateful};

template <class F, class... Spec>
constexpr const jig::graph_view& traced_graph(F, Spec...) {
  return jig::trace<F, "f(x, y)", Spec...>::graph;
}

template <class F, class... Spec>
std::string pruned_text(F f, Spec... specs) {
  auto g = jig::prune(traced_graph(f, specs...));
  jig::require_valid(g);
  return jig::to_text(g);
}

constexpr jig::spec<float, 3> s;

}  // namespace

TEST_CASE("what no result needs is left out, in constant evaluation too") {
  constexpr auto f = [](auto x, auto y) {
    auto unused = jig::tanh(x * 3) + y;
    auto sum = x + y;
    (void)(unused * sum);
    return sum * 2;
  };
  static_assert(traced_graph(f, s, s).size() == 10);
  static_assert(jig::prune(traced_graph(f, s, s)).size() == 5);
  static_assert(jig::prune(traced_graph(f, s, s)).count("Tanh") == 0);
  CHECK(jig::to_text(traced_graph(f, s, s)) ==
        "x = Placeholder() : float32 (3,)\n"
        "y = Placeholder() : float32 (3,)\n"
        "mul/y = Const() {value: 3.0} : float32 ()\n"
        "mul = Mul(x, mul/y) : float32 (3,)\n"
        "Tanh = Tanh(mul) : float32 (3,)\n"
        "add = AddV2(Tanh, y) : float32 (3,)\n"
        "add_1 = AddV2(x, y) : float32 (3,)\n"
        "mul_1 = Mul(add, add_1) : float32 (3,)\n"
        "mul_2/y = Const() {value: 2.0} : float32 ()\n"
        "mul_2 = Mul(add_1, mul_2/y) : float32 (3,)\n"
        "return mul_2\n");
  CHECK(pruned_text(f, s, s) ==
        "x = Placeholder() : float32 (3,)\n"
        "y = Placeholder() : float32 (3,)\n"
        "add = AddV2(x, y) : float32 (3,)\n"
        "mul/y = Const() {value: 2.0} : float32 ()\n"
        "mul = Mul(add, mul/y) : float32 (3,)\n"
        "return mul\n");
}

TEST_CASE("arguments stay, in order, though nobody uses them") {
  CHECK(pruned_text([](auto, auto y) { return y + y; }, s, s) ==
        "x = Placeholder() : float32 (3,)\n"
        "y = Placeholder() : float32 (3,)\n"
        "add = AddV2(y, y) : float32 (3,)\n"
        "return add\n");
  CHECK(pruned_text([](auto x, auto y) { return (void)(x + y), 5; }, s, s) ==
        "x = Placeholder() : float32 (3,)\n"
        "y = Placeholder() : float32 (3,)\n"
        "Const = Const() {value: 5} : int32 ()\n"
        "return Const\n");
  CHECK(pruned_text([](auto x, auto y) { return (void)(x + y), std::tuple(y, x, y); }, s, s) ==
        "x = Placeholder() : float32 (3,)\n"
        "y = Placeholder() : float32 (3,)\n"
        "return y, x, y\n");
}

TEST_CASE("arguments need not come first in the graph") {
  jig::builder b;
  edge two = b.literal<float>(2);
  b.literal<float>(3);
  edge y = b.input({dtype::float32, {1, {3}}}, "y");
  edge product = b.graph.add(jig::ops::multiply, {dtype::float32, {1, {3}}}, std::vector{two, y});
  edge x = b.input({dtype::float32, {}}, "x");
  b.graph.output_edges.push_back(product);
  // The order of the signature is not that of the nodes.
  b.graph.input_nodes[0] = x.node;
  b.graph.input_nodes[1] = y.node;
  auto g = jig::prune(b.graph);
  jig::require_valid(g);
  REQUIRE(g.size() == 4);
  CHECK(g.inputs()[0] == 3);
  CHECK(g.inputs()[1] == 1);
  CHECK(g.node(g.inputs()[0]).attribute("name").text == "x");
  CHECK(g.node(2).inputs()[1] == edge{1, 0});
  CHECK(g.outputs()[0] == edge{2, 0});
}

TEST_CASE("effects stay, with what they need, in program order") {
  jig::builder b;
  edge x = b.input({dtype::float32, {}}, "x");
  edge a = b.graph.add(jig::ops::add, {dtype::float32, {}}, std::vector{x, x});
  b.graph.add(print, {}, std::vector{a});
  edge unused = b.graph.add(jig::ops::multiply, {dtype::float32, {}}, std::vector{a, x});
  b.graph.add(jig::ops::multiply, {dtype::float32, {}}, std::vector{unused, x});
  b.graph.add(print, {}, std::vector{x});
  CHECK(jig::to_text(jig::prune(b.graph)) ==
        "x = Placeholder() : float32 ()\n"
        "add = AddV2(x, x) : float32 ()\n"
        "print = Print(add) : float32 ()\n"
        "print_1 = Print(x) : float32 ()\n"
        "return\n");
}

TEST_CASE("outputs that are not the first stay what they are") {
  jig::builder b;
  edge x = b.input({dtype::float32, {1, {5}}}, "x");
  b.literal<float>(1);
  edge parts = b.graph.add(split, {dtype::float32, {1, {2}}}, std::vector{x});
  b.graph.add_output({dtype::int32, {1, {3}}});
  b.graph.output_edges.push_back({parts.node, 1});
  CHECK(jig::to_text(jig::prune(b.graph)) ==
        "x = Placeholder() : float32 (5,)\n"
        "split = Split(x) : float32 (2,), int32 (3,)\n"
        "return split:1\n");
}

TEST_CASE("attributes and constants survive") {
  constexpr auto f = [](auto x) {
    (void)jig::reduce_max<0>(x);
    auto m = jig::reduce_sum<1>(x * jig::tensor<float, 2>{4, 5}, jig::keepdims);
    (void)(m + 1);
    return m;
  };
  CHECK(pruned_text(f, jig::spec<float, jig::dim<"n">, 2>()) ==
        "x = Placeholder() : float32 (n, 2)\n"
        "Const = Const() {value: [4.0, 5.0]} : float32 (2,)\n"
        "mul = Mul(x, Const) : float32 (n, 2)\n"
        "Sum = Sum(mul) {axes: [1], keep_dims: true} : float32 (n, 1)\n"
        "return Sum\n");
  static constexpr jig::tensor<float, 2, 2> eye{{1, 0}, {0, 1}};
  constexpr auto g = [](auto x) { return (void)(x + x), jig::matmul(x, eye, jig::transpose_b); };
  CHECK(jig::prune(traced_graph(g, jig::spec<float, 3, 2>())).node(2).attribute("transpose_b").values[0] == 1);
}

TEST_CASE("a pruned graph is pruned") {
  constexpr auto f = [](auto x, auto y) { return (void)(x * y), x + y; };
  auto once = jig::prune(traced_graph(f, s, s));
  auto twice = jig::prune(once);
  CHECK(jig::to_text(twice) == jig::to_text(once));
  CHECK(once.size() == 3);
  CHECK(jig::prune(jig::graph()).size() == 0);
}

TEST_CASE("a graph of 500 nodes is pruned within the compilers' limits") {
  constexpr auto f = [](auto x) {
    auto y = x, z = x;
    for (int i = 0; i < 250; ++i) {
      y = y * x;
      z = z + x;
    }
    return y;
  };
  static_assert(traced_graph(f, s).size() == 501);
  static_assert(jig::prune(traced_graph(f, s)).size() == 251);
}

TEST_CASE("results of a branch that nobody needs go, with what only they need") {
  constexpr auto f = [](auto x, auto y) {
    auto yes = [](auto a, auto b) { return std::tuple(a * b, a + a, b); };
    auto no = [](auto a, auto b) { return (void)(a + b), std::tuple(b, a, a); };
    using control_nodes::constant, control_nodes::if_node;
    return std::get<1>(if_node<decltype(s), decltype(s), decltype(s)>(constant(x, true), yes, no, x, y * 2));
  };
  static_assert(jig::prune(traced_graph(f, s, s)).count("Mul") == 0);
  CHECK(pruned_text(f, s, s) ==
        "x = Placeholder() : float32 (3,)\n"
        "y = Placeholder() : float32 (3,)\n"
        "cond/x = Const() {value: True} : bool ()\n"
        "cond = If(cond/x, x) : float32 (3,)\n"
        "  then_branch(x):\n"
        "    add = AddV2(x, x) : float32 (3,)\n"
        "    return add\n"
        "  else_branch(x):\n"
        "    return x\n"
        "return cond\n");
}

TEST_CASE("carried values stay that the condition or the next of a needed one reads") {
  constexpr auto f = [](auto x, auto y) {
    auto zero = control_nodes::constant(x, 0);
    auto trip = [](auto a, auto b, auto c, auto d, auto i, auto w) { return std::tuple(a + b, b * b, d, c + w, i + 1); };
    auto more = [](auto, auto, auto, auto, auto i, auto) { return i < 5; };
    return std::get<0>(control_nodes::while_node(std::tuple(x, y, x, y, zero), more, trip, jig::tanh(y)));
  };
  const std::string expected =
      "x = Placeholder() : float32 (3,)\n"
      "y = Placeholder() : float32 (3,)\n"
      "Const = Const() {value: 0} : int32 ()\n"
      "while = While(x, y, Const) : float32 (3,), float32 (3,), int32 ()\n"
      "  cond(x, y, Const):\n"
      "    Less/y = Const() {value: 5} : int32 ()\n"
      "    Less = Less(Const, Less/y) : bool ()\n"
      "    return Less\n"
      "  body(x, y, Const):\n"
      "    add = AddV2(x, y) : float32 (3,)\n"
      "    mul = Mul(y, y) : float32 (3,)\n"
      "    add_1/y = Const() {value: 1} : int32 ()\n"
      "    add_1 = AddV2(Const, add_1/y) : int32 ()\n"
      "    return add, mul, add_1\n"
      "return while\n";
  CHECK(pruned_text(f, s, s) == expected);
  CHECK(jig::to_text(jig::prune(jig::prune(traced_graph(f, s, s)))) == expected);
}

TEST_CASE("ports follow when results before them go, in nodes inside nodes too") {
  constexpr auto f = [](auto x, auto y) {
    using S = decltype(s);
    auto yes = [](auto a, auto b) {
      auto inner = control_nodes::if_node<S, S>(
          control_nodes::constant(a, true), [](auto c) { return std::tuple(c, c + c); }, [](auto c) { return std::tuple(c * c, c); }, b);
      return std::tuple(a, std::get<1>(inner));
    };
    auto no = [](auto a, auto b) { return std::tuple(b, a); };
    return std::get<1>(control_nodes::if_node<S, S>(control_nodes::constant(x, true), yes, no, x, y));
  };
  CHECK(pruned_text(f, s, s) ==
        "x = Placeholder() : float32 (3,)\n"
        "y = Placeholder() : float32 (3,)\n"
        "cond/x = Const() {value: True} : bool ()\n"
        "cond = If(cond/x, x, y) : float32 (3,)\n"
        "  then_branch(x, y):\n"
        "    cond/x = Const() {value: True} : bool ()\n"
        "    cond = If(cond/x, y) : float32 (3,)\n"
        "      then_branch(y):\n"
        "        add = AddV2(y, y) : float32 (3,)\n"
        "        return add\n"
        "      else_branch(y):\n"
        "        return y\n"
        "    return cond\n"
        "  else_branch(x, y):\n"
        "    return x\n"
        "return cond\n");
}

TEST_CASE("a node with bodies stays for its effects alone, and goes without them") {
  constexpr auto f = [](auto x, auto y) {
    auto yes = [](auto a, auto b) { return a.builder()->graph.add(print, {}, jig::list<edge>{a.place()}), a + b; };
    auto no = [](auto a, auto b) { return a * b; };
    control_nodes::if_node<decltype(s)>(control_nodes::constant(x, true), yes, no, x, y);
    control_nodes::if_node<decltype(s)>(control_nodes::constant(x, true), no, no, x, y);
    return x;
  };
  CHECK(pruned_text(f, s, s) ==
        "x = Placeholder() : float32 (3,)\n"
        "y = Placeholder() : float32 (3,)\n"
        "cond/x = Const() {value: True} : bool ()\n"
        "cond = If(cond/x, x) {effects_only: true} : float32 (3,)\n"
        "  then_branch(x):\n"
        "    print = Print(x) : float32 ()\n"
        "    return\n"
        "  else_branch(x):\n"
        "    return\n"
        "return x\n");
}
