// SPDX-License-Identifier: MIT
#pragma once
// Composite ops: a call stands for nodes of other ops, which a function of the operands' specs lists. Both kinds of traces
// append the same list: it is a constant where the specs are types, and made at run time where they are values.

#include <jig/graph/walk.hpp>
#include <jig/ops/source.hpp>

namespace jig {

class expansion;

namespace detail {

constexpr expansion expand(const op& composite, stretch<tensor_spec> inputs, stretch<attribute_view> with);
constexpr list<edge> append_expansion(graph& to, const graph_view& nodes, stretch<edge> inputs);

}  // namespace detail

/// What a composite op sees of a call, and where it lists the nodes that the call stands for.
class expansion {
 public:
  constexpr expansion(const op& of, stretch<tensor_spec> inputs, stretch<attribute_view> with) : of_(of), with_(with) {
    for (const auto& s : inputs) {
      recorded_.input_nodes.push_back(recorded_.size());
      recorded_.add(ops::placeholder, s, {});
    }
  }

  constexpr std::size_t inputs() const { return recorded_.input_nodes.size(); }
  constexpr edge input(std::size_t i) const { return {static_cast<int>(i), 0}; }
  constexpr tensor_spec spec(edge e) const { return recorded_.view().spec(e); }
  constexpr shape extents(edge e) const { return spec(e).shape; }
  constexpr attribute_view attribute(std::string_view key) const { return find_attribute(with_, key); }

  /// A node of another op, which is among those that this one declares to make, or what a composite one stands for, of several results the
  /// first. What that refuses, this one does.
  constexpr edge call(const op& kind, stretch<edge> inputs, stretch<attribute_view> with = {}) {
    if (failed_) return input(0);
    detail::require_declared(of_, kind);
    list<tensor_spec> specs;
    for (const auto& e : inputs) specs.push_back(spec(e));
    if (kind.is(fact::composite)) return call_composite(kind, specs, inputs, with);
    const detail::inference found = detail::infer(kind, specs, with);
    if (found.failed) {
      fail(refusal(kind, found.failure, specs).view());
      return input(0);
    }
    return recorded_.add(kind, found.result, inputs, with);
  }
  constexpr edge call(const op& kind, std::initializer_list<edge> inputs, stretch<attribute_view> with = {}) {
    return call(kind, list<edge>(inputs), with);
  }
  /// The same with a list of integers as its only attribute.
  constexpr edge call(const op& kind, std::initializer_list<edge> inputs, std::string_view key, stretch<index> values) {
    const attribute_view with[] = {{key, attribute_kind::integers, values}};
    return call(kind, inputs, with);
  }
  /// A node of another graph, of whose values `moved` has those that stand for them here. Its results follow from its inputs; those of
  /// branches, loops and nodes with several results are what they are there, which inputs with other extents do not fit.
  constexpr edge copy(const graph_view& from, int id, const list<edge>& moved) {
    const auto there = [&](const edge& e) { return edge{moved[e.node].node, moved[e.node].port + e.port}; };
    const node_view n = from.node(id);
    if (failed_) return input(0);
    if (!n.kind().is(fact::constant | fact::control) && n.outputs() == 1) {
      list<edge> inputs;
      list<attribute_view> with;
      for (const auto& e : n.inputs()) inputs.push_back(there(e));
      for (int i = 0; i < n.attribute_count(); ++i) with.push_back(n.attribute(i));
      return call(n.kind(), inputs, with);
    }
    for (const auto& e : n.inputs())
      if (!(spec(there(e)) == from.spec(e))) fail(n.op(), ": an operand is ", spec(there(e)), ", not ", from.spec(e));
    return failed_ ? input(0) : edge{copy_node(recorded_, from, id, there), 0};
  }
  /// What the call results in; where the op has several results, one after the other.
  constexpr void give(edge result) { recorded_.output_edges.push_back(result); }
  /// Refuses the call with a sentence in these parts. Of several the first one counts.
  template <class... Part>
  constexpr void fail(const Part&... part) {
    if (!failed_) ((why_ << part), ...);
    failed_ = true;
  }

  constexpr bool failed() const { return failed_; }
  constexpr const message& why() const { return why_; }
  constexpr graph_view nodes() const { return recorded_.view(); }

 private:
  constexpr edge call_composite(const op& kind, const list<tensor_spec>& specs, stretch<edge> inputs, stretch<attribute_view> with);

  const op& of_;
  stretch<attribute_view> with_;
  graph recorded_;
  bool failed_ = false;
  message why_;
};

namespace detail {

constexpr expansion expand(const op& composite, stretch<tensor_spec> inputs, stretch<attribute_view> with) {
  expansion x(composite, inputs, with);
  composite.expand(x);
  return x;
}

/// Appends the nodes that a call stands for and returns its results.
constexpr list<edge> append_expansion(graph& to, const graph_view& nodes, stretch<edge> inputs) {
  list<edge> moved(nodes.size());
  for (std::size_t i = 0; i < inputs.size(); ++i) moved[i] = inputs[i];
  // An operand may be any output of its node.
  const auto there = [&](const edge& e) { return edge{moved[e.node].node, moved[e.node].port + e.port}; };
  for (int id = static_cast<int>(inputs.size()); id < nodes.size(); ++id) moved[id] = {copy_node(to, nodes, id, there), 0};
  list<edge> results;
  for (const auto& e : nodes.outputs()) results.push_back(there(e));
  return results;
}

}  // namespace detail

constexpr edge expansion::call_composite(const op& kind, const list<tensor_spec>& specs, stretch<edge> inputs,
                                         stretch<attribute_view> with) {
  const expansion inner = detail::expand(kind, specs, with);
  if (!inner.failed()) return detail::append_expansion(recorded_, inner.nodes(), inputs)[0];
  fail(inner.why().view());
  return input(0);
}

namespace detail {

// What a call stands for, as a constant with room for pools of sizes S. When they do not suffice it is empty.
template <graph_sizes S>
struct expansion_in_room {
  graph_sizes size{};
  bool failed = false, fits = false;
  static_graph<S> storage;
  constexpr expansion_in_room(const op& composite, stretch<tensor_spec> inputs, stretch<attribute_view> with)
      : storage(make(expand(composite, inputs, with))) {}

 private:
  constexpr graph_view make(const expansion& x) {
    size = sizes_of(x.nodes());
    failed = x.failed();
    fits = failed || holds(S, size);
    return fits && !failed ? x.nodes() : graph_view();
  }
};

}  // namespace detail

}  // namespace jig
