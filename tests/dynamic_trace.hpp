// SPDX-License-Identifier: MIT
#pragma once
// The same lambda traced statically and dynamically: both graphs are the same, node for node.

#include "without_line.hpp"

#include <doctest/doctest.h>

#include <jig.hpp>

#include <string>
#include <utility>
#include <vector>

// The graph of a lambda for arguments of these specs and literals, traced at run time with run-time specs.
template <class F, class... Key>
auto traced_dynamically(F f, Key... key) {
  auto at_run_time = []<class K>(K k) {
    auto leaf = []<class L>(L l) {
      if constexpr (jig::is_spec<L>) return L::value();
      else return l;
    };
    return jig::map_leaves(k, leaf);
  };
  return jig::detail::dynamic_trace("", f, at_run_time(key)...);
}

// GCC evaluates operands and arguments from right to left, but not in constant evaluation: there, nodes are compared in the order
// of who needs them. Where more depends on it, as for gradients and for what loops carry, lambdas have one operator in a statement
// and take references.
inline int ordered_body(jig::graph& to, const jig::graph_view& body);
inline void append_ordered(jig::graph& to, const jig::graph_view& from) {
  std::vector<int> moved(static_cast<std::size_t>(from.size()), -1);
  auto append = [&](auto& self, int id) -> void {
    auto& at = moved[static_cast<std::size_t>(id)];
    if (at >= 0) return;
    for (const auto& e : from.inputs_of(id)) self(self, e.node);
    at = jig::copy_node(
        to, from, id, [&](const jig::edge& e) { return jig::edge{moved[static_cast<std::size_t>(e.node)], e.port}; }, ordered_body);
  };
  for (int id : from.inputs()) append(append, id);
  for (int id = 0; id < from.size(); ++id)
    if (jig::is_stateful(from, from.data(id))) append(append, id);
  for (const auto& e : from.outputs()) append(append, e.node);
  for (int id = 0; id < from.size(); ++id) append(append, id);
  for (int id : from.inputs()) to.input_nodes.push_back(moved[static_cast<std::size_t>(id)]);
  for (const auto& e : from.outputs()) to.output_edges.push_back({moved[static_cast<std::size_t>(e.node)], e.port});
}
inline int ordered_body(jig::graph& to, const jig::graph_view& body) {
  auto around = to.begin_body();
  append_ordered(to, body);
  return to.end_body(std::move(around));
}
inline std::string ordered_text(const jig::graph_view& g) {
#ifdef __clang__
  return jig::to_text(g);
#else
  jig::graph ordered;
  append_ordered(ordered, g);
  return jig::to_text(ordered.view());
#endif
}

template <class F, class... Key>
void same_graph(F f, Key... key) {
  CHECK(ordered_text(traced_dynamically(f, key...).graph) == ordered_text(jig::graph_of(f, key...)));
}

// What is said when a lambda is traced dynamically that a static trace refuses.
template <class F, class... Key>
std::string refused_dynamically(F f, Key... key) {
  try {
    traced_dynamically(f, key...);
  } catch (const jig::invalid_argument& e) {
    return without_line(e.what());
  }
  return "accepted";
}

// The same for matrices of floats with extents that are numbers and that are not.
template <class F>
void same_graphs(F f) {
  same_graph(f, jig::spec<float, 2, 3>());
  same_graph(f, jig::spec<float, jig::dim<"n">, jig::dyn>());
}
