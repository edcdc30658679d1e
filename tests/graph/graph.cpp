// SPDX-License-Identifier: MIT
#include <jig/graph/graph.hpp>

#include <doctest/doctest.h>

#include <jig/ops/compare.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/ops/trigonometric.hpp>
#include <jig/trace/trace.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace {

using jig::dtype, jig::edge, jig::fact;

constexpr jig::op source{.name = "Source", .label = "source", .facts = fact::input};
constexpr jig::op split{.name = "Split", .label = "split"};
constexpr jig::op join{.name = "Join", .label = "join", .flops = [](const jig::rule_context& c) {
                         return 10 * static_cast<jig::index>(c.inputs.size()) + c.integer("extra");
                       }};

constexpr jig::tensor_spec vector_of(jig::index n, dtype d = dtype::float32) { return {d, {1, {n}}}; }

// x = 0, split = 1 with three outputs, join = 2 of the last and the first
constexpr jig::graph three_nodes() {
  jig::graph g;
  edge x = g.add(source, vector_of(6), {});
  g.input_nodes.push_back(x.node);
  edge inputs[] = {x};
  edge parts = g.add(split, vector_of(1), inputs);
  g.add_output(vector_of(2));
  g.add_output(vector_of(3, dtype::int32));
  edge both[] = {{parts.node, 2}, parts};
  const jig::index extra[] = {5};
  const std::uint64_t words[] = {7, 8};
  const jig::attribute_view with[] = {{"extra", jig::attribute_kind::integer, extra, {}, {}},
                                      {"note", jig::attribute_kind::text, {}, "abc", {}},
                                      {"value", jig::attribute_kind::words, {}, {}, words}};
  g.output_edges.push_back(g.add(join, vector_of(4), both, with));
  g.output_edges.push_back({parts.node, 1});
  return g;
}

template <class F, class... Spec>
constexpr const jig::graph_view& traced_graph(F, Spec...) {
  return jig::trace<F, "f(x, y)", Spec...>::graph;
}

template <class T, class U>
bool same_items(const T& a, const U& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

}  // namespace

TEST_CASE("graphs are built in constant evaluation and at run time") {
  static_assert(three_nodes().size() == 3);
  static_assert(three_nodes().node(2).op() == "Join");
  static_assert(three_nodes().count("Split") == 1);
  auto g = three_nodes();
  CHECK(g.size() == 3);
  CHECK(g.node(0).op() == "Source");
  CHECK(&g.node(1).kind() == &split);
  CHECK(g.node(1).id() == 1);
  CHECK(same_items(g.inputs(), std::vector{0}));
  CHECK(same_items(g.outputs(), std::vector{edge{2, 0}, edge{1, 1}}));
  CHECK(g.node(g.outputs()[1]).op() == "Split");
}

TEST_CASE("an empty graph") {
  static_assert(jig::graph_view().size() == 0);
  static_assert(jig::graph().depth() == 0);
  jig::graph g;
  CHECK(g.size() == 0);
  CHECK(g.inputs().empty());
  CHECK(g.outputs().empty());
  CHECK(g.count("AddV2") == 0);
  CHECK(g.flops() == 0);
  CHECK(g.bytes() == 0);
}

TEST_CASE("nodes know their inputs, outputs and specs") {
  auto g = three_nodes();
  CHECK(g.node(0).inputs().empty());
  CHECK(same_items(g.node(1).inputs(), std::vector{edge{0, 0}}));
  CHECK(same_items(g.node(2).inputs(), std::vector{edge{1, 2}, edge{1, 0}}));
  CHECK(same_items(g.view().inputs_of(2), g.node(2).inputs()));
  CHECK(g.node(0).outputs() == 1);
  auto n = g.node(1);
  CHECK(n.outputs() == 3);
  CHECK(n.spec() == vector_of(1));
  CHECK(n.spec(1) == vector_of(2));
  CHECK(n.spec(2) == vector_of(3, dtype::int32));
  CHECK(n.dtype(2) == dtype::int32);
  CHECK(n.shape(1) == jig::shape{1, {2}});
  for (int port = 0; port < 3; ++port) CHECK(g.view().spec({1, port}) == n.spec(port));
  CHECK(g.view().spec({2, 0}) == vector_of(4));
}

TEST_CASE("nodes of several outputs do not disturb each other") {
  jig::graph g;
  for (int i = 0; i < 5; ++i) {
    g.add(split, vector_of(10 * i), {});
    for (int port = 1; port <= i; ++port) g.add_output(vector_of(10 * i + port));
  }
  for (int i = 0; i < 5; ++i) {
    REQUIRE(g.node(i).outputs() == i + 1);
    for (int port = 0; port <= i; ++port) CHECK(g.node(i).spec(port) == vector_of(10 * i + port));
  }
}

TEST_CASE("nodes know their attributes") {
  auto g = three_nodes();
  CHECK(g.node(0).attribute_count() == 0);
  auto n = g.node(2);
  REQUIRE(n.attribute_count() == 3);
  CHECK(n.attribute(0).key == "extra");
  CHECK(n.attribute(0).kind == jig::attribute_kind::integer);
  CHECK(same_items(n.attribute("extra").values, std::vector<jig::index>{5}));
  CHECK(n.attribute("note").text == "abc");
  CHECK(same_items(n.attribute("value").words, std::vector<std::uint64_t>{7, 8}));
  CHECK(n.attribute("value").text.empty());
  CHECK(n.attribute("missing").key.empty());
  CHECK(g.node(1).attribute("extra").key.empty());
}

TEST_CASE("a node outlives the view it came from") {
  auto g = three_nodes();
  auto n = g.view().node(2);
  auto specs = jig::graph_view(g).node(edge{1, 0});
  CHECK(n.inputs()[0] == edge{1, 2});
  CHECK(specs.spec(2) == vector_of(3, dtype::int32));
}

TEST_CASE("what a shape rule sees of a node") {
  auto g = three_nodes();
  jig::node_facts facts(g, 2);
  CHECK(same_items(facts.inputs(), std::vector{vector_of(3, dtype::int32), vector_of(1)}));
  CHECK(facts.all_static());
  auto c = facts.context(nullptr, 1);
  CHECK(c.inputs.size() == 2);
  CHECK(c.integer("extra") == 5);
  CHECK(c.port == 1);
  facts.inputs()[0].shape[0] = jig::dyn;
  CHECK(!facts.all_static());
  CHECK(facts.context().inputs[0] == vector_of(jig::dyn, dtype::int32));
}

TEST_CASE("nodes are counted by their TensorFlow type") {
  constexpr auto f = [](auto x, auto y) { return x * y + y + 2 * x; };
  constexpr const auto& g = traced_graph(f, jig::spec<float, 3>(), jig::spec<float, 3>());
  static_assert(g.size() == 7);
  static_assert(g.count("AddV2") == 2);
  static_assert(g.count("Mul") == 2);
  static_assert(g.count("Const") == 1);
  static_assert(g.count("Placeholder") == 2);
  static_assert(g.count("add") == 0);
  static_assert(g.count("") == 0);
  CHECK(g.count("Mul") == 2);
}

TEST_CASE("depth is the longest path") {
  constexpr jig::spec<float, 3> s;
  static_assert(traced_graph([](auto x) { return x; }, s).depth() == 1);
  static_assert(traced_graph([](auto x) { return x + x; }, s).depth() == 2);
  static_assert(traced_graph([](auto x, auto y) { return (x + y) + (y + x); }, s, s).depth() == 3);
  static_assert(traced_graph([](auto x, auto y) { return ((x + y) + y) * x; }, s, s).depth() == 4);
  // What no result needs counts as well: the graph is as it was traced.
  static_assert(traced_graph([](auto x) { return (void)(x + x + x), x; }, s).depth() == 3);
  CHECK(three_nodes().depth() == 3);
}

TEST_CASE("floating-point operations") {
  constexpr auto dense = [](auto x, auto w) { return jig::reduce_sum<1>(jig::tanh(jig::matmul(x, w)) + 1); };
  // Product, tanh, sum, reduction.
  static_assert(traced_graph(dense, jig::spec<float, 2, 3>(), jig::spec<float, 3, 4>()).flops() == 2 * 2 * 3 * 4 + 8 + 8 + 8);
  static_assert(traced_graph(dense, jig::spec<float, 0, 3>(), jig::spec<float, 3, 4>()).flops() == 0);
  static_assert(traced_graph(dense, jig::spec<float, jig::dyn, 3>(), jig::spec<float, 3, 4>()).flops() == -1);
  static_assert(traced_graph(dense, jig::spec<float, jig::dim<"n">, 3>(), jig::spec<float, 3, 4>()).flops() == -1);
  // Arguments, constants and views cost nothing, whatever their extents.
  constexpr auto turned = [](auto x) { return jig::transpose(x); };
  static_assert(traced_graph(turned, jig::spec<float, 2, 3>()).flops() == 0);
  static_assert(traced_graph(turned, jig::spec<float, jig::dyn, 3>()).flops() == 0);
  // Broadcasting: as many as the result has elements.
  constexpr auto plus = [](auto x, auto y) { return x + y; };
  static_assert(traced_graph(plus, jig::spec<float, 5, 1>(), jig::spec<float, 7>()).flops() == 35);
  static_assert(traced_graph(plus, jig::spec<float>(), jig::spec<float>()).flops() == 1);
  // Two inputs and the attribute of Join, one for each element of Split's first output.
  CHECK(three_nodes().flops() == 10 * 2 + 5 + 1);
}

TEST_CASE("bytes of arguments and results") {
  constexpr auto plus = [](auto x, auto y) { return x + y; };
  static_assert(traced_graph(plus, jig::spec<float, 2, 3>(), jig::spec<float, 3>()).bytes() == 24 + 12 + 24);
  static_assert(traced_graph(plus, jig::spec<double>(), jig::spec<double>()).bytes() == 24);
  static_assert(traced_graph(plus, jig::spec<float, 0>(), jig::spec<float, 1>()).bytes() == 4);
  static_assert(traced_graph(plus, jig::spec<float, jig::dyn>(), jig::spec<float, 3>()).bytes() == -1);
  static_assert(traced_graph(plus, jig::spec<float, 3>(), jig::spec<float, jig::dim<"n">>()).bytes() == -1);
  static_assert(traced_graph(plus, jig::spec<std::string, 2>(), jig::spec<std::string, 2>()).bytes() == -1);
  constexpr auto less = [](auto x, auto y) { return std::tuple(x < y, x); };
  static_assert(traced_graph(less, jig::spec<std::int16_t, 5>(), jig::spec<std::int16_t>()).bytes() == 10 + 2 + 5 + 10);
  CHECK(three_nodes().bytes() == 24 + 16 + 8);
}

TEST_CASE("a static graph has the pools of the graph it was made from") {
  static constexpr auto sizes = jig::sizes_of(three_nodes());
  static_assert(sizes.nodes == 3 && sizes.edges == 3 && sizes.specs == 2 && sizes.attributes == 3 && sizes.integers == 1 &&
                sizes.characters == 3 && sizes.words == 2 && sizes.inputs == 1 && sizes.outputs == 2);
  static constexpr jig::static_graph<sizes> constant(three_nodes());
  static constexpr jig::graph_view g = constant.view();
  static_assert(g.size() == 3);
  static_assert(g.node(2).attribute("note").text == "abc");
  static_assert(g.node(1).spec(2) == vector_of(3, dtype::int32));
  static_assert(g.depth() == 3);

  auto grown = three_nodes();
  CHECK(same_items(g.edges_, grown.edges));
  CHECK(same_items(g.specs_, grown.specs));
  CHECK(same_items(g.integers_, grown.integers));
  CHECK(same_items(g.characters_, grown.characters));
  CHECK(same_items(g.words_, grown.words));
  CHECK(same_items(g.inputs_, grown.input_nodes));
  CHECK(same_items(g.outputs_, grown.output_edges));
  REQUIRE(g.nodes_.size() == grown.nodes.size());
  for (int id = 0; id < 3; ++id) {
    CHECK(g.data(id).kind == grown.view().data(id).kind);
    CHECK(g.data(id).spec == grown.view().data(id).spec);
    CHECK(g.data(id).inputs.first == grown.view().data(id).inputs.first);
    CHECK(g.node(id).attribute_count() == grown.node(id).attribute_count());
  }
  REQUIRE(g.attributes_.size() == grown.attributes.size());
  for (std::size_t i = 0; i < g.attributes_.size(); ++i) {
    CHECK(g.attributes_[i].key == grown.attributes[i].key);
    CHECK(g.attributes_[i].kind == grown.attributes[i].kind);
    CHECK(g.attributes_[i].values.first == grown.attributes[i].values.first);
    CHECK(g.attributes_[i].values.count == grown.attributes[i].values.count);
  }
  static constexpr auto none = jig::sizes_of(jig::graph_view());
  static constexpr jig::static_graph<none> empty{jig::graph_view()};
  static_assert(empty.view().size() == 0 && empty.view().outputs().empty());
}

TEST_CASE("copies and moves of graphs") {
  auto g = three_nodes();
  auto copy = g;
  copy.add(join, vector_of(1), {});
  CHECK(g.size() == 3);
  CHECK(copy.size() == 4);
  auto moved = std::move(copy);
  CHECK(moved.size() == 4);
  CHECK(moved.node(2).attribute("note").text == "abc");
  copy = g;
  CHECK(copy.node(2).inputs()[0] == edge{1, 2});
}

TEST_CASE("a graph of 500 nodes is counted within the compilers' limits") {
  constexpr auto f = [](auto x) {
    auto y = x;
    for (int i = 0; i < 500; ++i) y = y * x;
    return y;
  };
  constexpr const auto& g = traced_graph(f, jig::spec<float, 3, 4>());
  static_assert(g.size() == 501);
  static_assert(g.depth() == 501);
  static_assert(g.count("Mul") == 500);
  static_assert(g.flops() == 6000);
  CHECK(g.depth() == 501);
}
