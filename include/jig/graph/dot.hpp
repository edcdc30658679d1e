// SPDX-License-Identifier: MIT
#pragma once
// A graph as a picture: text that Graphviz draws, `dot -Tsvg graph.dot`.
// Arguments are ellipses, constants grey notes, other nodes boxes, results double circles, bodies frames. Cold as in graph/text.hpp.

#include <jig/graph/text.hpp>

namespace jig {

namespace detail {

std::string_view dot_style(const auto& n) {
  if (n.kind().is(fact::input)) return ", shape=ellipse";
  if (n.kind().is(fact::constant)) return ", shape=note, style=filled, fillcolor=lightgrey";
  return "";
}

// Nodes are n0, n1, … and results r0, r1, …; in bodies, which are numbered too, b0_n0 and so on.
template <class Graph, class String = std::string>
class dot_writer {
 public:
  String out = "digraph \"jig\" {\n  node [shape=box];\n";

  [[gnu::cold]] void write(const Graph& g, const std::vector<String>& names, const String& prefix, const String& indent) {
    for (int id = 0; id < g.size(); ++id) {
      auto n = g.node(id);
      const String& name = names[static_cast<std::size_t>(id)];
      String label = name + '\n' + String(n.op());
      for (int port = 0; port < n.outputs(); ++port) label += '\n' + spec_text(n.spec(port));
      String node = prefix + 'n' + std::to_string(id);
      out += indent + node + " [label=" + in_quotes(label) + String(dot_style(n));
      if (const String line = to_text(n.line()); !line.empty()) out += ", tooltip=" + in_quotes(line);
      out += "];\n";
      auto inputs = n.inputs();
      for (std::size_t k = 0; k < inputs.size(); ++k) write_edge(inputs[k], prefix, node, k, inputs.size(), indent);
      for (int i = 0; i < n.attribute_count(); ++i)
        if (auto a = n.attribute(i); a.kind == attribute_kind::body) {
          const Graph body = g.body(a.values[0]);
          write_body(body, body_names(body, n, names), name + ' ' + String(a.key), indent);
        }
    }
    auto results = g.outputs();
    for (std::size_t k = 0; k < results.size(); ++k) {
      String node = prefix + 'r' + std::to_string(k);
      String label = results.size() > 1 ? "return " + std::to_string(k) : "return";
      out += indent + node + " [label=" + in_quotes(label) + ", shape=doublecircle];\n";
      write_edge(results[k], prefix, node, 0, 1, indent);
    }
  }

 private:
  [[gnu::cold]] void write_body(const Graph& body, const std::vector<String>& names, const String& title, const String& indent) {
    String number = std::to_string(bodies_++);
    out += indent + "subgraph cluster_" + number + " {\n" + indent + "  label=" + in_quotes(title) + ";\n";
    write(body, names, 'b' + number + '_', indent + "  ");
    out += indent + "}\n";
  }
  // Operands are numbered where there are several, outputs where it is not the first.
  [[gnu::cold]] void write_edge(const edge& from, const String& prefix, const String& to, std::size_t operand, std::size_t operands,
                                const String& indent) {
    String with;
    if (operands > 1) with += "label=" + in_quotes(std::to_string(operand));
    if (from.port > 0) with += (with.empty() ? "" : ", ") + ("taillabel=" + in_quotes(':' + std::to_string(from.port)));
    out += indent + prefix + 'n' + std::to_string(from.node) + " -> " + to + (with.empty() ? "" : " [" + with + ']') + ";\n";
  }

  int bodies_ = 0;
};

}  // namespace detail

/// The graph in the language of Graphviz: nodes with name, op, dtype and shape, in data-flow direction.
template <class Graph = graph_view>
[[gnu::cold]] std::string to_dot(const std::type_identity_t<Graph>& g) {
  detail::dot_writer<Graph> dot;
  dot.write(g, node_names<Graph>(g), "", "  ");
  return dot.out + "}\n";
}

}  // namespace jig
