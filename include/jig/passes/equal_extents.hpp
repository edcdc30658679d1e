// SPDX-License-Identifier: MIT
#pragma once
// Extents that are equal in every call, though no number says so: what gradients do to give a value the shape of another one goes where
// it has that shape.

#include <jig/ops/gradient.hpp>
#include <jig/ops/source.hpp>
#include <jig/passes/extents.hpp>
#include <jig/passes/prune.hpp>

namespace jig {

namespace detail {

// Whether a node looks at an input for its extents only.
constexpr bool looks_at_extents(const op& kind, std::size_t input) {
  return input < 32 && (kind.operands.shapes >> input & 1) != 0 && !kind.is(fact::tape | fact::stateful);
}
constexpr bool repeats_first_input(const op& kind) { return is_op(kind, ops::broadcast_like) || is_op(kind, ops::broadcast_to); }
constexpr bool may_have_equal_extents(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    if (repeats_first_input(*g.data(v).kind) && !g.data(v).spec.shape.is_static()) return true;
    bool inside = false;
    g.for_each_body(g.data(v), [&](const graph_view& body) { inside = inside || may_have_equal_extents(body); });
    if (inside) return true;
    for (std::size_t k = 0; k < g.inputs_of(v).size(); ++k)
      if (looks_at_extents(*g.data(v).kind, k) && !g.spec(g.inputs_of(v)[k]).shape.is_static()) return true;
  }
  return false;
}

template <class Graph>
class extents_comparison {
 public:
  constexpr extents_comparison(graph& out, const Graph& g, const given_extents& given)
      : g_(g), extents_(find_extents<Graph>(g, given)), out_(out) {}

  // Appends the nodes, inputs and outputs of the graph.
  constexpr void run() {
    for (int v = 0; v < g_.size(); ++v) {
      scalars_.push_back({-1, 0});
      if (does_nothing(v)) {
        const edge from = g_.inputs_of(v)[0];
        renamed_.push_back(now(from));
        scalars_.back() = scalars_[at(from.node)];
        continue;
      }
      const bool elementwise = g_.data(v).kind->is(fact::elementwise);
      const bool smaller = elementwise && some_operand_is_whole(v);
      std::size_t k = 0;
      const auto input = [&](const edge& e) {
        if (looks_at_extents(*g_.data(v).kind, k++)) return first_like(e);
        return smaller && repeats(e) ? scalars_[at(e.node)] : now(e);
      };
      renamed_.push_back({copy_node(out_, g_, v, input, [&](graph&, const graph_view& body) { return append_body(v, body); }), 0});
      if (repeats_first_input(*g_.data(v).kind) && is_scalar(g_.inputs_of(v)[0])) scalars_.back() = now(g_.inputs_of(v)[0]);
      else if (elementwise) scalars_.back() = computed_as_scalar(v);
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)].node);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(now(e));
  }

 private:
  constexpr edge now(const edge& e) const { return e.port == 0 ? renamed_[at(e.node)] : edge{renamed_[at(e.node)].node, e.port}; }
  constexpr bool has_shape(const edge& e, const shape& s) const { return e.port == 0 && extents_.shapes[e.node] == s; }
  constexpr bool is_scalar(const edge& e) const { return g_.spec(e).shape.rank == 0; }
  // Whether all elements are one scalar.
  constexpr bool repeats(const edge& e) const { return e.port == 0 && scalars_[at(e.node)].node >= 0; }

  // A body of a node. What it takes stands at the end of what the node takes, and keeps its extents where no shape invariants say
  // otherwise.
  constexpr int append_body(int v, const Graph& body) {
    const auto around = g_.inputs_of(v);
    list<shape> shapes;
    if (g_.node(v).attribute("shape_invariants").key.empty())
      for (std::size_t k = around.size() - body.inputs().size(); k < around.size(); ++k)
        shapes.push_back(around[k].port == 0 ? extents_.shapes[around[k].node] : g_.spec(around[k]).shape);
    auto surroundings = out_.begin_body();
    extents_comparison(out_, body, shapes).run();
    return out_.end_body(std::move(surroundings));
  }

  // Any value of the same spec, the earlier the better: most often an argument.
  constexpr edge first_like(const edge& e) {
    const tensor_spec& spec = g_.spec(e);
    if (e.port != 0 || g_.data(e.node).kind->is(fact::input | fact::constant)) return now(e);
    for (int v = 0; v < e.node; ++v)
      if (g_.data(v).spec == spec && extents_.shapes[v] == extents_.shapes[e.node]) return now({v, 0});
    if (spec.shape.rank > 0) return now(e);
    const std::uint64_t zero = 0;
    return add_constant(out_, spec, {&zero, 1});
  }

  // A sum that sums nothing, or a repetition of what is whole.
  constexpr bool does_nothing(int v) const {
    const op& kind = *g_.data(v).kind;
    if (!is_op(kind, ops::sum_like) && !repeats_first_input(kind)) return false;
    for (const auto& e : extents_.expressions)
      if (e.node == v) return false;  // it checks extents
    const edge from = g_.inputs_of(v)[0];
    return g_.spec(from) == g_.data(v).spec && has_shape(from, extents_.shapes[v]);
  }
  // Whether an elementwise node has the shape of an operand that is no repeated scalar.
  constexpr bool some_operand_is_whole(int v) const {
    for (const auto& e : g_.inputs_of(v))
      if (!repeats(e) && has_shape(e, extents_.shapes[v])) return true;
    return false;
  }
  // The scalar that an elementwise node of repeated scalars repeats.
  constexpr edge computed_as_scalar(int v) {
    list<edge> inputs;
    bool repeated = false;
    for (const auto& e : g_.inputs_of(v)) {
      if (!repeats(e) && !is_scalar(e)) return {-1, 0};
      repeated = repeated || repeats(e);
      inputs.push_back(repeats(e) ? scalars_[at(e.node)] : now(e));
    }
    if (!repeated || g_.data(v).kind->is(fact::checked | fact::stateful)) return {-1, 0};
    return out_.add(*g_.data(v).kind, {g_.data(v).spec.dtype, {}}, inputs, g_.node(v).attributes());
  }

  const Graph& g_;
  graph_extents extents_;
  graph& out_;
  list<edge> renamed_, scalars_;
};

}  // namespace detail

/// The graph in which values with wildcard extents are not summed to a shape that is theirs in every call, scalars not repeated
/// where they broadcast anyway, and nothing computed for its extents alone, in bodies too. `given`, if any, are the extents of the
/// arguments.
template <class Graph = graph_view>
constexpr graph use_equal_extents(const std::type_identity_t<Graph>& g, const given_extents& given = {}) {
  graph out;
  detail::extents_comparison<Graph>(out, g, given).run();
  return out;
}

}  // namespace jig
