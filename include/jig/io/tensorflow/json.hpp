// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's messages in protocol buffers' JSON, as TensorFlow.js reads them.

#include <jig/io/load_error.hpp>
#include <jig/io/tensorflow/messages.hpp>
#include <jig/io/tensorflow/wire_messages.hpp>

#include <nlohmann/json.hpp>

namespace jig::detail::tensorflow {

using json = nlohmann::ordered_json;

inline std::string base64(std::string_view bytes) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k) three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k) out += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63];
  }
  return out;
}
/// What base64 stands for; characters that are no digits end it.
inline std::string from_base64(std::string_view text) {
  constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int count = 0;
  for (char c : text) {
    if (c == '-') c = '+';
    if (c == '_') c = '/';
    const std::size_t value = digits.find(c);
    if (value == digits.npos) break;
    bits = (bits << 6 | static_cast<std::uint32_t>(value)) & 0xffffff;
    if ((count += 6) < 8) continue;
    count -= 8;
    out += static_cast<char>(bits >> count & 255);
  }
  return out;
}

class json_writer {
 public:
  static json graph(const graph_message& g) {
    json out;
    out["node"] = json::array();
    for (const auto& n : g.node) out["node"].push_back(node(n));
    if (!g.library.empty()) {
      json functions = json::array();
      for (const auto& f : g.library) functions.push_back(function(f));
      out["library"]["function"] = std::move(functions);
    }
    out["versions"] = {{"producer", g.producer}, {"minConsumer", g.min_consumer}};
    return out;
  }
  static json shape(const shape_message& s) {
    json dims = json::array();
    for (const auto& d : s.dims) dims.push_back({{"size", std::to_string(d.size)}});
    return dims.empty() ? json::object() : json{{"dim", std::move(dims)}};
  }

 private:
  static json node(const node_def& n) {
    json out{{"name", n.name}, {"op", n.op}};
    if (!n.input.empty()) out["input"] = n.input;
    out["attr"] = json::object();
    for (const auto& a : n.attr) out["attr"][a.key] = attr(a.value);
    return out;
  }
  static json function(const function_def& f) {
    const auto args = [](const std::vector<arg_def>& all) {
      json list = json::array();
      for (const auto& a : all) list.push_back({{"name", a.name}, {"type", name_of_type(a.type)}});
      return list;
    };
    json out;
    out["signature"] = {{"name", f.name}, {"inputArg", args(f.input_arg)}, {"outputArg", args(f.output_arg)}};
    out["nodeDef"] = json::array();
    for (const auto& n : f.node) out["nodeDef"].push_back(node(n));
    out["ret"] = json::object();
    for (const auto& r : f.ret) out["ret"][r.key] = r.value;
    return out;
  }
  static json attr(const attr_value& a) {
    switch (a.kind) {
      case attr_kind::none: return json::object();
      case attr_kind::s: return {{"s", base64(a.s)}};
      case attr_kind::i: return {{"i", std::to_string(a.i)}};
      case attr_kind::f: return {{"f", a.f}};
      case attr_kind::b: return {{"b", a.i != 0}};
      case attr_kind::type: return {{"type", name_of_type(a.i)}};
      case attr_kind::shape: return {{"shape", shape(a.shape)}};
      // Elements are in the file of weights.
      case attr_kind::tensor: return {{"tensor", {{"dtype", name_of_type(a.tensor.dtype)}, {"tensorShape", shape(a.tensor.tensor_shape)}}}};
      case attr_kind::placeholder: return {{"placeholder", a.s}};
      case attr_kind::func: return {{"func", {{"name", a.s}}}};
      case attr_kind::list: break;
    }
    json list = json::array();
    constexpr std::string_view keys[] = {"", "", "s", "i", "f", "b", "type", "shape", "tensor", "", "func"};
    for (const auto& x : a.list) {
      json entry = attr(x);
      list.push_back(std::move(entry.begin().value()));
    }
    json out = json::object();
    if (!a.list.empty()) out[std::string(keys[static_cast<int>(a.of)])] = std::move(list);
    return {{"list", std::move(out)}};
  }
};

/// Reads the messages of a file.
/// Errors: what is no such message throws load_error.
class json_reader {
 public:
  json_reader(std::string file, read_budget& budget) : file_(std::move(file)), budget_(budget) {}

  [[noreturn]] void fail(const std::string& why) const { throw_load_error(file_, load_error::nowhere, why); }

  /// A member of an object, or null where there is none.
  const json* find(const json& of, const char* key) const {
    if (!of.is_object()) fail(std::string("there is no object where ") + key + " is looked for");
    const auto found = of.find(key);
    return found == of.end() || found->is_null() ? nullptr : &*found;
  }
  const json& member(const json& of, const char* key) const {
    const json* const found = find(of, key);
    if (found == nullptr) fail(std::string("there is no ") + key);
    return *found;
  }
  std::string text(const json& of) const {
    if (!of.is_string()) fail("there is no string where one is needed: " + of.dump().substr(0, 60));
    return of.get<std::string>();
  }
  std::string text(const json& of, const char* key) const {
    const json* const found = find(of, key);
    return found == nullptr ? std::string() : text(*found);
  }
  index integer(const json& of) const {
    if (of.is_number_integer()) return of.get<index>();
    if (of.is_string()) {
      const std::string s = of.get<std::string>();
      char* end = nullptr;
      errno = 0;
      const index x = std::strtoll(s.c_str(), &end, 10);
      if (!s.empty() && *end == '\0' && errno == 0) return x;
    }
    fail("there is no integer where one is needed: " + of.dump().substr(0, 60));
  }
  const json& array(const json& of) const {
    if (!of.is_array()) fail("there is no array where one is needed");
    return of;
  }
  int type(const json& of) const {
    if (of.is_number_integer()) return static_cast<int>(integer(of) & 0xffff);
    const int t = type_of_name(text(of));
    if (t < 0) fail("there is no DataType " + text(of));
    return t;
  }
  shape_message shape(const json& of) const {
    shape_message out;
    if (const json* const u = find(of, "unknownRank")) out.unknown_rank = u->is_boolean() && u->get<bool>();
    if (const json* const dims = find(of, "dim"))
      for (const json& d : array(*dims)) {
        if (out.dims.size() == 254) fail("a shape has more than 254 axes");
        const json* const size = find(d, "size");
        out.dims.push_back({size == nullptr ? 0 : integer(*size), text(d, "name")});
      }
    return out;
  }

  graph_message graph(const json& of) {
    graph_message out;
    for (const json& n : array(member(of, "node"))) out.node.push_back(node(n));
    if (const json* const library = find(of, "library"))
      if (const json* const functions = find(*library, "function"))
        for (const json& f : array(*functions)) out.library.push_back(function(f));
    return out;
  }

 private:
  node_def node(const json& of) {
    if (--budget_.nodes < 0) fail("the graph has more nodes than load_limits allow");
    node_def out;
    out.name = text(of, "name");
    out.op = text(of, "op");
    if (const json* const inputs = find(of, "input"))
      for (const json& x : array(*inputs)) out.input.push_back(text(x));
    if (const json* const attrs = find(of, "attr")) {
      if (!attrs->is_object()) fail("the attributes of node " + out.name + " are no object");
      for (const auto& [key, value] : attrs->items()) {
        if (--budget_.attrs < 0) fail("nodes have more attributes than load_limits allow");
        out.attr.push_back({key, attr(value)});
      }
    }
    return out;
  }
  attr_value attr(const json& of) {
    attr_value out;
    if (!of.is_object()) fail("an attribute is no object");
    for (const auto& [key, value] : of.items()) {
      if (key == "list") {
        out.kind = attr_kind::list;
        if (!value.is_object()) fail("a list of an attribute is no object");
        for (const auto& [kind, entries] : value.items())
          for (const json& x : array(entries)) {
            if (--budget_.attrs < 0) fail("attributes have more entries than load_limits allow");
            attr_value entry;
            scalar(kind, x, entry);
            out.of = entry.kind;
            out.list.push_back(std::move(entry));
          }
      } else {
        scalar(key, value, out);
      }
    }
    return out;
  }
  void scalar(const std::string& key, const json& value, attr_value& out) {
    if (key == "s") out.kind = attr_kind::s, out.s = from_base64(text(value));
    else if (key == "i") out.kind = attr_kind::i, out.i = integer(value);
    else if (key == "f") {
      out.kind = attr_kind::f;
      if (!value.is_number()) fail("an attribute is no number");
      out.f = static_cast<float>(value.get<double>());
    } else if (key == "b") {
      out.kind = attr_kind::b;
      if (!value.is_boolean()) fail("an attribute is neither true nor false");
      out.i = value.get<bool>();
    } else if (key == "type") out.kind = attr_kind::type, out.i = type(value);
    else if (key == "shape") out.kind = attr_kind::shape, out.shape = shape(value);
    else if (key == "tensor") out.kind = attr_kind::tensor;
    else if (key == "func") out.kind = attr_kind::func, out.s = text(value, "name");
  }
  std::vector<arg_def> args(const json& signature, const char* key) {
    std::vector<arg_def> out;
    if (const json* const all = find(signature, key))
      for (const json& a : array(*all)) {
        const json* const t = find(a, "type");
        out.push_back({text(a, "name"), t == nullptr ? 0 : type(*t)});
      }
    return out;
  }
  function_def function(const json& of) {
    function_def out;
    const json& signature = member(of, "signature");
    out.name = text(signature, "name");
    out.input_arg = args(signature, "inputArg");
    out.output_arg = args(signature, "outputArg");
    if (const json* const nodes = find(of, "nodeDef"))
      for (const json& n : array(*nodes)) out.node.push_back(node(n));
    if (const json* const ret = find(of, "ret")) {
      if (!ret->is_object()) fail("the results of function " + out.name + " are no object");
      for (const auto& [key, value] : ret->items()) out.ret.push_back({key, text(value)});
    }
    return out;
  }

  std::string file_;
  read_budget& budget_;
};

}  // namespace jig::detail::tensorflow
