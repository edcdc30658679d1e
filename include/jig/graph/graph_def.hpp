// SPDX-License-Identifier: MIT
#pragma once
// A graph as TensorFlow counts and names it: its own nodes, and an Identity behind every result.
// What TensorFlow's tools say about node counts and names holds for this form.

#include <jig/graph/names.hpp>

namespace jig {

/// A node of a graph_def.
class graph_def_node {
 public:
  graph_def_node(std::string name, std::string_view op, std::vector<std::string> inputs)
      : name_(std::move(name)), op_(op), inputs_(std::move(inputs)) {}
  const std::string& name() const { return name_; }
  /// TensorFlow's node type: `AddV2`.
  std::string_view op() const { return op_; }
  /// The names of the nodes whose outputs it takes: `x`, or `Split:1` for an output that is not the first.
  const std::vector<std::string>& inputs() const { return inputs_; }

 private:
  std::string name_;
  std::string_view op_;
  std::vector<std::string> inputs_;
};

/// The graph as TensorFlow counts and names it, valid as long as the graph it shows.
class graph_def {
 public:
  constexpr explicit graph_def(const graph_view& g) : graph_(g) {}

  /// The number of nodes, with one Identity for each result.
  constexpr int size() const { return graph_.size() + static_cast<int>(graph_.outputs().size()); }

  /// All nodes, in order.
  template <class Node = graph_def_node>
  std::vector<Node> nodes() const {
    detail::name_scope scope;
    auto names = detail::node_names(graph_, scope);
    std::vector<Node> out;
    for (int id = 0; id < graph_.size(); ++id) {
      std::vector<std::string> inputs;
      for (const auto& e : graph_.inputs_of(id)) inputs.push_back(detail::output_name(names, e));
      out.emplace_back(names[static_cast<std::size_t>(id)], graph_.node(id).op(), std::move(inputs));
    }
    for (const auto& e : graph_.outputs())
      out.emplace_back(scope.unique("Identity"), "Identity", std::vector{detail::output_name(names, e)});
    return out;
  }

  /// Node i.
  /// Cost: names all nodes; take nodes() to see more than one.
  template <class Node = graph_def_node>
  Node node(int i) const {
    return nodes<Node>()[static_cast<std::size_t>(i)];
  }

 private:
  graph_view graph_;
};

constexpr graph_def graph_view::as_graph_def() const { return graph_def(*this); }

/// The graph as TensorFlow counts and names it.
constexpr graph_def as_graph_def(const graph_view& g) { return graph_def(g); }

}  // namespace jig
