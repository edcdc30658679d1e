// SPDX-License-Identifier: MIT
#pragma once
// A graph as text, one line for each node: `add = AddV2(x, add/y) : float32 (None, 3)`, and below it its bodies.
// Made for reading and for comparing with expected text in tests. What writes is cold: compilers make small code of it, in two thirds of
// the time.

#include <jig/core/array_text.hpp>
#include <jig/graph/names.hpp>

#include <iosfwd>

namespace jig {

namespace detail {

inline constexpr std::size_t most_elements_shown = 8;

[[gnu::cold]] std::string spec_text(const auto& s) {
  message m;
  m << s;
  return std::string(m.view());
}

/// In double quotes, on one line.
[[gnu::cold]] std::string in_quotes(const auto& s) {
  std::string out = "\"";
  for (char c : s) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n') out += "\\n";
    else out += c;
  }
  return out + '"';
}

/// An element that is stored as a word.
[[gnu::cold]] std::string word_text(dtype d, std::unsigned_integral auto word) {
  if (d == dtype::float32) return scalar_text(std::bit_cast<float>(static_cast<std::uint32_t>(word)));
  if (d == dtype::float64) return scalar_text(std::bit_cast<double>(word));
  if (d == dtype::float16) return scalar_text(std::bit_cast<half>(static_cast<std::uint16_t>(word)));
  if (d == dtype::bfloat16) return scalar_text(std::bit_cast<bfloat16>(static_cast<std::uint16_t>(word)));
  if (d == dtype::boolean) return scalar_text(word != 0);
  return is_signed(d) ? scalar_text(static_cast<std::int64_t>(word)) : scalar_text(word);
}

/// `[a, b]`, or `a` alone when the list stands for a scalar; at most the first `shown` of `count` items.
template <class Item>
[[gnu::cold]] std::string list_text(std::size_t count, std::size_t shown, bool scalar, Item item) {
  std::string out;
  for (std::size_t i = 0; i < count && i < shown; ++i) out += (i > 0 ? ", " : "") + item(i);
  if (count > shown) out += ", ...";
  return scalar ? out : '[' + out + ']';
}

std::string words_text(const auto& n, const auto& words) {
  std::string_view strings = n.attribute("text").text;
  return list_text(words.size(), most_elements_shown, n.shape().rank == 0, [&](std::size_t i) {
    if (n.dtype() != dtype::string) return word_text(n.dtype(), words[i]);
    auto length = static_cast<std::size_t>(words[i]);
    auto element = strings.substr(0, length);
    strings.remove_prefix(element.size());
    return scalar_text(element);
  });
}

// `-1`, or `axis 0`, `axes 0 to 1 of input 1` where a list of extents has the product of some of an input.
[[gnu::cold]] inline std::string integer_text(index value) {
  if (value >= lowest_name || value < product_of_axes(15, 15, 15)) return scalar_text(value);
  const axes_product p = axes_of_product(value);
  message m;
  if (p.count == 1) m << "axis " << p.first;
  else m << "axes " << p.first << " to " << p.first + p.count - 1;
  if (p.input > 0) m << " of input " << p.input;
  return std::string(m.view());
}

[[gnu::cold]] std::string attribute_text(const auto& n, const auto& a) {
  switch (a.kind) {
    case attribute_kind::text: return in_quotes(a.text);
    case attribute_kind::words: return words_text(n, a.words);
    case attribute_kind::boolean: return "true";
    case attribute_kind::type: return std::string(name_of(static_cast<dtype>(a.values[0])));
    case attribute_kind::real: return scalar_text(std::bit_cast<double>(a.values[0]));
    case attribute_kind::body:
    case attribute_kind::integer:
    case attribute_kind::integers: break;
  }
  return list_text(a.values.size(), a.values.size(), a.kind == attribute_kind::integer,
                   [&](std::size_t i) { return integer_text(a.values[i]); });
}

/// ` {axes: [1], keep_dims: true}`, or nothing. Left out is what is false, and what the line says anyway.
[[gnu::cold]] std::string attributes_text(const auto& n) {
  std::string out;
  for (int i = 0; i < n.attribute_count(); ++i) {
    auto a = n.attribute(i);
    if (a.kind == attribute_kind::body || (a.kind == attribute_kind::boolean && a.values[0] == 0)) continue;
    if (n.kind().is(fact::input) && a.key == "name") continue;
    if (n.kind().is(fact::constant) && a.key == "text") continue;
    out += (out.empty() ? " {" : ", ") + std::string(a.key) + ": " + attribute_text(n, a);
  }
  return out.empty() ? out : out + '}';
}

std::string outputs_text(const auto& names, const auto& edges) {
  std::string out;
  for (const auto& e : edges) out += (out.empty() ? "" : ", ") + output_name(names, e);
  return out;
}

void append_text(std::string& out, const auto& g, const auto& names, const std::string& indent, bool lines);

// `then_branch(x, y):`, and its lines.
[[gnu::cold]] void append_body(std::string& out, const auto& body, std::string_view key, const auto& names, const std::string& indent,
                               bool lines) {
  out += indent + std::string(key) + '(';
  for (std::size_t k = 0; k < body.inputs().size(); ++k) out += (k > 0 ? ", " : "") + names[static_cast<std::size_t>(body.inputs()[k])];
  out += "):\n";
  append_text(out, body, names, indent + "  ", lines);
}

[[gnu::cold]] void append_text(std::string& out, const auto& g, const auto& names, const std::string& indent, bool lines) {
  for (int id = 0; id < g.size(); ++id) {
    auto n = g.node(id);
    if (!indent.empty() && n.kind().is(fact::input)) continue;
    out += indent + names[static_cast<std::size_t>(id)] + " = " + std::string(n.op()) + '(';
    out += outputs_text(names, n.inputs()) + ')' + attributes_text(n);
    for (int port = 0; port < n.outputs(); ++port) out += (port == 0 ? " : " : ", ") + spec_text(n.spec(port));
    if (const std::string line = lines ? to_text(n.line()) : std::string(); !line.empty()) out += "  # " + line;
    out += '\n';
    for (int i = 0; i < n.attribute_count(); ++i) {
      auto a = n.attribute(i);
      if (a.kind != attribute_kind::body) continue;
      const auto body = g.body(a.values[0]);
      append_body(out, body, a.key, body_names(body, n, names), indent + "  ", lines);
    }
  }
  out += indent + "return";
  if (!g.outputs().empty()) out += ' ' + outputs_text(names, g.outputs());
  out += '\n';
}

}  // namespace detail

/// The graph as text: a line `name = Op(inputs) {attributes} : dtype shape` for each node in order, and what
/// it returns. Attributes that are false are left out; of large constants the first eight elements are shown. Bodies
/// follow their node, further to the right; their arguments are in the order of the node's inputs.
template <class Graph = graph_view>
std::string to_text(const std::type_identity_t<Graph>& g) {
  std::string out;
  detail::append_text(out, g, node_names<Graph>(g), "", false);
  return out;
}

struct with_lines_t {};
/// Asks to_text for the line of the program that wrote each node.
inline constexpr with_lines_t with_lines;

/// The same, with `# file.cpp:12` behind the nodes of which the line is known: those of functions with a fixed number of arguments and of
/// operators between values, but for `==` and `!=`; not of operators beside plain numbers, of `-x` and of `x[i]`.
template <class Graph = graph_view>
std::string to_text(const std::type_identity_t<Graph>& g, with_lines_t) {
  std::string out;
  detail::append_text(out, g, node_names<Graph>(g), "", true);
  return out;
}

/// Writes to_text(g). A template, so that this header does without <ostream>.
template <class Traits>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, const graph_view& g) {
  return out << to_text(g);
}

}  // namespace jig
