// SPDX-License-Identifier: MIT
#pragma once
// Writes a graph as an ONNX model: what nodes, names and constants are there. Which nodes stand for an op of jig is said in names.hpp and
// exported_nodes.hpp.

#include <jig/io/named_graph.hpp>
#include <jig/io/onnx/exported_types.hpp>
#include <jig/io/wire.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/interpreter.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace jig::onnx {

/// ONNX's number of a dtype.
constexpr int number_of_dtype(dtype d) {
  constexpr int numbers[dtype_count] = {1, 11, 10, 16, 3, 5, 6, 7, 2, 4, 12, 13, 9, 8};
  return numbers[static_cast<std::size_t>(d)];
}

/// An attribute of a node that is written.
struct written_attribute {
  std::string_view name;
  int type;  // as AttributeProto has it
  index integer = 0;
  float real = 0;
  std::string text{};  // or a message
  std::vector<index> integers{};

  static written_attribute of(std::string_view name, index i) { return {name, 2, i}; }
  static written_attribute of(std::string_view name, std::vector<index> i) { return {name, 7, 0, 0, {}, std::move(i)}; }
  static written_attribute of_text(std::string_view name, std::string_view t) { return {name, 3, 0, 0, std::string(t)}; }
  static written_attribute of_graph(std::string_view name, std::string message) { return {name, 5, 0, 0, std::move(message)}; }

  void write(wire_writer& to) const {
    to.bytes(1, name);
    to.number(20, static_cast<std::uint64_t>(type));
    if (type == 1) to.real(2, real);
    if (type == 2) to.integer(3, integer);
    if (type == 3) to.bytes(4, text);
    if (type == 5) to.bytes(6, text);
    if (type == 7)
      for (const index i : integers) to.integer(8, i);
  }
};

/// Writes graphs and their bodies.
class exporter {
 public:
  using names = std::vector<std::string>;

  explicit exporter(index opset) : opset_(opset) {}

  /// The bytes of a model.
  /// Errors: what ONNX has no word for throws jig::error, which names the op.
  std::string run(const named_graph& g) {
    const graph_view view = g.graph.view();
    for (const auto& n : g.inputs) taken_.insert(n);
    for (const auto& n : g.outputs) taken_.insert(n);
    wire_writer graph;
    begin(graph);
    values v(static_cast<std::size_t>(view.size()));
    for (std::size_t k = 0; k < view.inputs().size(); ++k) {
      v[at(view.inputs()[k])] = {g.inputs[k]};
      note(g.inputs[k], view.data(view.inputs()[k]).spec.dtype);
    }
    write_nodes(view, v);
    for (std::size_t k = 0; k < view.outputs().size(); ++k) {
      const bool is_input = std::find(g.inputs.begin(), g.inputs.end(), g.outputs[k]) != g.inputs.end();
      if (is_input) detail::raise<error>("ONNX: an argument and a result have the same name " + g.outputs[k]);
      node("Identity", {name_of(v, view.outputs()[k])}, {g.outputs[k]});
    }
    graph.bytes(2, g.name.empty() ? "function" : g.name);
    for (std::size_t k = 0; k < g.inputs.size(); ++k) value_info(graph, 11, g.inputs[k], view.data(view.inputs()[k]).spec);
    for (std::size_t k = 0; k < g.outputs.size(); ++k) value_info(graph, 12, g.outputs[k], view.spec(view.outputs()[k]));
    end();
    wire_writer model;
    model.number(1, opset_ > 15 ? 8 : 7);
    model.bytes(2, "jig");
    model.bytes(7, graph.bytes());
    model.message(8, [&](wire_writer& o) {
      o.bytes(1, "");
      o.integer(2, opset_);
    });
    return std::string(model.bytes());
  }

  // What the functions of exported_nodes.hpp are written in.

  /// A node with one result, which gets a name.
  std::string make(std::string_view kind, const names& inputs, const std::vector<written_attribute>& with = {}) {
    const std::string out = fresh();
    node(kind, inputs, {out}, with);
    return out;
  }
  /// A node. Where ONNX has none of its dtype it is one of a wider dtype, between casts.
  void node(std::string_view kind, const names& inputs, const names& outputs, const std::vector<written_attribute>& with = {}) {
    const node_types* const types = types_of(kind);
    if (types == nullptr) {
      if (const auto of = types_.find(inputs.empty() ? "" : inputs[0]); of != types_.end()) note(outputs[0], of->second);
      return write_node(kind, inputs, outputs, with);
    }
    const dtype d = types_.at(inputs[types->from]);
    dtype in = d;
    if (!holds(types->first, d)) {
      if (holds(types->later, d)) need_opset(types->opset);
      else if (const auto other = wider(d, types->first)) in = *other;
      else refuse(kind, "ONNX has none of " + std::string(jig::name_of(d)));
    }
    names given = inputs, made = outputs;
    const std::size_t end = (std::min)(given.size(), types->from + types->count);
    if (in != d)
      for (std::size_t k = types->from; k < end; ++k) given[k] = cast(given[k], in);
    const bool back = in != d && types->gives == node_types::result::same && !made[0].empty();
    if (back) made[0] = fresh();
    write_node(kind, given, made, with);
    if (back) write_node("Cast", {made[0]}, {outputs[0]}, {written_attribute::of("to", number_of_dtype(d))});
    note(outputs[0], types->gives == node_types::result::same    ? d
                     : types->gives == node_types::result::truth ? dtype::boolean
                                                                 : dtype::int64);
  }
  /// What is known of the dtype of a value.
  void note(const std::string& name, dtype d) { types_[name] = d; }
  /// A constant.
  std::string constant(const any_tensor& t) {
    const std::string name = fresh();
    note(name, t.dtype());
    graph_->message(5, [&](wire_writer& w) {
      for (int a = 0; a < t.rank(); ++a) w.integer(1, t.shape()[a]);
      w.number(2, static_cast<std::uint64_t>(number_of_dtype(t.dtype())));
      w.bytes(8, name);
      if (t.dtype() == dtype::string)
        for (index i = 0; i < t.size(); ++i) w.bytes(6, static_cast<const std::string*>(t.data())[i]);
      else w.bytes(9, {static_cast<const char*>(t.data()), static_cast<std::size_t>(t.size()) * size_of(t.dtype())});
    });
    return name;
  }
  std::string integers(const std::vector<index>& x) {
    any_tensor t = any_tensor::empty(dtype::int64, shape{1, {static_cast<index>(x.size())}});
    std::copy(x.begin(), x.end(), static_cast<std::int64_t*>(t.mutable_data()));
    return constant(t);
  }
  std::string number(dtype d, double value, bool as_vector = false) {
    any_tensor t = any_tensor::empty(d, as_vector ? shape{1, {1}} : shape{});
    detail::with_type_of(d, [&]<class T>(const T&) {
      if constexpr (is_storage_float<T>) *static_cast<T*>(t.mutable_data()) = T(static_cast<float>(value));
      else if constexpr (!std::is_same_v<T, std::string>) *static_cast<T*>(t.mutable_data()) = static_cast<T>(value);
    });
    return constant(t);
  }
  std::string cast(const std::string& x, dtype to) {
    const std::string out = make("Cast", {x}, {written_attribute::of("to", number_of_dtype(to))});
    note(out, to);
    return out;
  }
  void need_opset(index least) { opset_ = (std::max)(opset_, least); }
  /// The opset that the nodes so far need.
  index opset() const { return opset_; }

  /// The names of a graph's values, by node and port.
  using values = std::vector<names>;
  static const std::string& name_of(const values& v, edge e) { return v[at(e.node)][at(e.port)]; }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  /// Writes the nodes of a graph whose arguments have names.
  void write_nodes(const graph_view& g, values& v);

  /// A graph as a message, whose nodes `write` writes and whose results it returns.
  template <class Write>
  std::string body(const std::vector<std::pair<std::string, tensor_spec>>& inputs, const std::vector<tensor_spec>& outputs, Write write) {
    wire_writer graph;
    wire_writer* const around = graph_;
    graph_ = &graph;
    const names results = write();
    graph.bytes(2, fresh());
    for (const auto& [name, spec] : inputs) value_info(graph, 11, name, spec);
    for (std::size_t k = 0; k < results.size(); ++k) {
      const std::string out = make("Identity", {results[k]});
      value_info(graph, 12, out, outputs[k]);
    }
    graph_ = around;
    return std::string(graph.bytes());
  }
  std::string fresh() {
    for (;;) {
      std::string name = "v" + std::to_string(next_++);
      if (taken_.count(name) == 0) return name;
    }
  }
  [[noreturn]] static void refuse(std::string_view kind, const std::string& why) {
    detail::raise<error>("ONNX: " + std::string(kind) + ": " + why);
  }

 private:
  void write_node(std::string_view kind, const names& inputs, const names& outputs, const std::vector<written_attribute>& with) {
    graph_->message(1, [&](wire_writer& n) {
      for (const auto& i : inputs) n.bytes(1, i);
      for (const auto& o : outputs) n.bytes(2, o);
      n.bytes(4, kind);
      for (const auto& a : with) n.message(5, [&](wire_writer& w) { a.write(w); });
    });
  }
  void begin(wire_writer& g) { graph_ = &g; }
  void end() { graph_ = nullptr; }
  static void value_info(wire_writer& to, std::uint32_t field, const std::string& name, const tensor_spec& s) {
    to.message(field, [&](wire_writer& v) {
      v.bytes(1, name);
      v.message(2, [&](wire_writer& type) {
        type.message(1, [&](wire_writer& tensor) {
          tensor.number(1, static_cast<std::uint64_t>(number_of_dtype(s.dtype)));
          tensor.message(2, [&](wire_writer& extents) {
            for (int a = 0; a < s.shape.rank; ++a)
              extents.message(1, [&](wire_writer& dim) {
                if (is_static_extent(s.shape[a])) dim.integer(1, s.shape[a]);
                else if (is_named_extent(s.shape[a])) {
                  message name_of_extent;
                  append_extent(name_of_extent, s.shape[a]);
                  dim.bytes(2, name_of_extent.view());
                }
              });
          });
        });
      });
    });
  }

  wire_writer* graph_ = nullptr;
  std::set<std::string> taken_;
  std::map<std::string, dtype, std::less<>> types_;
  int next_ = 0;
  index opset_;
};

}  // namespace jig::onnx
