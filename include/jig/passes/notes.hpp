// SPDX-License-Identifier: MIT
#pragma once
// Notes: the texts that trace_note has left in a graph.

#include <jig/graph/graph.hpp>
#include <jig/graph/names.hpp>
#include <jig/ops/effect.hpp>

#include <string>

namespace jig {

namespace detail {

constexpr void append_notes(list<std::string_view>& to, const graph_view& g) {
  for (int id = 0; id < g.size(); ++id) {
    if (is_op(g.node(id).kind(), ops::trace_note)) to.push_back(g.node(id).attribute("note").text);
    if (g.data(id).kind->is(fact::control)) g.for_each_body(g.data(id), [&](const graph_view& body) { append_notes(to, body); });
  }
}

}  // namespace detail

/// All notes of a graph and its bodies, in the order of the program. They live as long as the graph. Values have a placeholder in them,
/// `{}`.
constexpr list<std::string_view> notes(const graph_view& g) {
  list<std::string_view> found;
  detail::append_notes(found, g);
  return found;
}

namespace detail {

// As TensorFlow prints what it traces.
[[gnu::cold]] std::string traced_text(const auto& g, const edge& e, const std::vector<std::string>& names) {
  message m;
  m << "Tensor(\"" << names[static_cast<std::size_t>(e.node)] << ':' << static_cast<index>(e.port) << "\", shape=" << g.spec(e).shape
    << ", dtype=" << name_of(g.spec(e).dtype) << ')';
  return std::string(m.view());
}

[[gnu::cold]] void append_note_lines(std::string& to, const auto& g, const std::vector<std::string>& names) {
  for (int id = 0; id < g.size(); ++id) {
    const auto n = g.node(id);
    if (is_op(n.kind(), ops::trace_note)) {
      std::string_view rest = n.attribute("note").text;
      const std::string_view placeholder = n.attribute("placeholder").text;
      for (const edge& e : n.inputs()) {
        const std::size_t at = rest.find(placeholder);
        to += rest.substr(0, at);
        to += traced_text(g, e, names);
        rest.remove_prefix(at + placeholder.size());
      }
      to += rest;
      to += '\n';
    }
    if (n.kind().is(fact::control))
      g.for_each_body(g.data(id), [&](const graph_view& body) { append_note_lines(to, body, body_names(body, n, names)); });
  }
}

}  // namespace detail

/// The notes of a graph and its bodies as Python prints them while TensorFlow traces, a line for each:
/// `Tracing with Tensor("a:0", shape=(), dtype=int32)`.
template <class Graph = graph_view>
[[gnu::cold]] std::string notes_text(const std::type_identity_t<Graph>& g) {
  std::string lines;
  detail::append_note_lines(lines, g, node_names(g));
  return lines;
}

}  // namespace jig
