// SPDX-License-Identifier: MIT
#pragma once
// TensorFlow's messages read from the text format of protocol buffers.

#include <jig/io/limits.hpp>
#include <jig/io/tensorflow/messages.hpp>
#include <jig/io/tensorflow/wire_messages.hpp>

#include <bit>
#include <cerrno>
#include <cstdlib>

namespace jig::detail::tensorflow {

/// A field of a message as it stands in the text: a scalar, or a message with fields of its own.
struct text_field {
  std::string_view name;
  std::size_t offset = 0;
  bool is_string = false, is_message = false;
  std::string scalar{};
  std::vector<text_field> fields{};
};

/// Reads text into fields, whatever they mean.
class text_parser {
 public:
  text_parser(std::string_view text, const load_limits& limits, wire_problem& problem)
      : text_(text), problem_(problem), depth_(limits.nesting), left_(limits.elements) {}

  std::vector<text_field> parse() {
    std::vector<text_field> out;
    fields(out, '\0');
    return out;
  }

 private:
  bool failed() const { return problem_.found; }
  char peek() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
      } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        ++at_;
      } else {
        return c;
      }
    }
    return '\0';
  }
  bool take(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  static bool is_word(char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '+'; }
  static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
  std::string_view word() {
    (void)peek();
    const std::size_t from = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == from) problem_.note(at_, "a word is missing");
    return text_.substr(from, at_ - from);
  }
  void fields(std::vector<text_field>& to, char end) {
    while (!failed()) {
      const char c = peek();
      if (end != '\0' && take(end)) return;
      if (at_ == text_.size()) {
        if (end != '\0') problem_.note(at_, "a message has no end");
        return;
      }
      if (c == ',' || c == ';') {
        ++at_;
        continue;
      }
      const std::size_t offset = at_;
      const std::string_view name = word();
      const bool colon = take(':');
      if (take('[')) {
        while (!failed() && !take(']')) {
          value(to, name, offset, true);
          if (!take(',') && peek() != ']') problem_.note(at_, "a list has no end");
        }
      } else {
        value(to, name, offset, colon);
      }
    }
  }
  void value(std::vector<text_field>& to, std::string_view name, std::size_t offset, bool may_be_scalar) {
    if (failed()) return;
    if (--left_ < 0) return problem_.note(offset, "there are more fields than load_limits allow");
    text_field& f = to.emplace_back();
    f.name = name;
    f.offset = offset;
    if (take('{') || take('<')) {
      f.is_message = true;
      if (depth_ == 0) return problem_.note(offset, "messages lie too deep in each other");
      --depth_;
      fields(f.fields, text_[at_ - 1] == '{' ? '}' : '>');
      ++depth_;
    } else if (!may_be_scalar) {
      problem_.note(at_, "neither a value nor a message follows a name");
    } else if (peek() == '"' || peek() == '\'') {
      f.is_string = true;
      while (!failed() && (peek() == '"' || peek() == '\'')) string(f.scalar);
    } else {
      f.scalar = word();
    }
  }
  void string(std::string& to) {
    const char quote = text_[at_++];
    while (true) {
      if (at_ >= text_.size() || text_[at_] == '\n') return problem_.note(at_, "a string has no end");
      char c = text_[at_++];
      if (c == quote) return;
      if (c != '\\') {
        to += c;
        continue;
      }
      if (at_ >= text_.size()) return problem_.note(at_, "a string has no end");
      c = text_[at_++];
      if (c >= '0' && c <= '7') {
        int byte = c - '0';
        for (int k = 0; k < 2 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++k) byte = byte * 8 + (text_[at_++] - '0');
        to += static_cast<char>(byte & 255);
      } else if (c == 'x') {
        int byte = 0;
        for (int k = 0; k < 2 && at_ < text_.size() && hex_digit(text_[at_]) >= 0; ++k) byte = byte * 16 + hex_digit(text_[at_++]);
        to += static_cast<char>(byte);
      } else {
        constexpr std::string_view from = "abfnrtv", into = "\a\b\f\n\r\t\v";
        const auto k = from.find(c);
        to += k == from.npos ? c : into[k];
      }
    }
  }
  static int hex_digit(char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  }

  std::string_view text_;
  wire_problem& problem_;
  std::size_t at_ = 0;
  int depth_;
  index left_;
};

/// What fields mean in a GraphDef. Unknown ones are left out, as in the binary format.
class text_reader {
 public:
  text_reader(wire_problem& problem, read_budget& budget) : problem_(problem), budget_(budget) {}

  graph_message graph(const std::vector<text_field>& fields) {
    graph_message out;
    for (const auto& f : fields) {
      if (f.name == "node") out.node.push_back(node(f));
      else if (f.name == "versions") {
        for (const auto& v : message(f))
          if (v.name == "producer") out.producer = integer(v);
          else if (v.name == "min_consumer") out.min_consumer = integer(v);
      } else if (f.name == "library") {
        for (const auto& x : message(f))
          if (x.name == "function") out.library.push_back(function(x));
      }
    }
    return out;
  }

 private:
  const std::vector<text_field>& message(const text_field& f) {
    if (!f.is_message) problem_.note(f.offset, "a field is a value where a message is needed");
    return f.fields;
  }
  const std::string& text(const text_field& f) {
    if (!f.is_string) problem_.note(f.offset, "a field is no string");
    return f.scalar;
  }
  index integer(const text_field& f) {
    errno = 0;
    char* end = nullptr;
    const bool negative = !f.scalar.empty() && f.scalar[0] == '-';
    const index x = negative ? std::strtoll(f.scalar.c_str(), &end, 0) : static_cast<index>(std::strtoull(f.scalar.c_str(), &end, 0));
    if (f.is_message || f.is_string || f.scalar.empty() || *end != '\0' || errno != 0) problem_.note(f.offset, "a field is no integer");
    return x;
  }
  double real(const text_field& f) {
    char* end = nullptr;
    const double x = std::strtod(f.scalar.c_str(), &end);
    if (f.is_message || f.is_string || f.scalar.empty() || (*end != '\0' && std::string_view(end) != "f"))
      problem_.note(f.offset, "a field is no number");
    return x;
  }
  bool truth(const text_field& f) {
    if (f.scalar == "true" || f.scalar == "True" || f.scalar == "t" || f.scalar == "1") return true;
    if (f.scalar != "false" && f.scalar != "False" && f.scalar != "f" && f.scalar != "0")
      problem_.note(f.offset, "a field is neither true nor false");
    return false;
  }
  int type(const text_field& f) {
    if (!f.scalar.empty() && f.scalar[0] >= '0' && f.scalar[0] <= '9') return static_cast<int>(integer(f) & 0xffff);
    const int t = type_of_name(f.scalar);
    if (t < 0) problem_.note(f.offset, "there is no such DataType");
    return t < 0 ? 0 : t;
  }
  bool may_have(index& left, const text_field& f) {
    if (--left < 0) problem_.note(f.offset, "there are more nodes, attributes or elements than load_limits allow");
    return left >= 0;
  }

  node_def node(const text_field& from) {
    node_def out;
    out.offset = from.offset;
    if (!may_have(budget_.nodes, from)) return out;
    for (const auto& f : message(from)) {
      if (f.name == "name") out.name = text(f);
      else if (f.name == "op") out.op = text(f);
      else if (f.name == "input") out.input.push_back(text(f));
      else if (f.name == "device") out.device = text(f);
      else if (f.name == "attr") attr_entry(f, out.attr);
    }
    return out;
  }
  void attr_entry(const text_field& from, std::vector<named_attr>& to) {
    if (!may_have(budget_.attrs, from)) return;
    named_attr& a = to.emplace_back();
    for (const auto& f : message(from))
      if (f.name == "key") a.key = text(f);
      else if (f.name == "value") a.value = attr(f);
  }
  bool attr_field(const text_field& f, attr_value& out) {
    if (f.name == "s") out.kind = attr_kind::s, out.s = text(f);
    else if (f.name == "i") out.kind = attr_kind::i, out.i = integer(f);
    else if (f.name == "f") out.kind = attr_kind::f, out.f = static_cast<float>(real(f));
    else if (f.name == "b") out.kind = attr_kind::b, out.i = truth(f);
    else if (f.name == "type") out.kind = attr_kind::type, out.i = type(f);
    else if (f.name == "shape") out.kind = attr_kind::shape, out.shape = shape(f);
    else if (f.name == "tensor") out.kind = attr_kind::tensor, out.tensor = tensor(f);
    else if (f.name == "func") {
      out.kind = attr_kind::func;
      for (const auto& x : message(f))
        if (x.name == "name") out.s = text(x);
    } else {
      return false;
    }
    return true;
  }
  attr_value attr(const text_field& from) {
    attr_value out;
    for (const auto& f : message(from)) {
      if (f.name == "placeholder") {
        out.kind = attr_kind::placeholder;
        out.s = text(f);
      } else if (f.name == "list") {
        out.kind = attr_kind::list;
        for (const auto& x : message(f)) {
          attr_value entry;
          if (!may_have(budget_.attrs, x)) break;
          if (!attr_field(x, entry)) continue;
          out.of = entry.kind;
          out.list.push_back(std::move(entry));
        }
      } else {
        attr_field(f, out);
      }
    }
    return out;
  }
  shape_message shape(const text_field& from) {
    shape_message out;
    for (const auto& f : message(from)) {
      if (f.name == "unknown_rank") out.unknown_rank = truth(f);
      if (f.name != "dim") continue;
      if (out.dims.size() == 254) problem_.note(f.offset, "a shape has more than 254 axes");
      if (problem_.found) break;
      auto& d = out.dims.emplace_back();
      d.size = 0;
      for (const auto& x : message(f))
        if (x.name == "size") d.size = integer(x);
        else if (x.name == "name") d.name = text(x);
    }
    return out;
  }
  tensor_message tensor(const text_field& from) {
    tensor_message out;
    for (const auto& f : message(from)) {
      if (f.name == "dtype") out.dtype = type(f);
      else if (f.name == "tensor_shape") out.tensor_shape = shape(f);
      else if (f.name == "tensor_content") out.tensor_content = text(f);
      else if (!may_have(budget_.elements, f)) break;
      else if (f.name == "float_val") out.words.push_back(std::bit_cast<std::uint32_t>(static_cast<float>(real(f))));
      else if (f.name == "double_val") out.words.push_back(std::bit_cast<std::uint64_t>(real(f)));
      else if (f.name == "bool_val") out.words.push_back(truth(f));
      else if (f.name == "string_val") out.string_val.push_back(text(f));
      else if (f.name == "int_val" || f.name == "int64_val" || f.name == "half_val" || f.name == "uint32_val" || f.name == "uint64_val")
        out.words.push_back(static_cast<std::uint64_t>(integer(f)));
    }
    return out;
  }
  arg_def arg(const text_field& from) {
    arg_def out;
    for (const auto& f : message(from))
      if (f.name == "name") out.name = text(f);
      else if (f.name == "type") out.type = type(f);
    return out;
  }
  function_def function(const text_field& from) {
    function_def out;
    for (const auto& f : message(from)) {
      if (f.name == "signature") {
        for (const auto& x : message(f))
          if (x.name == "name") out.name = text(x);
          else if (x.name == "input_arg") out.input_arg.push_back(arg(x));
          else if (x.name == "output_arg") out.output_arg.push_back(arg(x));
          else if (x.name == "is_stateful") out.is_stateful = truth(x);
      } else if (f.name == "node_def") {
        out.node.push_back(node(f));
      } else if (f.name == "ret") {
        auto& e = out.ret.emplace_back();
        for (const auto& x : message(f))
          if (x.name == "key") e.key = text(x);
          else if (x.name == "value") e.value = text(x);
      } else if (f.name == "attr") {
        attr_entry(f, out.attr);
      }
    }
    return out;
  }

  wire_problem& problem_;
  read_budget& budget_;
};

}  // namespace jig::detail::tensorflow
