// SPDX-License-Identifier: MIT
#pragma once
// A model as a graph of TensorFlow's: its variables, the nodes that save and restore them, and its functions as signatures. It is in the
// form of TensorFlow 1, which TensorFlow 2, its servers and converters read too.

#include <jig/io/model_graphs.hpp>
#include <jig/io/tensorflow/meta_graph.hpp>
#include <jig/io/tensorflow/spelled_parts.hpp>

#include <map>

namespace jig::detail::tensorflow {

/// Writes a model as a MetaGraphDef.
/// Errors: what TensorFlow cannot say throws jig::error.
class model_writer {
 public:
  explicit model_writer(const model_graphs& model) : to_(export_options{}), top_(to_.top()) {
    for (const auto& v : model.variables) add_variable(v);
    if (!variables_.empty()) add_saver();
    for (const auto& f : model.functions) add_function(f, model.functions.size() > 1 ? exporter::node_name(f.key) + '/' : "");
    out.tags = {"serve"};
    out.graph = std::move(to_.out);
  }

  meta_graph_message out;
  /// The names that the values of the model's variables have in the checkpoint.
  std::vector<std::string> keys;

 private:
  written_value operation(std::string_view op, std::string_view name, const std::vector<written_value>& inputs,
                          std::vector<named_attr> attrs) {
    return top_.add(op, name, inputs, std::move(attrs), {});
  }
  void add_variable(const model_variable& v) {
    const dtype d = v.declared.dtype;
    const std::string name = exporter::node_name(v.name);
    const written_value handle =
        top_.add("VarHandleOp", name, {},
                 {type_attr("dtype", d), shape_attr("shape", v.declared.shape), text_attr("shared_name", ""), text_attr("container", "")},
                 v.declared);
    // Each node is a variable of its own name.
    for (auto& a : top_.last().attr)
      if (a.key == "shared_name") a.value.s = handle.node;
    const written_value extents = top_.integers(handle.node + "/Initializer/zeros/shape_as_tensor",
                                                stretch<index>(v.value.shape().extents, static_cast<std::size_t>(v.value.rank())));
    const written_value zero = top_.number(handle.node + "/Initializer/zeros/Const", d, 0);
    const written_value zeros = top_.add("Fill", handle.node + "/Initializer/zeros", {extents, zero},
                                         {type_attr("T", d), type_attr("index_type", dtype::int32)}, v.declared);
    const written_value made = operation("AssignVariableOp", handle.node + "/Assign", {handle, zeros}, {type_attr("dtype", d)});
    const written_value read =
        top_.add("ReadVariableOp", handle.node + "/Read/ReadVariableOp", {handle}, {type_attr("dtype", d)}, v.declared);
    out.variables.push_back({handle.node + ":0", made.node, read.node + ":0", zeros.node + ":0"});
    variables_.push_back(handle);
    reads_.push_back(read);
    keys.push_back(handle.node);
  }
  written_value strings(std::string_view name, const std::vector<std::string>& texts) {
    std::vector<std::uint64_t> lengths;
    std::string together;
    for (const auto& t : texts) {
      lengths.push_back(t.size());
      together += t;
    }
    return top_.constant(name, {dtype::string, shape{1, {static_cast<index>(texts.size())}}}, lengths, together);
  }
  void add_saver() {
    std::vector<dtype> dtypes;
    for (const auto& v : variables_) dtypes.push_back(v.spec.dtype);
    const written_value otherwise = top_.string("save/filename/input", "model");
    const written_value path = top_.add("PlaceholderWithDefault", "save/Const", {otherwise},
                                        {type_attr("dtype", dtype::string), shape_attr("shape", {})}, {dtype::string, {}});
    const written_value names = strings("save/tensor_names", keys),
                        slices = strings("save/shape_and_slices", std::vector<std::string>(keys.size()));
    std::vector<written_value> inputs{path, names, slices};
    inputs.insert(inputs.end(), reads_.begin(), reads_.end());
    const written_value saved = operation("SaveV2", "save/SaveV2", inputs, {types_attr("dtypes", dtypes)});
    const written_value done = top_.call("Identity", "save/control_dependency", {path}, path.spec);
    top_.last().input.push_back('^' + saved.node);
    const written_value restored = operation("RestoreV2", "save/RestoreV2", {path, names, slices}, {types_attr("dtypes", dtypes)});
    std::vector<std::string> assigned;
    for (std::size_t k = 0; k < variables_.size(); ++k) {
      written_value value = restored;
      value.port = static_cast<int>(k);
      assigned.push_back(
          '^' + operation("AssignVariableOp", "save/AssignVariableOp", {variables_[k], value}, {type_attr("dtype", dtypes[k])}).node);
    }
    const written_value all_restored = operation("NoOp", "save/restore_all", {}, {});
    top_.last().input = assigned;
    out.saver_filename = path.node + ":0";
    out.saver_save = done.node + ":0";
    out.saver_restore = all_restored.node;
  }

  static void require_differing(const named_graph& g, const std::vector<tensor_info_message>& infos) {
    for (std::size_t k = 0; k < infos.size(); ++k)
      for (std::size_t j = 0; j < k; ++j)
        if (infos[k].key == infos[j].key) raise<error>(g.name + ": two arguments or results are called " + infos[k].key);
  }
  void add_function(const model_function& f, const std::string& prefix) {
    const named_graph& g = f.graph;
    const graph_view view = g.graph.view();
    // The variable that an argument or result is, by its number.
    std::map<std::size_t, std::size_t> arguments, results;
    std::vector<std::string> handles(g.inputs.size());
    for (std::size_t k = 0; k < f.variables.size(); ++k) {
      arguments.emplace(static_cast<std::size_t>(g.variables[k].input), f.variables[k]);
      handles[static_cast<std::size_t>(g.variables[k].input)] = variables_[f.variables[k]].node;
      if (g.variables[k].output >= 0) results.emplace(static_cast<std::size_t>(g.variables[k].output), f.variables[k]);
    }
    const auto nodes = to_.add(g, prefix, handles);
    signature_message& s = out.signatures.emplace_back();
    s.key = f.key;
    const auto info = [](const std::string& key, const std::string& node, const tensor_spec& is) {
      return tensor_info_message{key, node + ":0", type_of_dtype(is.dtype), shape_message_of(is.shape)};
    };
    for (std::size_t k = 0; k < g.inputs.size(); ++k)
      if (arguments.count(k) == 0) s.inputs.push_back(info(g.inputs[k], nodes.arguments[k], view.data(view.inputs()[k]).spec));
    // Assignments wait for what reads the old value, results for the assignments.
    std::vector<std::string> assigned;
    for (const auto& [output, variable] : results) {
      const written_value value{nodes.results[output], 0, "output", 0, false, view.spec(view.outputs()[output])};
      operation("AssignVariableOp", prefix + "AssignVariableOp", {variables_[variable], value}, {type_attr("dtype", value.spec.dtype)});
      for (const auto& [input, read] : arguments)
        if (read == variable) top_.last().input.push_back('^' + nodes.arguments[input]);
      assigned.push_back('^' + top_.last().name);
    }
    const auto wait = [&](const std::string& name) {
      for (auto n = to_.out.node.rbegin(); n != to_.out.node.rend(); ++n)
        if (n->name == name) return void(n->input.insert(n->input.end(), assigned.begin(), assigned.end()));
    };
    for (std::size_t k = 0; k < g.outputs.size(); ++k) {
      if (results.count(k) > 0) continue;
      wait(nodes.results[k]);
      s.outputs.push_back(info(g.outputs[k], nodes.results[k], view.spec(view.outputs()[k])));
    }
    // What has no results of its own returns what it has assigned, since TensorFlow only runs what a result waits for.
    if (s.outputs.empty())
      for (const auto& [output, variable] : results) {
        const tensor_spec is = view.spec(view.outputs()[output]);
        const written_value value{nodes.results[output], 0, "output", 0, false, is};
        const written_value made = top_.call("Identity", prefix + "Identity", {value}, is);
        top_.last().input.insert(top_.last().input.end(), assigned.begin(), assigned.end());
        s.outputs.push_back(info(variables_[variable].node, made.node, is));
      }
    if (s.outputs.empty()) raise<error>(g.name + ": a signature has results: this function has none");
    require_differing(g, s.inputs);
    require_differing(g, s.outputs);
  }

  exporter to_;
  scope& top_;
  std::vector<written_value> variables_, reads_;
};

}  // namespace jig::detail::tensorflow
