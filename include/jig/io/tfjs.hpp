// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow.js: a folder with a graph in `model.json` and its weights beside it. Needs nlohmann's JSON library.

#include <jig/io/files.hpp>
#include <jig/io/formats.hpp>
#include <jig/io/tensorflow/graph_at_calls.hpp>
#include <jig/io/tensorflow/json.hpp>
#include <jig/io/tensorflow/spelled_parts.hpp>
#include <jig/io/tensorflow/tfjs_ops.hpp>

namespace jig {

namespace detail::tensorflow {

/// A graph as TensorFlow.js has it: narrow dtypes, and elements of constants by the names of their nodes.
class tfjs_writer {
 public:
  json manifest = json::array();
  std::string weights;

  explicit tfjs_writer(graph_message& g) {
    for (auto& n : g.node) narrow(n);
    for (auto& f : g.library) {
      for (auto& n : f.node) narrow(n);
      for (auto* args : {&f.input_arg, &f.output_arg})
        for (auto& a : *args) a.type = narrow_type(f.name, a.type);
    }
  }
  // It has float32, int32, bool and strings.
  static int narrow_type(const std::string& node, index type) {
    switch (type) {
      case 2: return 1;
      case 9: return 3;
      case 1:
      case 3:
      case 7:
      case 10: return static_cast<int>(type);
      default: raise<error>("node " + node + ": TensorFlow.js has no " + name_of_type(type) + ": use jig::cast");
    }
  }
  static const char* name(int type) { return type == 1 ? "float32" : type == 3 ? "int32" : type == 10 ? "bool" : "string"; }

 private:
  void narrow(node_def& n) {
    if (!is_tfjs_op(n.op)) raise<error>("node " + n.name + ": TensorFlow.js has no " + n.op);
    for (auto& a : n.attr) {
      if (a.value.kind == attr_kind::type) a.value.i = narrow_type(n.name, a.value.i);
      else if (a.value.kind == attr_kind::list && a.value.of == attr_kind::type)
        for (auto& x : a.value.list) x.i = narrow_type(n.name, x.i);
      else if (a.value.kind == attr_kind::tensor) write_weight(n, a.value.tensor);
    }
  }
  void write_weight(const node_def& n, tensor_message& t) {
    json entry;
    std::vector<index> extents;
    for (const auto& d : t.tensor_shape.dims) extents.push_back(d.size);
    entry["name"] = n.name;
    entry["shape"] = extents;
    entry["dtype"] = name(narrow_type(n.name, t.dtype));
    manifest.push_back(std::move(entry));
    for (const auto& s : t.string_val) {
      put(s.size(), 4);
      weights += s;
    }
    for (const std::uint64_t w : t.words) put_element(n, t.dtype, w);
    const std::size_t size = t.dtype == 2 || t.dtype == 9 ? 8 : t.dtype == 10 ? 1 : 4;
    for (std::size_t at = 0; at + size <= t.tensor_content.size(); at += size) {
      std::uint64_t w = 0;
      for (std::size_t i = 0; i < size; ++i)
        w |= static_cast<std::uint64_t>(static_cast<unsigned char>(t.tensor_content[at + i])) << (8 * i);
      put_element(n, t.dtype, w);
    }
    t.dtype = narrow_type(n.name, t.dtype);
  }
  void put(std::uint64_t x, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) weights.push_back(static_cast<char>(x >> (8 * i) & 255));
  }
  void put_element(const node_def& n, int type, std::uint64_t w) {
    if (type == 2) return put(std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(w))), 4);
    if (type == 9 && static_cast<std::int64_t>(w) != static_cast<std::int32_t>(w))
      raise<error>("node " + n.name + ": TensorFlow.js has no int64, and " + std::to_string(static_cast<std::int64_t>(w)) + " is no int32");
    put(w, type == 10 ? 1 : 4);
  }
};

inline json tensor_info(const std::string& node, const tensor_spec& s) {
  json out;
  out["name"] = node + ":0";
  out["dtype"] = name_of_type(tfjs_writer::narrow_type(node, type_of_dtype(s.dtype)));
  out["tensorShape"] = json_writer::shape(shape_message_of(s.shape));
  return out;
}

// FNV-1a: files of other weights have other names, so that those that a model.json names stay until it is replaced.
inline std::string name_of_weights(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : bytes) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char name[40];
  std::snprintf(name, sizeof name, "weights-%016llx.bin", static_cast<unsigned long long>(hash));
  return name;
}

inline json parse_json(const std::string& text, const std::string& file, const load_limits& limits) {
  // Objects in the order of the file look for a key among all before it.
  constexpr int most_members = 1024;
  std::vector<int> members(static_cast<std::size_t>((std::max)(limits.nesting, 0)) + 2);
  const char* refused = nullptr;
  const auto watch = [&](int depth, json::parse_event_t event, json&) {
    if (refused == nullptr && depth > limits.nesting) refused = "values lie too deep in each other";
    if (refused != nullptr) return false;
    const auto at = static_cast<std::size_t>(depth);
    if (event == json::parse_event_t::object_start) members[at + 1] = 0;
    if (event == json::parse_event_t::key && ++members[at] > most_members) refused = "an object has more than 1024 members";
    return refused == nullptr;
  };
#ifdef __cpp_exceptions
  try {
    json out = json::parse(text, watch);
    if (refused != nullptr) throw_load_error(file, load_error::nowhere, refused);
    return out;
  } catch (const nlohmann::json::parse_error& e) {
    throw_load_error(file, e.byte, refused != nullptr ? refused : "this is no JSON");
  } catch (const nlohmann::json::exception&) {
    throw_load_error(file, load_error::nowhere, refused != nullptr ? refused : "a number is larger than there can be");
  }
#else
  json out = json::parse(text, watch, false);
  if (refused != nullptr || out.is_discarded()) throw_load_error(file, load_error::nowhere, "this is no JSON");
  return out;
#endif
}

/// The elements of weights that a manifest lists, by their names.
class tfjs_weights {
 public:
  tfjs_weights(const json_reader& in, const std::filesystem::path& folder, const json& manifest, const load_limits& limits)
      : in_(in), left_(limits.elements) {
    for (const json& group : in.array(manifest)) {
      std::string bytes;
      for (const json& path : in.array(in.member(group, "paths"))) {
        const std::string name = in.text(path);
        if (name.empty() || name.find('/') != name.npos || name.find('\\') != name.npos || name == "." || name == "..")
          in.fail("the weights are in " + name + ", which is no file in the folder");
        load_limits left = limits;
        left.bytes -= static_cast<index>(bytes.size());
        bytes += read_file(folder / name, left);
      }
      std::size_t at = 0;
      for (const json& w : in.array(in.member(group, "weights"))) read_weight(w, bytes, at);
    }
  }
  const tensor_message* find(const std::string& name) const {
    const auto found = weights_.find(name);
    return found == weights_.end() ? nullptr : &found->second;
  }

 private:
  void read_weight(const json& w, const std::string& bytes, std::size_t& at) {
    const std::string name = in_.text(w, "name"), type = in_.text(w, "dtype");
    tensor_message t;
    t.dtype = type == "float32" ? 1 : type == "int32" ? 3 : type == "bool" ? 10 : type == "string" ? 7 : 0;
    if (t.dtype == 0) in_.fail("weight " + name + ": jig has no dtype like " + type);
    index count = 1;
    for (const json& e : in_.array(in_.member(w, "shape"))) {
      const index extent = in_.integer(e);
      if (extent < 0 || t.tensor_shape.dims.size() == static_cast<std::size_t>(max_rank) || !multiply_extents(count, extent, count))
        in_.fail("weight " + name + ": there is no such shape");
      t.tensor_shape.dims.push_back({extent, ""});
    }
    if ((left_ -= count) < 0 || count < 0) in_.fail("weights have more elements than load_limits allow");
    const json* const packed = in_.find(w, "quantization");
    const std::string stored = packed != nullptr ? in_.text(*packed, "dtype") : type;
    const std::size_t size = stored == "uint8" || stored == "bool" ? 1 : stored == "uint16" || stored == "float16" ? 2 : 4;
    if (t.dtype != 7 && static_cast<std::uint64_t>(count) > (bytes.size() - at) / size)
      in_.fail("weight " + name + ": its file ends before it");
    const auto next = [&](std::size_t n) {
      std::uint64_t x = 0;
      if (bytes.size() - at < n) in_.fail("weight " + name + ": its file ends before it");
      for (std::size_t i = 0; i < n; ++i) x |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[at++])) << (8 * i);
      return x;
    };
    const double scale = packed != nullptr ? real(*packed, "scale", 1) : 1, least = packed != nullptr ? real(*packed, "min", 0) : 0;
    for (index k = 0; k < count; ++k) {
      if (t.dtype == 7) {
        const std::size_t length = static_cast<std::size_t>(next(4));
        if (bytes.size() - at < length) in_.fail("weight " + name + ": its file ends before it");
        t.string_val.emplace_back(bytes, at, length);
        at += length;
        continue;
      }
      const std::uint64_t x = next(size);
      if (packed == nullptr)
        t.words.push_back(t.dtype == 10 ? x != 0 : t.dtype == 3 ? static_cast<std::uint64_t>(static_cast<std::int32_t>(x)) : x);
      else if (stored == "float16")
        t.words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<half>(static_cast<std::uint16_t>(x)))));
      else if (t.dtype == 1) t.words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(static_cast<double>(x) * scale + least)));
      else in_.fail("weight " + name + ": it is packed in a way that jig does not know");
    }
    weights_[name] = std::move(t);
  }
  double real(const json& of, const char* key, double otherwise) const {
    const json* const found = in_.find(of, key);
    return found != nullptr && found->is_number() ? found->get<double>() : otherwise;
  }

  const json_reader& in_;
  index left_;
  std::unordered_map<std::string, tensor_message> weights_;
};

}  // namespace detail::tensorflow

namespace detail {

inline void write_tfjs(const named_graph& g, const std::filesystem::path& folder) {
  using namespace tensorflow;
  exporter written(g, {.unique_constants = true});
  const graph_view view = g.graph.view();
  tfjs_writer narrow(written.out);
  json model;
  model["format"] = "graph-model";
  model["generatedBy"] = "jig";
  model["convertedBy"] = "jig";
  json inputs = json::object(), outputs = json::object();
  for (std::size_t k = 0; k < g.inputs.size(); ++k)
    inputs[g.inputs[k]] = tensor_info(written.out.node[k].name, view.data(view.inputs()[k]).spec);
  for (std::size_t k = 0; k < g.outputs.size(); ++k)
    outputs[g.outputs[k]] = tensor_info(written.result_nodes[k], view.spec(view.outputs()[k]));
  model["signature"] = {{"inputs", std::move(inputs)}, {"outputs", std::move(outputs)}};
  model["modelTopology"] = json_writer::graph(written.out);
  const std::string weights = name_of_weights(narrow.weights);
  model["weightsManifest"] = json::array({{{"paths", json::array({weights})}, {"weights", std::move(narrow.manifest)}}});
  model["userDefinedMetadata"] = {{"name", g.name}};

  require_folder(folder);
  // The weights first: a model.json that is there names others until it is replaced.
  std::vector<std::filesystem::path> old;
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (name.size() == weights.size() && name.substr(0, 8) == "weights-" && name.substr(name.size() - 4) == ".bin" && name != weights)
      old.push_back(entry.path());
  }
  replace_file(folder / weights, narrow.weights);
  replace_file(folder / "model.json", model.dump(-1, ' ', false, json::error_handler_t::replace));
  for (const auto& path : old) std::filesystem::remove(path, ignored);
}

inline model_graphs read_tfjs(const std::filesystem::path& given, const load_limits& limits) {
  using namespace tensorflow;
  const std::filesystem::path folder = given.filename() == "model.json" ? given.parent_path() : given;
  const std::string file = (folder / "model.json").string();
  const json model = parse_json(read_file(file, limits), file, limits);
  read_budget budget{limits.elements, limits.nodes, 8 * limits.nodes};
  json_reader in(file, budget);
  if (in.text(model, "format") != "graph-model") in.fail("its format is no graph-model");
  graph_message g = in.graph(in.member(model, "modelTopology"));
  const json* const manifest = in.find(model, "weightsManifest");
  const json none = json::array();
  const tfjs_weights weights(in, folder, manifest == nullptr ? none : *manifest, limits);
  const auto fill = [&](std::vector<node_def>& nodes) {
    for (auto& n : nodes) {
      if (n.op != "Const") continue;
      const tensor_message* const w = weights.find(n.name);
      if (w == nullptr) in.fail("node " + n.name + " (Const): the weights have no elements for it");
      std::erase_if(n.attr, [](const named_attr& a) { return a.key == "value"; });
      auto& value = n.attr.emplace_back();
      value.key = "value";
      value.value.kind = attr_kind::tensor;
      value.value.tensor = *w;
    }
  };
  fill(g.node);
  for (auto& f : g.library) fill(f.node);
  std::vector<std::string> names, nodes;
  std::vector<std::pair<std::string, std::string>> arguments;
  if (const json* const signature = in.find(model, "signature")) {
    const json* const outputs = in.find(*signature, "outputs");
    if (outputs != nullptr && outputs->is_object())
      for (const auto& [key, info] : outputs->items()) {
        names.push_back(key);
        nodes.push_back(in.text(info, "name"));
      }
    const json* const inputs = in.find(*signature, "inputs");
    if (inputs != nullptr && inputs->is_object())
      for (const auto& [key, info] : inputs->items()) {
        std::string node = in.text(info, "name");
        arguments.emplace_back(node.substr(0, node.find(':')), key);
      }
  }
  // What the signature calls arguments.
  for (auto& n : g.node)
    for (const auto& [node, key] : arguments)
      if (n.op == "Placeholder" && n.name == node) {
        std::erase_if(n.attr, [](const named_attr& a) { return a.key == "_user_specified_name"; });
        n.attr.push_back({"_user_specified_name", {}});
        n.attr.back().value.kind = attr_kind::s;
        n.attr.back().value.s = key;
      }
  graph_names called{nodes, names, {}};
  if (const json* const about = in.find(model, "userDefinedMetadata"); about != nullptr && about->is_object())
    if (const json* const name = in.find(*about, "name"); name != nullptr && name->is_string()) called.name = name->get<std::string>();
  return model_of_graph(std::move(g), called, file, limits);
}

inline file_format tfjs_format{
    .name = "TensorFlow.js", .extension = "", .marker = "model.json", .write = write_tfjs, .read_model = read_tfjs};
inline const bool tfjs_entered = enter_format(tfjs_format);

}  // namespace detail

}  // namespace jig
