// SPDX-License-Identifier: MIT
#include <jig/graph/dot.hpp>

#include <doctest/doctest.h>

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/trace/trace.hpp>

#include "../control_nodes.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <tuple>
#include <vector>

namespace {

using jig::dtype;
using jig::edge;

bool graphviz_is_here() {
  static const bool here = std::system("dot -V >/dev/null 2>&1") == 0;
  return here;
}

// Whether `dot` draws the text.
bool is_drawn(const std::string& text) {
  FILE* dot = popen("dot -Tsvg >/dev/null 2>&1", "w");
  if (dot == nullptr) return false;
  bool written = std::fwrite(text.data(), 1, text.size(), dot) == text.size();
  return pclose(dot) == 0 && written;
}

void check_drawn(const std::string& text) {
  if (graphviz_is_here()) CHECK(is_drawn(text));
  else MESSAGE("skipped: there is no Graphviz to draw the text");
}

template <jig::text Name, class F, class... Spec>
std::string dot_of(F, Spec...) {
  return jig::to_dot(jig::trace<F, Name, Spec...>::graph);
}

}  // namespace

TEST_CASE("arguments, constants and results are drawn differently from nodes") {
  const std::string line = "dot.cpp:" + std::to_string(__LINE__ + 1);
  std::string text = dot_of<"f(x)">([](auto x) { return jig::reduce_sum(x - 1); }, jig::spec<float, jig::dyn, 3>());
  CHECK(text ==
        "digraph \"jig\" {\n"
        "  node [shape=box];\n"
        "  n0 [label=\"x\\nPlaceholder\\nfloat32 (None, 3)\", shape=ellipse];\n"
        "  n1 [label=\"sub/y\\nConst\\nfloat32 ()\", shape=note, style=filled, fillcolor=lightgrey];\n"
        "  n2 [label=\"sub\\nSub\\nfloat32 (None, 3)\"];\n"
        "  n0 -> n2 [label=\"0\"];\n"
        "  n1 -> n2 [label=\"1\"];\n"
        "  n3 [label=\"Sum\\nSum\\nfloat32 ()\", tooltip=\"" +
            line +
            "\"];\n"
            "  n2 -> n3;\n"
            "  r0 [label=\"return\", shape=doublecircle];\n"
            "  n3 -> r0;\n"
            "}\n");
  check_drawn(text);
}

TEST_CASE("several results and outputs are numbered") {
  static constexpr jig::op split{.name = "Split", .label = "split"};
  jig::builder b;
  edge x = b.input({dtype::float32, {1, {5}}}, "x");
  edge parts = b.graph.add(split, {dtype::float32, {1, {2}}}, std::vector{x});
  b.graph.add_output({dtype::float32, {1, {3}}});
  edge second{parts.node, 1};
  edge sum = b.graph.add(jig::ops::add, {}, std::vector{parts, second});
  b.graph.output_edges = {sum, second};
  std::string text = jig::to_dot(b.graph);
  CHECK(text ==
        "digraph \"jig\" {\n"
        "  node [shape=box];\n"
        "  n0 [label=\"x\\nPlaceholder\\nfloat32 (5,)\", shape=ellipse];\n"
        "  n1 [label=\"split\\nSplit\\nfloat32 (2,)\\nfloat32 (3,)\"];\n"
        "  n0 -> n1;\n"
        "  n2 [label=\"add\\nAddV2\\nfloat32 ()\"];\n"
        "  n1 -> n2 [label=\"0\"];\n"
        "  n1 -> n2 [label=\"1\", taillabel=\":1\"];\n"
        "  r0 [label=\"return 0\", shape=doublecircle];\n"
        "  n2 -> r0;\n"
        "  r1 [label=\"return 1\", shape=doublecircle];\n"
        "  n1 -> r1 [taillabel=\":1\"];\n"
        "}\n");
  check_drawn(text);
}

TEST_CASE("names of ops are escaped") {
  static constexpr jig::op odd{.name = "a\"b\\N\n<c>{d|e}", .label = "\\\""};
  jig::builder b;
  b.graph.add(odd, {}, {});
  std::string text = jig::to_dot(b.graph);
  CHECK(text.find("label=\"\\\\\\\"\\na\\\"b\\\\N\\n<c>{d|e}\\nfloat32 ()\"") != std::string::npos);
  check_drawn(text);
}

TEST_CASE("an empty graph is drawn") {
  CHECK(jig::to_dot(jig::graph()) == "digraph \"jig\" {\n  node [shape=box];\n}\n");
  check_drawn(jig::to_dot(jig::graph()));
}

TEST_CASE("text that Graphviz does not take is found out") {
  if (graphviz_is_here()) CHECK_FALSE(is_drawn("digraph \"jig\" { n0 [label=\"\"\"]; }"));
}

TEST_CASE("bodies are drawn in frames, those inside them too") {
  const std::string line = "dot.cpp:" + std::to_string(__LINE__ + 3);
  constexpr auto f = [](auto c, auto x) {
    auto yes = [](auto d, auto v) {
      return control_nodes::if_node<jig::spec<float>>(d, [](auto w) { return w + w; }, [](auto w) { return w; }, v);
    };
    return control_nodes::if_node<jig::spec<float>>(c, yes, [](auto, auto v) { return v; }, c, x);
  };
  std::string text = jig::to_dot(jig::trace<decltype(f), "f(c, x)", jig::spec<bool>, jig::spec<float>>::graph);
  CHECK(text ==
        "digraph \"jig\" {\n"
        "  node [shape=box];\n"
        "  n0 [label=\"c\\nPlaceholder\\nbool ()\", shape=ellipse];\n"
        "  n1 [label=\"x\\nPlaceholder\\nfloat32 ()\", shape=ellipse];\n"
        "  n2 [label=\"cond\\nIf\\nfloat32 ()\"];\n"
        "  n0 -> n2 [label=\"0\"];\n"
        "  n0 -> n2 [label=\"1\"];\n"
        "  n1 -> n2 [label=\"2\"];\n"
        "  subgraph cluster_0 {\n"
        "    label=\"cond then_branch\";\n"
        "    b0_n0 [label=\"c\\nPlaceholder\\nbool ()\", shape=ellipse];\n"
        "    b0_n1 [label=\"x\\nPlaceholder\\nfloat32 ()\", shape=ellipse];\n"
        "    b0_n2 [label=\"cond\\nIf\\nfloat32 ()\"];\n"
        "    b0_n0 -> b0_n2 [label=\"0\"];\n"
        "    b0_n1 -> b0_n2 [label=\"1\"];\n"
        "    subgraph cluster_1 {\n"
        "      label=\"cond then_branch\";\n"
        "      b1_n0 [label=\"x\\nPlaceholder\\nfloat32 ()\", shape=ellipse];\n"
        "      b1_n1 [label=\"add\\nAddV2\\nfloat32 ()\", tooltip=\"" +
            line +
            "\"];\n"
            "      b1_n0 -> b1_n1 [label=\"0\"];\n"
            "      b1_n0 -> b1_n1 [label=\"1\"];\n"
            "      b1_r0 [label=\"return\", shape=doublecircle];\n"
            "      b1_n1 -> b1_r0;\n"
            "    }\n"
            "    subgraph cluster_2 {\n"
            "      label=\"cond else_branch\";\n"
            "      b2_n0 [label=\"x\\nPlaceholder\\nfloat32 ()\", shape=ellipse];\n"
            "      b2_r0 [label=\"return\", shape=doublecircle];\n"
            "      b2_n0 -> b2_r0;\n"
            "    }\n"
            "    b0_r0 [label=\"return\", shape=doublecircle];\n"
            "    b0_n2 -> b0_r0;\n"
            "  }\n"
            "  subgraph cluster_3 {\n"
            "    label=\"cond else_branch\";\n"
            "    b3_n0 [label=\"c\\nPlaceholder\\nbool ()\", shape=ellipse];\n"
            "    b3_n1 [label=\"x\\nPlaceholder\\nfloat32 ()\", shape=ellipse];\n"
            "    b3_r0 [label=\"return\", shape=doublecircle];\n"
            "    b3_n1 -> b3_r0;\n"
            "  }\n"
            "  r0 [label=\"return\", shape=doublecircle];\n"
            "  n2 -> r0;\n"
            "}\n");
  check_drawn(text);
}
