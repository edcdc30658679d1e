// SPDX-License-Identifier: MIT
#pragma once
// Graphs whose large constants are arguments: passes and plans copy graphs node by node, and what no pass looks into need not go along.

#include <jig/passes/fold_constants.hpp>
#include <jig/runtime/node_by_node.hpp>

#include <vector>

namespace jig::detail {

/// Takes constants of more elements than passes fold out of a graph. They become arguments behind its own.
template <class Tensor = any_tensor>
class held_constants {
 public:
  /// Whether there is any.
  static bool has_any(const graph_view& g) {
    for (int v = 0; v < g.size(); ++v)
      if (is_large(g.data(v))) return true;
    return false;
  }
  explicit held_constants(const graph_view& g) : own_(g.inputs().size()) {
    graph out;
    list<edge> renamed(g.size()), held;
    for (int v = 0; v < g.size(); ++v) {
      if (!is_large(g.data(v))) {
        renamed[v] = {copy_node(out, g, v, [&](const edge& e) { return edge{renamed[e.node].node, e.port}; }), 0};
        continue;
      }
      renamed[v] = out.add(ops::placeholder, g.data(v).spec, {});
      held.push_back(renamed[v]);
      values_.push_back(constant_tensor<Tensor>(g, v));
    }
    finish(out, g, renamed, held);
  }

  const graph& rest() const { return rest_; }
  const std::vector<Tensor>& values() const { return values_; }
  /// Goes on with what passes have made of the rest. What only moves elements of constants has happened: there is a copy that lies so.
  void go_on_with(const graph_view& g) {
    std::vector<Tensor> known(static_cast<std::size_t>(g.size()));
    for (std::size_t k = 0; k < values_.size(); ++k) known[at(g.inputs()[own_ + k])] = std::move(values_[k]);
    std::vector<char> is_known(known.size());
    for (std::size_t k = own_; k < g.inputs().size(); ++k) is_known[at(g.inputs()[k])] = 1;
    values_.clear();
    graph out;
    list<edge> renamed(g.size()), held;
    for (int v = 0; v < g.size(); ++v) {
      if (is_known[at(v)] || (is_known[at(first_input(g, v))] && is_copied(g, v))) {
        if (!is_known[at(v)]) {
          const list<attribute_view> with = g.node(v).attributes();
          known[at(v)] = op_run<Tensor>(*g.data(v).kind, with, {known[at(first_input(g, v))].view()})(1)[0];
          is_known[at(v)] = 1;
        }
        renamed[v] = {-1, 0};
        continue;
      }
      for (const auto& e : g.inputs_of(v))
        if (is_known[at(e.node)]) hold(out, renamed, held, known, g, e.node);
      renamed[v] = {copy_node(out, g, v, [&](const edge& e) { return edge{renamed[e.node].node, e.port}; }), 0};
    }
    for (const auto& e : g.outputs())
      if (is_known[at(e.node)]) hold(out, renamed, held, known, g, e.node);
    finish(out, g, renamed, held);
  }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static bool is_large(const node_data& n) {
    return n.kind->is(fact::constant) && n.spec.dtype != dtype::string && n.spec.shape.size() > most_folded_elements;
  }
  // Of the node itself if it has none.
  static int first_input(const graph_view& g, int v) { return g.inputs_of(v).empty() ? v : g.inputs_of(v)[0].node; }
  // A view of one value that repeats no elements.
  static bool is_copied(const graph_view& g, int v) {
    const node_data& n = g.data(v);
    return n.kind->is(fact::view) && !n.kind->is(fact::checked | fact::stateful) && g.inputs_of(v).size() == 1 && n.more_specs.count == 0 &&
           n.spec.shape.is_static() && n.spec.shape.size() <= g.spec(g.inputs_of(v)[0]).shape.size();
  }
  void hold(graph& out, list<edge>& renamed, list<edge>& held, const std::vector<Tensor>& known, const graph_view& g, int v) {
    if (renamed[v].node >= 0) return;
    renamed[v] = out.add(ops::placeholder, g.data(v).spec, {});
    held.push_back(renamed[v]);
    values_.push_back(known[at(v)]);
  }
  void finish(graph& out, const graph_view& g, const list<edge>& renamed, const list<edge>& held) {
    for (std::size_t k = 0; k < own_; ++k) out.input_nodes.push_back(renamed[g.inputs()[k]].node);
    for (const auto& e : held) out.input_nodes.push_back(e.node);
    for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[e.node].node, e.port});
    rest_ = std::move(out);
  }

  std::size_t own_;
  graph rest_;
  std::vector<Tensor> values_;
};

}  // namespace jig::detail
