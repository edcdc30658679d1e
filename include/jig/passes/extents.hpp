// SPDX-License-Identifier: MIT
#pragma once
// Extents of a whole graph: every wildcard of the arguments gets a symbol, shape rules run again over the symbols, and
// what they had to compute or to check is left as a list that a call evaluates once.

#include <jig/graph/graph.hpp>
#include <jig/ops/rules.hpp>

namespace jig {

/// One extent that a call computes, or one check: `symbol = a relation b`.
struct extent_expression {
  extent_algebra::relation relation;
  index a, b;
  index symbol;  // dyn where the result is not needed
  int node;      // whose rule asked for it
};

/// The extent along one axis of an argument that a symbol stands for.
struct extent_source {
  int input, axis;
  index symbol;
};

/// What is known about the extents of a graph before a call.
struct graph_extents {
  list<shape> shapes;  // by node, with symbols instead of wildcards
  list<extent_source> sources;
  list<extent_expression> expressions;
  int symbols = 0;
  // By symbol: bit k is set where extent k of the arguments takes part in its broadcast.
  list<std::uint64_t> parts;

  /// Whether an extent is another one, or is 1: so for every a in `a broadcast with b`.
  constexpr bool broadcasts_to(index a, index to) const {
    if (a == to || a == 1) return true;
    if (is_static_extent(a)) return false;
    std::uint64_t p = part_of(a);
    return is_static_extent(to) || (p != 0 && (p & ~part_of(to)) == 0);
  }
  constexpr std::uint64_t part_of(index symbol) const;
};

namespace detail {

// Symbols lie below every name.
constexpr index extent_symbol(int k) { return lowest_name - 1 - k; }
constexpr int symbol_number(index symbol) { return static_cast<int>(lowest_name - 1 - symbol); }

constexpr index new_symbol(graph_extents& found, std::uint64_t parts) {
  found.parts.push_back(parts);
  return extent_symbol(found.symbols++);
}

struct recording_algebra : extent_algebra {
  graph_extents* found = nullptr;
  int node = -1;
  constexpr index combine(relation r, index a, index b) override {
    // Broadcasting is idempotent, commutative and associative: what matters is who takes part.
    std::uint64_t parts = 0;
    if (r == relation::broadcast && !is_static_extent(a) && !is_static_extent(b)) {
      std::uint64_t p = found->part_of(a), q = found->part_of(b);
      if (p != 0 && q != 0) parts = p | q;
      if (parts != 0 && parts == p) return a;
      if (parts != 0 && parts == q) return b;
      for (std::size_t k = 0; k < found->parts.size(); ++k)
        if (parts != 0 && found->parts[k] == parts) return extent_symbol(static_cast<int>(k));
    }
    for (const auto& e : found->expressions)
      if (e.relation == r && e.a == a && e.b == b) return e.symbol;
    index symbol = r == relation::equal ? dyn : new_symbol(*found, parts);
    found->expressions.push_back({r, a, b, symbol, node});
    return symbol;
  }
};

}  // namespace detail

constexpr std::uint64_t graph_extents::part_of(index symbol) const {
  return parts[static_cast<std::size_t>(detail::symbol_number(symbol))];
}

/// Gives every unknown extent of the graph a symbol; equal symbols are equal extents in every call.
constexpr graph_extents find_extents(const graph_view& g) {
  graph_extents found;
  detail::recording_algebra algebra;
  algebra.found = &found;
  list<index> names, symbols;
  for (int id = 0; id < g.size(); ++id) found.shapes.push_back(g.data(id).spec.shape);
  for (std::size_t k = 0; k < g.inputs().size(); ++k) {
    shape& s = found.shapes[static_cast<std::size_t>(g.inputs()[k])];
    for (int axis = 0; axis < s.rank; ++axis) {
      if (is_static_extent(s[axis])) continue;
      index symbol = dyn;
      // A name that was seen before is another source of the same symbol: the call checks that they agree.
      for (std::size_t i = 0; i < names.size(); ++i)
        if (is_named_extent(s[axis]) && names[i] == s[axis]) symbol = symbols[i];
      if (symbol == dyn)
        symbol = detail::new_symbol(found, found.symbols < 64 ? std::uint64_t{1} << found.symbols : 0);
      names.push_back(s[axis]);
      symbols.push_back(symbol);
      s[axis] = symbol;
      found.sources.push_back({static_cast<int>(k), axis, symbol});
    }
  }
  for (int id = 0; id < g.size(); ++id) {
    const auto& d = g.data(id);
    // A static result may still need a check, when an input has an unknown extent.
    bool known = d.spec.shape.is_static();
    for (const auto& e : g.inputs_of(id)) known = known && found.shapes[static_cast<std::size_t>(e.node)].is_static();
    if (known || d.kind->is(fact::input) || d.kind->is(fact::constant)) continue;
    algebra.node = id;
    auto inputs = g.inputs_of(id);
    if (d.kind->is(fact::elementwise)) {
      // Spares the rule, which takes long in constant evaluation: broadcasting is all it does with shapes.
      rule_context c;
      c.algebra = &algebra;
      shape s = found.shapes[static_cast<std::size_t>(inputs[0].node)];
      for (std::size_t i = 1; i < inputs.size(); ++i) {
        const shape& other = found.shapes[static_cast<std::size_t>(inputs[i].node)];
        if (other.rank != 0 && !(s == other)) s = detail::broadcast(c, s, other);
      }
      found.shapes[static_cast<std::size_t>(id)] = s;
      continue;
    }
    node_facts facts(g, id);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      facts.inputs()[i].shape = found.shapes[static_cast<std::size_t>(inputs[i].node)];
    auto c = facts.context(&algebra);
    d.kind->rule(c);
    found.shapes[static_cast<std::size_t>(id)] = c.result.shape;
  }
  return found;
}

}  // namespace jig
