// SPDX-License-Identifier: MIT
#include <jig/graph/verify.hpp>

#include <doctest/doctest.h>

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/trace/trace.hpp>

#include <string>

namespace {

using jig::dtype;
using jig::edge;

constexpr void halves_rule(jig::rule_context& c) {
  if (c.inputs[0].shape.rank != 1) return c.fail("only vectors have halves");
  c.result = {c.inputs[0].dtype, {1, {c.quotient(c.inputs[0].shape[0], 2, "the length is odd")}}};
}
constexpr jig::op halves{.name = "Halves", .label = "Halves", .rule = halves_rule};

constexpr jig::tensor_spec vector_of(jig::index n) { return {dtype::float32, {1, {n}}}; }

// x = argument 0, two = 1, sum = 2, halves = 3 (two outputs), words = 4
jig::graph sound() {
  jig::builder b;
  edge x = b.input(vector_of(6), "x");
  edge two = b.literal<float>(2);
  edge sum = b.graph.add(jig::ops::add, vector_of(6), std::vector{x, two});
  edge h = b.graph.add(halves, vector_of(3), std::vector{sum});
  b.graph.add_output(vector_of(3));
  const std::string words[] = {"ab", "", "c"};
  edge w = b.constant<std::string>({1, {3}}, words);
  b.graph.output_edges = {{h.node, 1}, w};
  return b.graph;
}

std::string verdict(const jig::graph_view& g) {
  const char* what = jig::verify(g);
  return what == nullptr ? "sound" : what;
}

jig::stored_attribute& attribute(jig::graph& g, int node, int i = 0) {
  return g.attributes[static_cast<std::size_t>(g.nodes[static_cast<std::size_t>(node)].attributes.first + i)];
}

template <class F, class... Spec>
constexpr const jig::graph_view& traced_graph(F, Spec...) {
  return jig::trace<F, "f(x, y)", Spec...>::graph;
}

}  // namespace

TEST_CASE("graphs of traces are sound, in constant evaluation too") {
  constexpr auto f = [](auto x, auto y) { return jig::reduce_sum<1>(x * 2 + y, jig::keepdims); };
  static_assert(jig::verify(traced_graph(f, jig::spec<float, 2, 3>(), jig::spec<float, 3>())) == nullptr);
  static_assert(jig::verify(traced_graph(f, jig::spec<float, jig::dyn, 3>(), jig::spec<float, jig::dyn>())) == nullptr);
  static_assert(jig::verify(traced_graph(f, jig::spec<double, jig::dim<"n">, 3>(), jig::spec<double, 3>())) == nullptr);
  static_assert(jig::verify(jig::graph_view()) == nullptr);
  CHECK(verdict(sound()) == "sound");
}

TEST_CASE("a graph of 500 nodes is verified within the compilers' limits") {
  constexpr auto f = [](auto x) {
    auto y = x;
    for (int i = 0; i < 500; ++i) y = y * x;
    return y;
  };
  static_assert(traced_graph(f, jig::spec<float, jig::dyn, 3, 4>()).size() == 501);
  static_assert(jig::verify(traced_graph(f, jig::spec<float, jig::dyn, 3, 4>())) == nullptr);
}

TEST_CASE("flaws are found in constant evaluation") {
  constexpr auto broken = [] {
    jig::builder b;
    edge x = b.input(vector_of(3), "x");
    b.graph.output_edges = {x, {1, 0}};
    return std::string_view(jig::verify(b.graph)) == "a result is not the output of a node";
  };
  static_assert(broken());
}

TEST_CASE("each flaw is found") {
  jig::graph g = sound();

  SUBCASE("a node without op") {
    g.nodes[2].kind = nullptr;
    CHECK(verdict(g) == "the node has no op");
  }
  SUBCASE("inputs outside their pool") {
    SUBCASE("behind it") { g.nodes[3].inputs.count = 2; }
    SUBCASE("before it") { g.nodes[3].inputs.first = -1; }
    SUBCASE("of negative length") { g.nodes[3].inputs.count = -1; }
    SUBCASE("of a length that overflows") { g.nodes[3].inputs = {2, 2147483647}; }
    CHECK(verdict(g) == "the inputs lie outside their pool");
  }
  SUBCASE("attributes outside their pool") {
    g.nodes[4].attributes.count = 3;
    CHECK(verdict(g) == "the attributes lie outside their pool");
  }
  SUBCASE("specs outside their pool") {
    g.nodes[3].more_specs.count = 2;
    CHECK(verdict(g) == "the specs of further outputs lie outside their pool");
  }
  SUBCASE("values outside their pool") {
    SUBCASE("words") { attribute(g, 4, 0).values.count = 4; }
    SUBCASE("characters") { attribute(g, 4, 1).values.first = 2; }
    SUBCASE("integers, of which there are none") { attribute(g, 0).kind = jig::attribute_kind::integers; }
    CHECK(verdict(g) == "the values of an attribute lie outside their pool");
  }
  SUBCASE("an unknown dtype") {
    g.nodes[0].spec.dtype = static_cast<dtype>(jig::dtype_count);
    CHECK(verdict(g) == "there is no such dtype");
  }
  SUBCASE("an impossible rank") {
    SUBCASE("too high") { g.nodes[0].spec.shape.rank = 9; }
    SUBCASE("negative") { g.nodes[0].spec.shape.rank = -1; }
    SUBCASE("of another output") { g.specs[0].shape.rank = 9; }
    CHECK(verdict(g) == "there is no such rank");
  }
  SUBCASE("an impossible extent") {
    g.nodes[0].spec.shape[0] = jig::detail::lowest_name - 1;
    CHECK(verdict(g) == "an extent is neither a number, nor a wildcard, nor a name");
  }
  SUBCASE("an input that is not an earlier output") {
    SUBCASE("the node itself") { g.edges[0].node = 2; }
    SUBCASE("a later node") { g.edges[0].node = 3; }
    SUBCASE("no node") { g.edges[0].node = -1; }
    SUBCASE("a port that does not exist") { g.edges[0].port = 1; }
    SUBCASE("a negative port") { g.edges[0].port = -1; }
    CHECK(verdict(g) == "an input is not the output of an earlier node");
  }
  SUBCASE("an argument that is no node") {
    g.input_nodes.push_back(5);
    CHECK(verdict(g) == "an argument is no node of the graph");
  }
  SUBCASE("a listed argument that is none") {
    g.input_nodes.push_back(1);
    CHECK(verdict(g) == "the node is listed as an argument and is none");
  }
  SUBCASE("an argument that is listed twice") {
    g.input_nodes.push_back(0);
    CHECK(verdict(g) == "the argument is listed twice");
  }
  SUBCASE("an argument that is not listed") {
    g.input_nodes.clear();
    CHECK(verdict(g) == "the argument is not listed");
  }
  SUBCASE("a result that does not exist") {
    SUBCASE("no such node") { g.output_edges[0].node = 5; }
    SUBCASE("no such port") { g.output_edges[0].port = 2; }
    CHECK(verdict(g) == "a result is not the output of a node");
  }
  SUBCASE("a constant without value") {
    SUBCASE("none at all") { g.nodes[1].attributes.count = 0; }
    SUBCASE("of another kind") { attribute(g, 1) = {"value", jig::attribute_kind::integer, {}}; }
    CHECK(verdict(g) == "a constant has no value");
  }
  SUBCASE("a constant with the wrong number of words") {
    SUBCASE("too few") { attribute(g, 1).values.count = 0; }
    SUBCASE("too many") { attribute(g, 1).values.count = 2; }
    SUBCASE("an unknown number of elements") { g.nodes[1].spec.shape = {1, {jig::dyn}}; }
    CHECK(verdict(g) == "a constant has not as many words as elements");
  }
  SUBCASE("strings that do not add up to their text") {
    SUBCASE("too long") { g.words[1] = 4; }
    SUBCASE("too short") { g.words[1] = 1; }
    SUBCASE("so long that the sum wraps around") { g.words[1] = ~std::uint64_t{0}; }
    SUBCASE("without text") { g.nodes[4].attributes.count = 1; }
    CHECK(verdict(g) == "the lengths of a constant's strings are not those of its text");
  }
  SUBCASE("inputs that the op refuses") {
    g.nodes[1].spec.dtype = dtype::int32;
    CHECK(verdict(g) == "dtypes differ, convert one with jig::cast");
  }
  SUBCASE("a spec that the op does not give") {
    SUBCASE("other extents") { g.nodes[2].spec = vector_of(5); }
    SUBCASE("a wildcard for a known extent") { g.nodes[2].spec = vector_of(jig::dyn); }
    SUBCASE("another dtype") { g.nodes[2].spec.dtype = dtype::float64; }
    SUBCASE("of another output") { g.specs[0] = vector_of(4); }
    CHECK(verdict(g) == "the spec is not what the shape rule of the op says");
  }
}

TEST_CASE("require_valid names the node") {
  auto sentence = [](const jig::graph& g) -> std::string {
    try {
      jig::require_valid(g);
      return "sound";
    } catch (const jig::error& e) {
      return e.what();
    }
  };
  jig::graph g = sound();
  CHECK(sentence(g) == "sound");
  g.nodes[3].spec = vector_of(4);
  CHECK(sentence(g) == "malformed graph: node 3 (Halves): the spec is not what the shape rule of the op says");
  g.nodes[3].kind = nullptr;
  CHECK(sentence(g) == "malformed graph: node 3: the node has no op");
  g = sound();
  g.input_nodes.push_back(0);
  CHECK(sentence(g) == "malformed graph: node 0 (Placeholder): the argument is listed twice");
  g = sound();
  g.input_nodes.push_back(5);
  CHECK(sentence(g) == "malformed graph: an argument is no node of the graph");
  g = sound();
  g.output_edges[0].port = 7;
  CHECK(sentence(g) == "malformed graph: a result is not the output of a node");
}
