// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's messages as text, as protoc prints them: fields in the order of their numbers, entries of maps in that of their keys.

#include <jig/io/tensorflow/messages.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace jig::detail::tensorflow {

class text_writer {
 public:
  std::string out;

  void write(const graph_message& g) {
    for (const auto& n : g.node) write_node("node", n);
    if (!g.library.empty())
      block("library", [&] {
        for (const auto& f : g.library) block("function", [&] { write_function(f); });
      });
    block("versions", [&] {
      if (g.producer != 0) line("producer", std::to_string(g.producer));
      if (g.min_consumer != 0) line("min_consumer", std::to_string(g.min_consumer));
    });
  }

 private:
  void write_node(const char* field, const node_def& n) {
    block(field, [&] {
      text("name", n.name);
      text("op", n.op);
      for (const auto& x : n.input) line("input", quoted(x));
      text("device", n.device);
      write_attrs(n.attr);
    });
  }
  void write_function(const function_def& f) {
    const auto write_arg = [&](const char* field, const arg_def& a) {
      block(field, [&] {
        text("name", a.name);
        if (a.type != 0) line("type", name_of_type(a.type));
      });
    };
    block("signature", [&] {
      text("name", f.name);
      for (const auto& a : f.input_arg) write_arg("input_arg", a);
      for (const auto& a : f.output_arg) write_arg("output_arg", a);
      if (f.is_stateful) line("is_stateful", "true");
      for (const auto& c : f.control_ret) line("control_output", quoted(c.key));
    });
    for (const auto& n : f.node) write_node("node_def", n);
    for (const auto* r : sorted(f.ret))
      block("ret", [&] {
        line("key", quoted(r->key));
        line("value", quoted(r->value));
      });
    write_attrs(f.attr);
    for (const auto* r : sorted(f.control_ret))
      block("control_ret", [&] {
        line("key", quoted(r->key));
        line("value", quoted(r->value));
      });
  }
  void write_attrs(const std::vector<named_attr>& attrs) {
    for (const auto* a : sorted(attrs))
      block("attr", [&] {
        line("key", quoted(a->key));
        block("value", [&] { write_attr(a->value); });
      });
  }
  void write_attr(const attr_value& a) {
    switch (a.kind) {
      case attr_kind::none: break;
      case attr_kind::list:
        block("list", [&] {
          for (const auto& x : a.list) write_attr(x);
        });
        break;
      case attr_kind::s: line("s", quoted(a.s)); break;
      case attr_kind::i: line("i", std::to_string(a.i)); break;
      case attr_kind::f: line("f", real(a.f)); break;
      case attr_kind::b: line("b", a.i != 0 ? "true" : "false"); break;
      case attr_kind::type: line("type", name_of_type(a.i)); break;
      case attr_kind::shape: block("shape", [&] { write_shape(a.shape); }); break;
      case attr_kind::tensor: block("tensor", [&] { write_tensor(a.tensor); }); break;
      case attr_kind::placeholder: line("placeholder", quoted(a.s)); break;
      case attr_kind::func: block("func", [&] { text("name", a.s); }); break;
    }
  }
  void write_shape(const shape_message& s) {
    for (const auto& d : s.dims)
      block("dim", [&] {
        if (d.size != 0) line("size", std::to_string(d.size));
        text("name", d.name);
      });
    if (s.unknown_rank) line("unknown_rank", "true");
  }
  void write_tensor(const tensor_message& t) {
    if (t.dtype != 0) line("dtype", name_of_type(t.dtype));
    block("tensor_shape", [&] { write_shape(t.tensor_shape); });
    if (!t.tensor_content.empty()) line("tensor_content", quoted(t.tensor_content));
    for (const std::uint64_t w : t.words) {
      switch (t.dtype) {
        case 1: line("float_val", real(std::bit_cast<float>(static_cast<std::uint32_t>(w)))); break;
        case 2: line("double_val", real(std::bit_cast<double>(w))); break;
        case 9: line("int64_val", std::to_string(static_cast<std::int64_t>(w))); break;
        case 10: line("bool_val", w != 0 ? "true" : "false"); break;
        case 14:
        case 19: line("half_val", std::to_string(static_cast<std::int32_t>(w))); break;
        case 22: line("uint32_val", std::to_string(w)); break;
        case 23: line("uint64_val", std::to_string(w)); break;
        default: line("int_val", std::to_string(static_cast<std::int32_t>(w))); break;
      }
    }
    for (const auto& s : t.string_val) line("string_val", quoted(s));
  }

  // As few digits as read back to the same number, out of two choices.
  static std::string real(float x) {
    return real(x, 6, 9, [](const char* s) { return std::strtof(s, nullptr); });
  }
  static std::string real(double x) {
    return real(x, 15, 17, [](const char* s) { return std::strtod(s, nullptr); });
  }
  template <class T, class Parse>
  static std::string real(T x, int few, int all, Parse parse) {
    if (std::isnan(x)) return "nan";
    if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
    char digits[40];
    std::snprintf(digits, sizeof digits, "%.*g", few, static_cast<double>(x));
    if (parse(digits) != x) std::snprintf(digits, sizeof digits, "%.*g", all, static_cast<double>(x));
    return digits;
  }
  static std::string quoted(const std::string& s) {
    std::string out = "\"";
    for (const char c : s) {
      const auto byte = static_cast<unsigned char>(c);
      switch (c) {
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '"': out += "\\\""; break;
        case '\'': out += "\\'"; break;
        case '\\': out += "\\\\"; break;
        default:
          if (byte >= 32 && byte < 127) {
            out += c;
          } else {
            out += '\\';
            for (int shift = 6; shift >= 0; shift -= 3) out += static_cast<char>('0' + ((byte >> shift) & 7));
          }
      }
    }
    return out + '"';
  }
  void text(const char* field, const std::string& s) {
    if (!s.empty()) line(field, quoted(s));
  }
  void line(const char* field, const std::string& value) { out += indent_ + field + ": " + value + '\n'; }
  template <class F>
  void block(const char* field, F inside) {
    out += indent_ + field + " {\n";
    indent_ += "  ";
    inside();
    indent_.resize(indent_.size() - 2);
    out += indent_ + "}\n";
  }
  template <class Entry>
  static std::vector<const Entry*> sorted(const std::vector<Entry>& all) {
    std::vector<const Entry*> out;
    for (const auto& x : all) out.push_back(&x);
    std::sort(out.begin(), out.end(), [](const Entry* a, const Entry* b) { return a->key < b->key; });
    return out;
  }

  std::string indent_;
};

}  // namespace jig::detail::tensorflow
