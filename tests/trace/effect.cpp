// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <jig.hpp>

using jig::spec;

namespace {

constexpr auto several = jig::function<"several(x)">([](auto x) {
  jig::print("x is", x, 3, jig::lit<7>);
  (void)jig::gather(x, 0);
  jig::print("{} braces", x);
  jig::print("nothing else", jig::beside(x));
  jig::assert_that(jig::reduce_all(x > 0), "positive", x);
  jig::assert_equal(x, 2, "twos");
  return x;
});
constexpr auto& graph = several.get_concrete_function(spec<float, 3>()).graph();

constexpr jig::node_view nth(const jig::graph_view& g, std::string_view op, int n) {
  for (int id = 0; id < g.size(); ++id)
    if (g.node(id).op() == op && n-- == 0) return g.node(id);
  return g.node(0);
}

}  // namespace

TEST_CASE("texts become attributes of the node, values become its inputs") {
  constexpr auto first = nth(graph, "PrintV2", 0);
  static_assert(first.attribute("template").text == "x is {} {} {}");
  static_assert(first.attribute("placeholder").text == "{}");
  static_assert(first.inputs().size() == 3);
  static_assert(graph.node(first.inputs()[1]).op() == "Const");
  static_assert(graph.node(first.inputs()[1]).dtype() == jig::dtype::int32);
  static_assert(first.spec() == jig::tensor_spec{jig::dtype::boolean, {}});
}

TEST_CASE("a placeholder does not occur in the texts") {
  constexpr auto second = nth(graph, "PrintV2", 1);
  static_assert(second.attribute("template").text == "{} braces {_}");
  static_assert(second.attribute("placeholder").text == "{_}");
}

TEST_CASE("an anchor is no input") {
  constexpr auto third = nth(graph, "PrintV2", 2);
  static_assert(third.attribute("template").text == "nothing else");
  static_assert(third.inputs().empty());
}

TEST_CASE("assertions take the condition, then what they tell") {
  constexpr auto that = nth(graph, "Assert", 0);
  static_assert(that.attribute("template").text == "assertion failed: [positive] {}");
  static_assert(that.inputs().size() == 2 && graph.node(that.inputs()[0]).op() == "All");
  constexpr auto equal = nth(graph, "Assert", 1);
  static_assert(equal.attribute("message").text == "twos");
  static_assert(equal.inputs().size() == 3);
  static_assert(graph.node(equal.inputs()[2]).dtype() == jig::dtype::float32);
}

TEST_CASE("effects are kept by pruning, what nobody needs is not") {
  constexpr auto& pruned = several.get_concrete_function(spec<float, 3>()).optimized_graph();
  static_assert(graph.count("GatherV2") == 1 && pruned.count("GatherV2") == 0);
  static_assert(pruned.count("PrintV2") == 3 && pruned.count("Assert") == 2);
  static_assert(jig::verify(pruned) == nullptr);
}

namespace {

constexpr auto branching = jig::function<"branching(x)">([](auto x) {
  if (x > 0) jig::print("positive", jig::beside(x));
  else jig::print("negative", x);
  for (auto i : jig::range(x)) jig::print(i);
});

}  // namespace

TEST_CASE("effects are in the bodies of branches and loops") {
  constexpr auto& g = branching.get_concrete_function(spec<int>()).optimized_graph();
  static_assert(g.count("PrintV2") == 3 && g.count("If") == 1 && g.count("While") == 1);
  int outside = 0;
  for (int id = 0; id < g.size(); ++id) outside += g.node(id).op() == "PrintV2";
  CHECK(outside == 0);
}
