// SPDX-License-Identifier: MIT
#pragma once
// What is known before a call of the elements of a graph.

#include <jig/passes/rewrite.hpp>

namespace jig::detail {

/// The value of an elementwise op, if it is known when its operands are.
constexpr known_bits known_value(const op& kind, const known_operands& x) {
  for (std::size_t k = 0; k < x.size() && x.is_floating() && !kind.is(fact::moves); ++k)
    if (!is_finite_number(x.type, x[k])) return {};
  return kind.value(x);
}

/// The element of a node of rank 0, from those of its inputs: `input(edge)` are known bits.
template <class Input>
constexpr known_bits known_scalar(const graph_view& g, int id, Input input) {
  const node_data& n = g.data(id);
  if (n.spec.shape.rank != 0 || n.spec.dtype == dtype::string) return {};
  if (n.kind->is(fact::constant)) return {true, g.node(id).attribute("value").words[0]};
  if (!n.kind->is(fact::elementwise)) return {};
  list<std::uint64_t> x;
  for (const auto& e : g.inputs_of(id)) {
    const known_bits found = input(e);
    if (!found.known) return {};
    x.push_back(found.bits);
  }
  return known_value(*n.kind, {{x.data(), x.size()}, g.spec(g.inputs_of(id).back()).dtype, n.spec.dtype});
}

/// What is known of the results of a body when this is known of its arguments.
template <class Graph>
constexpr list<known_bits> known_results(const Graph& body, const list<known_bits>& arguments) {
  list<known_bits> now(body.size()), results;
  for (std::size_t k = 0; k < body.inputs().size(); ++k) now[body.inputs()[k]] = arguments[k];
  const auto known = [&](const edge& e) { return e.port == 0 ? now[e.node] : known_bits(); };
  for (int id = 0; id < body.size(); ++id)
    if (!body.data(id).kind->is(fact::input)) now[id] = known_scalar(body, id, known);
  for (const auto& e : body.outputs()) results.push_back(known(e));
  return results;
}

}  // namespace jig::detail
