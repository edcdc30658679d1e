// SPDX-License-Identifier: MIT
#pragma once
// Notes: the texts that trace_note has left in a graph.

#include <jig/graph/graph.hpp>
#include <jig/ops/effect.hpp>

namespace jig {

namespace detail {

constexpr void append_notes(list<std::string_view>& to, const graph_view& g) {
  for (int id = 0; id < g.size(); ++id) {
    if (is_op(g.node(id).kind(), ops::trace_note)) to.push_back(g.node(id).attribute("note").text);
    if (g.data(id).kind->is(fact::control)) g.for_each_body(g.data(id), [&](const graph_view& body) { append_notes(to, body); });
  }
}

}  // namespace detail

/// All notes of a graph and its bodies, in the order of the program. They live as long as the graph.
constexpr list<std::string_view> notes(const graph_view& g) {
  list<std::string_view> found;
  detail::append_notes(found, g);
  return found;
}

}  // namespace jig
