// SPDX-License-Identifier: MIT
#pragma once
// The graph of a profile as a picture, coloured by time: text that Graphviz draws, `dot -Tsvg graph.dot`.

#include <jig/graph/dot.hpp>
#include <jig/profile/text.hpp>

#include <cmath>

namespace jig {

namespace detail {

/// From white, no time, to red, all of it.
inline std::string heat(double share) {
  const int fade = static_cast<int>(std::lround(235 * (1 - std::sqrt(std::clamp(share, 0.0, 1.0)))));
  char text[16];
  std::snprintf(text, sizeof text, "#ff%02x%02x", fade + 20, fade + 20);
  return text;
}

class profile_dot {
 public:
  explicit profile_dot(double whole) : whole_(whole) {}
  /// With bodies as frames inside, or without.
  void write(const profiled_graph& g, const std::string& prefix, const std::string& indent, bool with_bodies) {
    for (std::size_t v = 0; v < g.nodes.size(); ++v) {
      write_node(g, v, prefix, indent);
      for (std::size_t b = 0; with_bodies && b < g.bodies.size(); ++b)
        if (g.bodies[b].node == static_cast<int>(v)) {
          const std::string number = std::to_string(bodies_++);
          out += indent + "subgraph cluster_" + number + " {\n" + indent + "  label=" + in_quotes(g.nodes[v].name + ' ' + g.bodies[b].key) +
                 ";\n";
          write(g.bodies[b].graph, 'b' + number + '_', indent + "  ", true);
          out += indent + "}\n";
        }
    }
    for (std::size_t k = 0; k < g.results.size(); ++k) {
      const std::string node = prefix + 'r' + std::to_string(k);
      out += indent + node + " [label=" + in_quotes(g.results.size() > 1 ? "return " + std::to_string(k) : "return") +
             ", shape=doublecircle];\n";
      write_edge(g.results[k], prefix, node, indent);
    }
  }
  std::string out = "digraph \"jig\" {\n  node [shape=box, style=filled, fillcolor=white];\n";

 private:
  void write_node(const profiled_graph& g, std::size_t v, const std::string& prefix, const std::string& indent) {
    const profiled_node& n = g.nodes[v];
    const std::string id = prefix + 'n' + std::to_string(v);
    const bool timed = g.watched && !n.steps.empty();
    std::string label = n.name + '\n' + n.op + '\n' + n.spec, tip = label;
    if (!n.line.empty()) tip += '\n' + n.line;
    if (timed) label += '\n' + time_text(n.seconds);
    for (int s : n.steps) {
      const profiled_step& step = g.steps[static_cast<std::size_t>(s)];
      tip += "\nstep " + std::to_string(s) + ", " + step.kind + ' ' + step.extents;
      if (g.watched)
        tip += ": " + time_text(step.seconds) + (g.regions[static_cast<std::size_t>(step.region)].memory_bound ? ", memory bounds it" : "");
    }
    out += indent + id + " [id=" + id + ", label=" + in_quotes(label) + ", tooltip=" + in_quotes(tip);
    if (n.op == "Placeholder") out += ", shape=ellipse";
    if (n.op == "Const") out += ", shape=note, fillcolor=lightgrey";
    else if (timed) out += ", fillcolor=" + in_quotes(heat(whole_ > 0 ? n.seconds / whole_ : 0));
    for (const auto& b : g.bodies)
      if (b.node == static_cast<int>(v)) {
        out += ", class=opens";
        break;
      }
    out += "];\n";
    for (const auto& e : n.inputs) write_edge(e, prefix, id, indent);
  }
  void write_edge(const edge& from, const std::string& prefix, const std::string& to, const std::string& indent) {
    out += indent + prefix + 'n' + std::to_string(from.node) + " -> " + to + ";\n";
  }

  double whole_;
  int bodies_ = 0;
};

}  // namespace detail

/// The graph that ran in the language of Graphviz, as to_dot of a graph has it, with times: the redder a node, the more of a call it takes.
/// The time of a loop over memory is shared among the nodes that it computes by what each of them does.
inline std::string to_dot(const profile_report& r) {
  detail::profile_dot dot(r.seconds);
  dot.write(r.graph, "", "  ", true);
  return dot.out + "}\n";
}

}  // namespace jig
