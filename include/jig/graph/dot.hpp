// SPDX-License-Identifier: MIT
#pragma once
// A graph as a picture: text that Graphviz draws, `dot -Tsvg graph.dot`.
// Arguments are ellipses, constants grey notes, other nodes boxes, results double circles.

#include <jig/graph/text.hpp>

namespace jig {

namespace detail {

inline std::string_view dot_style(const node_view& n) {
  if (n.kind().is(fact::input)) return ", shape=ellipse";
  if (n.kind().is(fact::constant)) return ", shape=note, style=filled, fillcolor=lightgrey";
  return "";
}

// Nodes are n0, n1, … and results r0, r1, …
inline std::string dot_id(char kind, std::size_t number) {
  return std::string(1, kind) + std::to_string(number);
}

/// An edge of the picture. Operands are numbered where there are several, outputs where it is not the first.
inline std::string dot_edge(const edge& from, const std::string& to, std::size_t operand,
                            std::size_t operands) {
  std::string with;
  if (operands > 1) with += "label=" + in_quotes(std::to_string(operand));
  if (from.port > 0)
    with += (with.empty() ? "" : ", ") + ("taillabel=" + in_quotes(':' + std::to_string(from.port)));
  return "  " + dot_id('n', static_cast<std::size_t>(from.node)) + " -> " + to +
         (with.empty() ? "" : " [" + with + ']') + ";\n";
}

}  // namespace detail

/// The graph in the language of Graphviz: nodes with name, op, dtype and shape, in data-flow direction.
inline std::string to_dot(const graph_view& g) {
  auto names = node_names(g);
  std::string out = "digraph \"jig\" {\n  node [shape=box];\n";
  for (int id = 0; id < g.size(); ++id) {
    auto n = g.node(id);
    std::string label = names[static_cast<std::size_t>(id)] + '\n' + std::string(n.op());
    for (int port = 0; port < n.outputs(); ++port) label += '\n' + detail::spec_text(n.spec(port));
    std::string node = detail::dot_id('n', static_cast<std::size_t>(id));
    out += "  " + node + " [label=" + detail::in_quotes(label) + std::string(detail::dot_style(n)) + "];\n";
    auto inputs = n.inputs();
    for (std::size_t k = 0; k < inputs.size(); ++k)
      out += detail::dot_edge(inputs[k], node, k, inputs.size());
  }
  auto results = g.outputs();
  for (std::size_t k = 0; k < results.size(); ++k) {
    std::string node = detail::dot_id('r', k);
    std::string label = results.size() > 1 ? "return " + std::to_string(k) : "return";
    out += "  " + node + " [label=" + detail::in_quotes(label) + ", shape=doublecircle];\n";
    out += detail::dot_edge(results[k], node, 0, 1);
  }
  return out + "}\n";
}

}  // namespace jig
