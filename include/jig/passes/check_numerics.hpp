// SPDX-License-Identifier: MIT
#pragma once
// Checking numerics: every floating value of a graph is looked at, so that a call names the node that made NaN or infinity.

#include <jig/graph/walk.hpp>
#include <jig/ops/effect.hpp>

namespace jig {

namespace detail {

// Whether a node may be the first to hold what is not finite. Constants and views are not, and what goes into bodies and comes
// out of them is checked on the other side.
constexpr bool makes_numbers(const op& kind, bool is_body) {
  return !(is_body && kind.is(fact::input)) && !kind.is(fact::constant | fact::view | fact::control) && !is_op(kind, ops::check_numerics);
}

template <class Graph>
constexpr void append_checked(graph& to, const Graph& from, bool is_body);

template <class Graph>
constexpr int append_checked_body(graph& to, const Graph& body) {
  auto around = to.begin_body();
  append_checked(to, body, true);
  return to.end_body(std::move(around));
}

// Copies all nodes; what reads a floating value reads what its check returns.
template <class Graph>
constexpr void append_checked(graph& to, const Graph& from, bool is_body) {
  list<edge> now;   // of all outputs of all nodes
  list<int> first;  // output of a node
  auto renamed = [&](const edge& e) { return now[first[e.node] + e.port]; };
  for (int id = 0; id < from.size(); ++id) {
    const auto n = from.node(id);
    const int copy = copy_node(to, from, id, renamed, append_checked_body<Graph>);
    first.push_back(static_cast<int>(now.size()));
    for (int port = 0; port < n.outputs(); ++port) {
      edge e{copy, port};
      if (is_floating(n.dtype(port)) && makes_numbers(n.kind(), is_body)) e = to.add(ops::check_numerics, n.spec(port), {&e, 1});
      now.push_back(e);
    }
    if (n.kind().is(fact::input)) to.input_nodes.push_back(copy);
  }
  for (const auto& e : from.outputs()) to.output_edges.push_back(renamed(e));
}

}  // namespace detail

/// The graph with a CheckNumerics node behind every floating value that is computed or given, those of bodies included. Prune
/// before: the checks keep what they check.
template <class Graph = graph_view>
constexpr graph check_numerics(const std::type_identity_t<Graph>& g) {
  graph out;
  detail::append_checked<Graph>(out, g, false);
  return out;
}

}  // namespace jig
