// SPDX-License-Identifier: MIT
#pragma once
// What formats of whole models write and read: functions by name, with the values of the variables that they share.

#include <jig/io/call_graphs.hpp>
#include <jig/io/named_graph.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/dynamic_call.hpp>

#include <memory>
#include <string>
#include <vector>

namespace jig {

/// A variable of a model.
struct model_variable {
  std::string name;
  /// With its wildcards.
  tensor_spec declared;
  any_tensor value;
};

/// One function of a model.
struct model_function {
  std::string key;
  named_graph graph;
  /// Which of the model's variables each of the graph's is.
  std::vector<std::size_t> variables{};
  /// Makes the graphs of calls. The graph is only names then.
  std::shared_ptr<const call_graphs> at_calls{};
};

/// Functions by their names, and the variables that they share. Those of a graph that belong to no model are arguments.
struct model_graphs {
  std::vector<model_function> functions{};
  std::vector<model_variable> variables{};
};

namespace detail {

/// The graph of a function for formats that have no variables: those that it never assigns are constants with their values.
inline named_graph with_constant_variables(const model_graphs& model, const model_function& f) {
  const named_graph& g = f.graph;
  const graph_view from = g.graph.view();
  std::vector<const any_tensor*> values(g.inputs.size(), nullptr);
  for (std::size_t k = 0; k < f.variables.size(); ++k)
    if (g.variables[k].output < 0) values[static_cast<std::size_t>(g.variables[k].input)] = &model.variables[f.variables[k]].value;
  builder b;
  named_graph out{g.name, {}, {}, g.outputs, {}};
  list<edge> renamed(from.size());
  std::vector<int> inputs;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const int id = from.inputs()[k];
    inputs.push_back(static_cast<int>(out.inputs.size()));
    const auto same = [](const edge& e) { return e; };
    if (values[k] != nullptr) {
      renamed[id] = constant_of(b, values[k]->view());
      continue;
    }
    renamed[id] = {copy_node(b.graph, from, id, same), 0};
    b.graph.input_nodes.push_back(renamed[id].node);
    out.inputs.push_back(g.inputs[k]);
  }
  const auto place = [&](const edge& e) { return edge{renamed[e.node].node, renamed[e.node].port + e.port}; };
  for (int id = 0; id < from.size(); ++id)
    if (!from.data(id).kind->is(fact::input)) renamed[id] = {copy_node(b.graph, from, id, place), 0};
  for (const auto& e : from.outputs()) b.graph.output_edges.push_back(place(e));
  for (const auto& v : g.variables)
    if (values[static_cast<std::size_t>(v.input)] == nullptr)
      out.variables.push_back({inputs[static_cast<std::size_t>(v.input)], v.output});
  out.graph = std::move(b.graph);
  return out;
}

}  // namespace detail

}  // namespace jig
