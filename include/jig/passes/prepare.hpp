// SPDX-License-Identifier: MIT
#pragma once
// The graph that a plan is made for: with only what is needed, with a node for every output, and with copies where the planner
// needs memory that no node would write.

#include <jig/core/list.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/passes/blocks_of_memory.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

constexpr bool stores_nothing(const op& kind) { return kind.is(fact::input) || kind.is(fact::constant) || kind.is(fact::view); }
// Whether every node is needed, every value is a node and the planner finds memory for every result as the graph stands.
template <class Graph = graph_view>
constexpr bool is_ready(const std::type_identity_t<Graph>& g, stretch<char> dense_arguments) {
  for (char dense : dense_arguments)
    if (!dense) return false;
  list<char> state = needed_nodes(g);
  for (int v = 0; v < g.size(); ++v)
    if (!state[at(v)] && !g.data(v).kind->is(fact::input)) return false;
  for (const auto& n : g.nodes_)
    if (n.kind->is(fact::view | fact::control) || n.more_specs.count > 0 || is_storage(n.spec.dtype)) return false;
  for (const auto& e : g.outputs()) {
    if (stores_nothing(*g.data(e.node).kind) || state[at(e.node)] == 2) return false;
    state[at(e.node)] = 2;
  }
  return true;
}

// The graph with only what is needed, with a node for every further output behind the node that has it, and with copies
// where the planner needs memory that no node would write: results that are arguments, constants, views or another result,
// and reshaped memory that is not contiguous.
template <class Graph>
class preparation {
 public:
  constexpr preparation(const Graph& g, stretch<char> dense_arguments) : g_(g), dense_arguments_(dense_arguments) {}

  constexpr graph run() {
    list<char> needed = needed_nodes(g_);
    std::size_t arguments = 0;
    for (int v = 0; v < g_.size(); ++v) {
      renamed_.push_back(-1);
      const op& kind = *g_.data(v).kind;
      if (!needed[at(v)] && !kind.is(fact::input)) continue;
      bool dense = true;
      if (kind.is(fact::input)) dense = dense_arguments_[arguments++] != 0;
      if (kind.is(fact::view)) {
        edge in = g_.inputs_of(v)[0];
        int from = place_of(in).node;
        dense = kind.is(fact::keeps_order);
        if (dense && !dense_[at(from)]) renamed_[at(in.node)] = copy_of(from);
      }
      if (kind.is(fact::reads_dense)) {
        const edge in = g_.inputs_of(v)[0];
        if (const int from = place_of(in).node; !dense_[at(from)] && !is_block(from)) renamed_[at(in.node)] = copy_of(from);
      }
      if (is_op(kind, ops::pad) || ((is_op(kind, ops::concat) || is_op(kind, ops::pack)) && !joins_computed(v)))
        for (const auto& in : g_.inputs_of(v))
          if (const int from = place_of(in).node; is_scattered(from, is_op(kind, ops::pad))) renamed_[at(in.node)] = copy_of(from);
      if (computes_with_storage(v)) {
        add_in_float(v);
        continue;
      }
      renamed_[at(v)] = copy_node(out_, g_, v, [&](const edge& e) { return place_of(e); });
      note(dense, !stores_nothing(kind));
      for (int port = 1; port <= g_.data(v).more_specs.count; ++port) add_output(renamed_[at(v)], port);
    }
    for (int v : g_.inputs()) {
      int to = renamed_[at(v)];
      // Behind a copy that took the argument's place.
      if (!out_.nodes[at(to)].kind->is(fact::input)) to = out_.view().inputs_of(to)[0].node;
      out_.input_nodes.push_back(to);
    }
    for (const auto& e : g_.outputs()) {
      int v = place_of(e).node;
      if (!stored_[at(v)]) v = copy_of(v);
      stored_[at(v)] = 0;  // a second result needs memory of its own
      out_.output_edges.push_back({v, 0});
    }
    return std::move(out_);
  }

 private:
  constexpr void note(bool dense, bool stored) {
    dense_.push_back(dense);
    stored_.push_back(stored);
  }
  constexpr bool computes_with_storage(int v) const {
    const op& kind = *g_.data(v).kind;
    if (!kind.is(fact::elementwise | fact::reduction | fact::computes) || is_op(kind, ops::cast)) return false;
    bool any = is_storage(g_.data(v).spec.dtype);
    for (const auto& e : g_.inputs_of(v)) any = any || is_storage(g_.spec(e).dtype);
    return any;
  }
  // Storage dtypes are computed in float32, and every result is rounded, so that it does not matter what is fused.
  constexpr void add_in_float(int v) {
    list<edge> inputs;
    for (const auto& e : g_.inputs_of(v)) {
      edge in = place_of(e);
      const tensor_spec s = g_.spec(e);
      inputs.push_back(is_storage(s.dtype) ? converted(in, {dtype::float32, s.shape}) : in);
    }
    const tensor_spec result = g_.data(v).spec;
    const list<attribute_view> with = g_.node(v).attributes();
    edge made = out_.add(*g_.data(v).kind, {is_storage(result.dtype) ? dtype::float32 : result.dtype, result.shape}, inputs, with);
    note(true, true);
    if (is_storage(result.dtype)) made = converted(made, result);
    renamed_[at(v)] = made.node;
  }
  constexpr edge converted(const edge& in, const tensor_spec& to) {
    note(true, true);
    return add_cast(out_, in, to);
  }
  // Whether a loop may compute parts of a join in their place, where a copy of another part would be in its way.
  constexpr bool joins_computed(int join) const {
    for (const auto& e : g_.inputs_of(join))
      if (g_.data(e.node).kind->is(fact::elementwise)) return true;
    return false;
  }
  // Whether a value is a transpose, or reversed, of so many elements that loops read it in less time than kernels that move rows.
  constexpr bool is_scattered(int v, bool when_reversed) const {
    constexpr index fewest = 256;
    const index n = out_.view().data(v).spec.shape.size();
    const op& kind = *out_.nodes[at(v)].kind;
    return (is_op(kind, ops::transpose) || (when_reversed && is_op(kind, ops::reverse))) && (n < 0 || n >= fewest);
  }
  // Whether a view of dense memory shows a dense block of it.
  constexpr bool is_block(int v) const {
    const graph_view made = out_.view();
    if (!made.data(v).kind->is(fact::view)) return false;
    const int from = made.inputs_of(v)[0].node;
    index offset = 0;
    return dense_[at(from)] && shows_block(made, v, made.data(from).spec.shape, made.data(v).spec.shape, offset);
  }
  // Further outputs follow their node.
  constexpr edge place_of(const edge& e) const { return {renamed_[at(e.node)] + e.port, 0}; }
  constexpr void add_output(int v, int port) {
    edge in{v, 0};
    index number[] = {port};
    attribute_view with[] = {{"port", attribute_kind::integer, number, {}, {}}};
    out_.add(ops::further_output, out_.view().spec({v, port}), {&in, 1}, with);
    note(true, true);
  }
  constexpr int copy_of(int v) {
    edge in{v, 0};
    note(true, true);
    return out_.add(ops::identity, out_.nodes[at(v)].spec, {&in, 1}).node;
  }
  const Graph& g_;
  stretch<char> dense_arguments_;
  graph out_;
  list<int> renamed_;
  list<char> dense_, stored_;  // of the nodes of out_
};

template <class Graph = graph_view>
constexpr graph prepared(const std::type_identity_t<Graph>& g, stretch<char> dense_arguments) {
  return preparation<Graph>(g, dense_arguments).run();
}

// How many nodes hold the outputs of node v of a prepared graph: itself and those that follow.
constexpr int outputs_in_prepared(const graph_view& g, int v) { return 1 + g.data(v).more_specs.count; }

// How many values the bodies of a control node return.
constexpr int results_of_bodies(const graph_view& g, int v) {
  return g.node(v).attribute("effects_only").key.empty() ? outputs_in_prepared(g, v) : 0;
}

// Along which axis of an array its elements lie, of a node that puts one there.
constexpr int element_axis(const graph_view& g, int v) {
  const auto given = g.node(v).attribute("element_axis").values;
  return given.empty() ? 0 : static_cast<int>(given[0]);
}

}  // namespace jig::detail
