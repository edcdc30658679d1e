// SPDX-License-Identifier: MIT
#pragma once
// A graph of TensorFlow's with signatures and variables as a model. Each signature is what its results depend on.

#include <jig/io/model_graphs.hpp>
#include <jig/io/tensorflow/bundle.hpp>
#include <jig/io/tensorflow/imported_control.hpp>
#include <jig/io/tensorflow/meta_graph.hpp>

#include <filesystem>
#include <optional>
#include <unordered_map>

namespace jig::detail::tensorflow {

/// Reads a model from what `saved_model.pb` says and the checkpoint beside it.
/// Errors: whatever jig has no word for throws load_error.
class model_reader final : public variable_source {
  static constexpr std::size_t most_signatures = 256;

 public:
  model_reader(std::vector<meta_graph_message> graphs, const std::filesystem::path& folder, const std::string& file,
               const load_limits& limits)
      : folder_(folder), file_(file), limits_(limits), left_(limits) {
    meta_graph_message& from = chosen(graphs);
    for (std::size_t i = 0; i < from.graph.node.size(); ++i) places_.emplace(from.graph.node[i].name, i);
    if (from.signatures.size() > most_signatures) fail(from.signatures[most_signatures], "there are more than 256 signatures");
    for (const auto& s : from.signatures)
      // TensorFlow's own, which have no results.
      if (s.key.substr(0, 14) != "__saved_model_") read_signature(from.graph, s);
    if (out_.functions.empty()) throw_load_error(file_, load_error::nowhere, "the model has no signatures");
  }
  model_graphs take() { return std::move(out_); }

  tensor_spec spec_of(const variable_read& v) override {
    const any_tensor& value = out_.variables[number_of(v)].value;
    return {value.dtype(), value.shape()};
  }

 private:
  [[noreturn, gnu::cold]] void fail(const signature_message& s, const std::string& why) const {
    throw_load_error(file_, s.offset, "signature " + s.key + ": " + why);
  }
  meta_graph_message& chosen(std::vector<meta_graph_message>& graphs) const {
    for (auto& g : graphs)
      if (std::find(g.tags.begin(), g.tags.end(), "serve") != g.tags.end()) return g;
    if (graphs.size() != 1) throw_load_error(file_, load_error::nowhere, "no graph of the model has the tag serve");
    return graphs[0];
  }

  // The node and output that a signature names.
  std::pair<std::size_t, index> place_of(const signature_message& s, const tensor_info_message& t) const {
    if (t.name.empty()) fail(s, t.key + " is no dense tensor");
    const std::string_view name = t.name;
    const std::size_t colon = name.find(':');
    const auto found = places_.find(name.substr(0, colon));
    if (found == places_.end()) fail(s, t.name + " is in no node of the graph");
    index port = 0;
    for (const char c : colon == name.npos ? std::string_view() : name.substr(colon + 1)) {
      if (c < '0' || c > '9' || port > 1000000) fail(s, t.name + " names no output");
      port = port * 10 + (c - '0');
    }
    return {found->second, port};
  }
  template <class Less>
  static std::vector<const tensor_info_message*> sorted(const std::vector<tensor_info_message>& infos, Less less) {
    std::vector<const tensor_info_message*> out;
    for (const auto& t : infos) out.push_back(&t);
    std::sort(out.begin(), out.end(), less);
    return out;
  }

  void read_signature(graph_message& from, const signature_message& s) {
    for (const auto& other : out_.functions)
      if (other.key == s.key) fail(s, "there are two of this name");
    // Maps have no order: that of the nodes is taken, and of their outputs.
    const auto before = [&](const auto* a, const auto* b) {
      return std::pair(place_of(s, *a), a->key) < std::pair(place_of(s, *b), b->key);
    };
    const auto inputs = sorted(s.inputs, before), outputs = sorted(s.outputs, before);
    graph_message part;
    std::unordered_map<std::size_t, const tensor_info_message*> fed;
    for (const auto* t : inputs) {
      const auto [node, port] = place_of(s, *t);
      if (port != 0) fail(s, "the argument " + t->key + " is an output of " + t->name + " that is not its first");
      if (!fed.emplace(node, t).second) fail(s, "the argument " + t->key + " is another one too");
    }
    const auto needed = nodes_needed(from, s, outputs, fed);
    for (std::size_t i = 0; i < from.node.size(); ++i)
      if (const auto argument = fed.find(i); argument != fed.end()) part.node.push_back(placeholder(from.node[i], *argument->second));
      else if (needed[i]) part.node.push_back(from.node[i]);
    std::vector<std::string> references;
    for (const auto* t : outputs)
      references.push_back(t->name.substr(0, t->name.rfind(":0") == t->name.size() - 2 ? t->name.size() - 2 : t->name.npos));
    std::swap(part.library, from.library);
    model_function& made = out_.functions.emplace_back();
    made.key = s.key;
    {
      importer reads(import_special, part, file_, left_, references, this);
      left_ = reads.left();
      for (const auto& v : reads.variables) {
        made.variables.push_back(number_of(v));
        out_.variables[made.variables.back()].declared = v.declared;
      }
      made.graph = reads.take();
    }
    std::swap(part.library, from.library);
    made.graph.name = s.key;
    for (std::size_t k = 0; k < outputs.size(); ++k) made.graph.outputs[k] = outputs[k]->key;
  }
  // What the results depend on, but for what arguments depend on.
  std::vector<char> nodes_needed(const graph_message& from, const signature_message& s,
                                 const std::vector<const tensor_info_message*>& outputs,
                                 const std::unordered_map<std::size_t, const tensor_info_message*>& fed) const {
    std::vector<char> needed(from.node.size(), 0);
    std::vector<std::size_t> next;
    const auto want = [&](std::size_t i) {
      if (needed[i] || fed.count(i) > 0) return;
      needed[i] = 1;
      next.push_back(i);
    };
    for (const auto* t : outputs) want(place_of(s, *t).first);
    if (outputs.empty()) fail(s, "it has no results");
    while (!next.empty()) {
      const node_def& n = from.node[next.back()];
      next.pop_back();
      for (std::string_view reference : n.input) {
        if (!reference.empty() && reference[0] == '^') reference.remove_prefix(1);
        // One that is missing is refused where it is used.
        if (const auto found = places_.find(reference.substr(0, reference.find(':'))); found != places_.end()) want(found->second);
      }
      if (n.op == "Placeholder") fail(s, "it depends on the placeholder " + n.name + ", which is none of its arguments");
    }
    return needed;
  }
  static node_def placeholder(const node_def& of, const tensor_info_message& t) {
    node_def n;
    n.name = of.name;
    n.op = "Placeholder";
    n.offset = of.offset;
    const auto add = [&](const char* key, attr_kind kind) -> attr_value& {
      n.attr.push_back({key, {}});
      n.attr.back().value.kind = kind;
      return n.attr.back().value;
    };
    add("_user_specified_name", attr_kind::s).s = t.key;
    add("dtype", attr_kind::type).i = t.dtype;
    add("shape", attr_kind::shape).shape = t.shape;
    return n;
  }

  // Which of the model's variables one of the graph is; its value is read when it is first met.
  std::size_t number_of(const variable_read& v) {
    if (const auto found = numbers_.find(v.name()); found != numbers_.end()) return found->second;
    if (!values_) values_.emplace(folder_ / "variables" / "variables", limits_);
    const std::string key = key_of(v);
    out_.variables.push_back({v.name(), v.declared, values_->tensor(key)});
    numbers_.emplace(v.name(), out_.variables.size() - 1);
    return out_.variables.size() - 1;
  }
  // TensorFlow 1 keeps variables under the names of their nodes, TensorFlow 2 under paths of objects that have these names.
  std::string key_of(const variable_read& v) {
    for (const std::string& key : {v.node, v.shared_name})
      if (!key.empty() && values_->contains(key)) return key;
    const std::string objects = "_CHECKPOINTABLE_OBJECT_GRAPH";
    if (!paths_read_ && values_->contains(objects)) read_paths(values_->text(objects));
    paths_read_ = true;
    const auto found = paths_.find(v.name());
    if (found == paths_.end()) throw_load_error(values_->file(), load_error::nowhere, "the checkpoint has no variable " + v.name());
    if (found->second.empty()) throw_load_error(values_->file(), load_error::nowhere, "the checkpoint has several variables " + v.name());
    return found->second;
  }
  void read_paths(const std::string& bytes) {
    wire_problem problem;
    for (wire_reader r(bytes, problem); r.next();) {
      if (r.field() != 1) continue;
      for (wire_reader object = r.message(); object.next();) {
        if (object.field() != 2) continue;
        std::string name, key;
        for (wire_reader in = object.message(); in.next();)
          if (in.field() == 2) name = in.bytes();
          else if (in.field() == 3) key = in.bytes();
        if (name.empty() || key.empty()) continue;
        const auto [at, is_new] = paths_.emplace(name, key);
        if (!is_new && at->second != key) at->second.clear();
      }
    }
    if (problem.found)
      throw_load_error(values_->file(), load_error::nowhere, std::string("the names of the checkpoint's objects: ") + problem.reason);
  }

  std::filesystem::path folder_;
  std::string file_;
  load_limits limits_, left_;
  std::unordered_map<std::string_view, std::size_t> places_;
  model_graphs out_;
  std::unordered_map<std::string, std::size_t> numbers_;
  std::optional<bundle_reader> values_;
  std::unordered_map<std::string, std::string> paths_;
  bool paths_read_ = false;
};

}  // namespace jig::detail::tensorflow
