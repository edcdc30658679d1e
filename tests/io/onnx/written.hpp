// SPDX-License-Identifier: MIT
#pragma once
// ONNX models that no trace gives, node by node.

#include <jig/io/onnx/exporter.hpp>

#include <functional>
#include <string>
#include <vector>

namespace written_onnx {

using attribute = jig::onnx::written_attribute;
using names = std::vector<std::string>;

/// A model or a graph in it.
struct written {
  jig::wire_writer graph;
  static constexpr jig::index named = -2;  // an extent, n

  void node(const char* kind, const names& inputs, const names& outputs, const std::vector<attribute>& with = {}, const char* name = "") {
    graph.message(1, [&](jig::wire_writer& n) {
      for (const auto& i : inputs) n.bytes(1, i);
      for (const auto& o : outputs) n.bytes(2, o);
      n.bytes(3, name);
      n.bytes(4, kind);
      for (const auto& a : with) n.message(5, [&](jig::wire_writer& w) { a.write(w); });
    });
  }
  template <class T>
  void constant(const char* name, const std::vector<T>& x, bool scalar = false) {
    graph.message(5, [&](jig::wire_writer& w) {
      if (!scalar) w.integer(1, static_cast<jig::index>(x.size()));
      w.number(2, static_cast<std::uint64_t>(jig::onnx::number_of_dtype(jig::dtype_of<T>)));
      w.bytes(8, name);
      w.bytes(9, {reinterpret_cast<const char*>(x.data()), x.size() * sizeof(T)});
    });
  }
  void value(std::uint32_t field, const std::string& name, jig::dtype d = jig::dtype::float32,
             const std::vector<jig::index>& extents = {}) {
    graph.message(field, [&](jig::wire_writer& v) {
      v.bytes(1, name);
      v.message(2, [&](jig::wire_writer& t) {
        t.message(1, [&](jig::wire_writer& tensor) {
          tensor.number(1, static_cast<std::uint64_t>(jig::onnx::number_of_dtype(d)));
          tensor.message(2, [&](jig::wire_writer& s) {
            for (const auto e : extents)
              s.message(1, [&](jig::wire_writer& w) {
                if (e >= 0) w.integer(1, e);
                else if (e == named) w.bytes(2, "n");
              });
          });
        });
      });
    });
  }
  void inputs(const names& n) {
    for (const auto& i : n) value(11, i);
  }
  void outputs(const names& n) {
    for (const auto& o : n) value(12, o);
  }
  std::string bytes() const { return std::string(graph.bytes()); }
  std::string model(std::uint64_t opset = 13) const {
    jig::wire_writer m;
    m.number(1, 7);
    m.bytes(7, graph.bytes());
    m.message(8, [&](jig::wire_writer& o) { o.number(2, opset); });
    return std::string(m.bytes());
  }
};
inline std::string graph_of(const names& inputs, const names& outputs, const std::function<void(written&)>& write) {
  written g;
  g.inputs(inputs);
  write(g);
  g.outputs(outputs);
  return g.bytes();
}
inline attribute branch(const char* key, const names& outputs, const std::function<void(written&)>& write) {
  return attribute::of_graph(key, graph_of({}, outputs, write));
}
// y = if sum(x) > 0 …, of three numbers.
inline std::string if_model(const attribute& then, const attribute& otherwise, const names& results = {"y"}) {
  written g;
  g.value(11, "x", jig::dtype::float32, {3});
  g.constant<float>("zero", {0}, true);
  g.node("ReduceSum", {"x"}, {"sum"}, {attribute::of("keepdims", 0)});
  g.node("Greater", {"sum", "zero"}, {"positive"});
  g.node("If", {"positive"}, results, {then, otherwise}, "choice");
  g.outputs(results);
  return g.model();
}

}  // namespace written_onnx
