// SPDX-License-Identifier: MIT
#pragma once
// What file formats write and read: a graph with the names that a caller knows its arguments and results by.

#include <jig/graph/names.hpp>
#include <jig/graph/walk.hpp>
#include <jig/trace/signature.hpp>

#include <string>
#include <vector>

namespace jig {

/// Where a graph has the value of a variable.
struct graph_variable {
  /// The argument that it is.
  int input;
  /// The result that is its new value, or -1 where it is never assigned.
  int output = -1;
};

/// A graph with names. Weights are constants; variables are arguments, whose new values are the last results.
struct named_graph {
  /// Of the function.
  std::string name;
  jig::graph graph;
  /// One for each argument and result of the graph, in their order.
  std::vector<std::string> inputs{}, outputs{};
  /// The arguments that are variables, in their order.
  std::vector<graph_variable> variables{};
};

namespace detail {

/// A copy of a graph, without what its pools hold besides.
inline graph copy_of_graph(const graph_view& g) {
  graph out;
  for (int id = 0; id < g.size(); ++id) copy_node(out, g, id, [](const edge& e) { return e; });
  for (const int id : g.inputs()) out.input_nodes.push_back(id);
  for (const auto& e : g.outputs()) out.output_edges.push_back(e);
  return out;
}

/// The name of a result that nobody has named: `output_0`, `output_1`.
constexpr std::string output_name(std::size_t k) {
  message m;
  m << "output_" << static_cast<index>(k);
  return std::string(m.view());
}
inline std::vector<std::string> output_names(std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t k = 0; k < count; ++k) out.push_back(output_name(k));
  return out;
}

/// The names of a graph's arguments, as its nodes have them.
inline std::vector<std::string> input_names(const graph_view& g) {
  const auto names = node_names(g);
  std::vector<std::string> out;
  for (const int id : g.inputs()) out.push_back(names[static_cast<std::size_t>(id)]);
  return out;
}

}  // namespace detail

/// A graph with the names that its nodes have by themselves.
inline named_graph named_graph_of(const graph_view& g, std::string name = "function") {
  return {std::move(name), detail::copy_of_graph(g), detail::input_names(g), detail::output_names(g.outputs().size()), {}};
}

inline const named_graph& named_graph_of(const named_graph& g) { return g; }

/// What a concrete function computes, with the names of its parameters.
template <class Function>
  requires requires { typename Function::recorded; }
named_graph named_graph_of(const Function& f) {
  named_graph out = named_graph_of(f.graph(), std::string(function_name(Function::recorded::record.declaration)));
  f.for_each_variable([&](int input, int output) { out.variables.push_back({input, output}); });
  return out;
}

}  // namespace jig
