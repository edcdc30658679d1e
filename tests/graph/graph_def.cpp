// SPDX-License-Identifier: MIT
#include <jig/graph/graph_def.hpp>

#include <doctest/doctest.h>

#include <jig/ops/reduce.hpp>
#include <jig/trace/trace.hpp>

#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::edge;

template <jig::text Name, class F, class... Spec>
constexpr const jig::graph_view& graph_of(F, Spec...) {
  return jig::trace<F, Name, Spec...>::graph;
}

// `['a', 'a'] -> add`, as the guide prints the nodes of a GraphDef.
std::string lines(const jig::graph_def& def) {
  std::string out;
  for (const auto& n : def.nodes()) {
    out += '[';
    for (const auto& input : n.inputs()) out += (out.back() == '[' ? "'" : ", '") + input + '\'';
    out += "] -> " + n.name() + '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("the nodes of double, as in the guide") {
  constexpr auto& g = graph_of<"double(a)">([](auto a) { return a + a; }, jig::spec<int>());
  static_assert(g.as_graph_def().size() == 3);
  constexpr jig::graph_def def = g.as_graph_def();
  CHECK(lines(def) ==
        "[] -> a\n"
        "['a', 'a'] -> add\n"
        "['add'] -> Identity\n");
  CHECK(def.node(0).op() == "Placeholder");
  CHECK(def.node(1).op() == "AddV2");
  CHECK(def.node(1).name() == "add");
  CHECK(def.node(1).inputs() == std::vector<std::string>{"a", "a"});
  CHECK(def.node(2).op() == "Identity");
}

TEST_CASE("measure_graph_size, as in the guide: 3n + 2 nodes for n pairs of numbers") {
  // loss = 0, then loss += abs(y - x) for each pair: the difference of two numbers is a literal.
  constexpr auto train = [](int pairs) {
    constexpr jig::tensor_spec scalar{jig::dtype::int32, {}};
    jig::builder b;
    edge loss = b.literal<int>(0);
    for (int i = 0; i < pairs; ++i) {
      edge difference[] = {b.literal<int>(0)};
      edge sum[] = {loss, b.graph.add(jig::ops::abs, scalar, difference)};
      loss = b.graph.add(jig::ops::add, scalar, sum);
    }
    b.graph.output_edges.push_back(loss);
    return b.graph;
  };
  static_assert(train(3).view().as_graph_def().size() == 11);
  static_assert(train(10).view().as_graph_def().size() == 32);
  const jig::graph one = train(1);
  CHECK(lines(jig::as_graph_def(one)) ==
        "[] -> add/x\n"
        "[] -> Abs/x\n"
        "['Abs/x'] -> Abs\n"
        "['add/x', 'Abs'] -> add\n"
        "['add'] -> Identity\n");
}

TEST_CASE("every result passes through an Identity of its own") {
  constexpr auto& g = graph_of<"f(x)">([](auto x) { return std::tuple(x + 1, x, x); }, jig::spec<int>());
  static_assert(g.as_graph_def().size() == 6);
  CHECK(lines(g.as_graph_def()) ==
        "[] -> x\n"
        "[] -> add/y\n"
        "['x', 'add/y'] -> add\n"
        "['add'] -> Identity\n"
        "['x'] -> Identity_1\n"
        "['x'] -> Identity_2\n");
}

TEST_CASE("names of results do not collide with those of nodes") {
  constexpr auto& g = graph_of<"f(identity)">([](auto x) { return jig::identity(x); }, jig::spec<int>());
  CHECK(lines(g.as_graph_def()) ==
        "[] -> identity\n"
        "['identity'] -> Identity_1\n"
        "['Identity_1'] -> Identity_2\n");
}

TEST_CASE("outputs that are not the first are numbered") {
  static constexpr jig::op split{.name = "Split", .label = "split"};
  jig::builder b;
  edge x = b.input({}, "x");
  edge parts = b.graph.add(split, {}, std::vector{x});
  b.graph.add_output({});
  edge sum = b.graph.add(jig::ops::add, {}, std::vector{parts, edge{parts.node, 1}});
  b.graph.output_edges = {sum, {parts.node, 1}};
  CHECK(lines(jig::as_graph_def(b.graph)) ==
        "[] -> x\n"
        "['x'] -> split\n"
        "['split', 'split:1'] -> add\n"
        "['add'] -> Identity\n"
        "['split:1'] -> Identity_1\n");
}

TEST_CASE("an empty graph has no nodes") {
  CHECK(jig::graph_view().as_graph_def().size() == 0);
  CHECK(jig::graph_view().as_graph_def().nodes().empty());
}
