// SPDX-License-Identifier: MIT
#pragma once
// A graph of one op as an ONNX model: which nodes it has, and what it gives when it is read again.

#include <jig/io/onnx.hpp>

#include <string>
#include <vector>

template <class T>
std::vector<T> elements(const jig::any_tensor& x) {
  const T* e = static_cast<const T*>(x.data());
  return std::vector<T>(e, e + x.size());
}

struct node_model {
  jig::named_graph graph;
  std::string bytes, nodes;  // the kinds of the nodes, but for the Identity that names the result
  jig::index opset = 0;

  node_model(const jig::op& o, const std::vector<jig::tensor_spec>& inputs, const std::vector<jig::onnx::attr>& with = {}) {
    jig::onnx::maker m{{}};
    jig::list<jig::edge> x;
    for (const auto& s : inputs) x.push_back(m.argument(s, "x" + std::to_string(x.size())));
    m.made.output_edges.push_back(m.call(o, x, with));
    graph = jig::named_graph_of(m.made.view());
    bytes = jig::onnx::model_bytes(graph);
    each_node([&](const jig::onnx::node_message& n) { nodes += (nodes.empty() ? "" : " ") + std::string(n.kind); });
    nodes.resize(nodes.rfind(" Identity") == std::string::npos ? 0 : nodes.rfind(" Identity"));
  }

  template <class F>
  void each_node(F f) {
    jig::wire_problem problem;
    const auto model = jig::onnx::read_model(bytes, problem);
    opset = model.opsets[0].version;
    for (const auto& n : model.graph.nodes) f(n);
  }
  /// The numbers of an attribute of the node of this kind.
  std::vector<jig::index> numbers(std::string_view kind, std::string_view attribute) {
    std::vector<jig::index> out;
    each_node([&](const jig::onnx::node_message& n) {
      if (n.kind != kind) return;
      for (const auto& a : n.attributes)
        if (a.name == attribute) {
          out.assign(a.integers.begin(), a.integers.end());
          if (out.empty()) out.push_back(a.integer);
        }
    });
    return out;
  }
  /// What it gives for these arguments.
  jig::any_tensor operator()(const std::vector<jig::any_tensor>& x) const {
    jig::onnx_model model(bytes, "file.onnx");
    return model({x.begin(), x.end()})[0].tensor;
  }
  template <class T>
  T number(const std::vector<jig::any_tensor>& x) const {
    return elements<T>((*this)(x)).at(0);
  }
};
