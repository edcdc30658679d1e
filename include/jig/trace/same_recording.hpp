// SPDX-License-Identifier: MIT
#pragma once
// Whether two runs of a lambda recorded the same.

#include <jig/trace/builder.hpp>

namespace jig::detail {

/// Whether two nodes of different graphs are the same op with the same attributes and specs.
constexpr bool same_op(const graph_view& g, int id, const graph_view& h, int other) {
  const node_data &n = g.data(id), &m = h.data(other);
  if (!is_op(*n.kind, *m.kind) || !(n.spec == m.spec) || n.inputs.count != m.inputs.count || n.attributes.count != m.attributes.count ||
      n.more_specs.count != m.more_specs.count)
    return false;
  if (n.attributes.count == 0) return true;
  auto x = g.node(id), y = h.node(other);
  for (int k = 0; k < n.attributes.count; ++k) {
    auto a = x.attribute(k), b = y.attribute(k);
    if (a.key != b.key) return false;
    if (a.values.size() != b.values.size() || a.words.size() != b.words.size() || a.text.size() != b.text.size()) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      if (a.values[i] != b.values[i]) return false;
    for (std::size_t i = 0; i < a.words.size(); ++i)
      if (a.words[i] != b.words[i]) return false;
    for (std::size_t i = 0; i < a.text.size(); ++i)
      if (a.text[i] != b.text[i]) return false;
  }
  return true;
}

constexpr bool same_edges(stretch<edge> a, stretch<edge> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t k = 0; k < a.size(); ++k)
    if (!(a[k] == b[k])) return false;
  return true;
}

constexpr stretch<edge> pooled_edges(const builder& b, const range_of_pool& r) {
  return {b.pool.data() + r.first, static_cast<std::size_t>(r.count)};
}

constexpr bool same_event(const builder& a, const trace_event& e, const builder& b, const trace_event& f) {
  return e.kind == f.kind && e.at == f.at && e.until == f.until && e.outcome == f.outcome && e.condition == f.condition &&
         e.first == f.first && e.last == f.last && e.step == f.step && e.counter == f.counter && e.step_sign == f.step_sign &&
         e.varies == f.varies && same_edges(pooled_edges(a, e.before), pooled_edges(b, f.before)) &&
         same_edges(pooled_edges(a, e.values), pooled_edges(b, f.values));
}

/// Whether two builders hold the same nodes and events, with the same numbers, from these on up to those.
constexpr bool same_recording(const builder& a, const builder& b, int first_node, int last_node, int first_event, int last_event) {
  if (a.graph.size() < last_node || b.graph.size() < last_node || static_cast<int>(a.events.size()) < last_event ||
      static_cast<int>(b.events.size()) < last_event)
    return false;
  const graph_view g = a.graph.view(), h = b.graph.view();
  for (int id = first_node; id < last_node; ++id)
    if (!same_op(g, id, h, id) || !same_edges(g.inputs_of(id), h.inputs_of(id))) return false;
  for (int k = first_event; k < last_event; ++k)
    if (!same_event(a, a.events[k], b, b.events[k])) return false;
  return true;
}

}  // namespace jig::detail
