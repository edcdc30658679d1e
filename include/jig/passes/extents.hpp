// SPDX-License-Identifier: MIT
#pragma once
// Extents of a whole graph: every wildcard of the arguments gets a symbol, shape rules run again over the symbols, and
// what they had to compute or to check is left as a list that a call evaluates once.

#include <jig/graph/graph.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/rules.hpp>
#include <jig/passes/extent_form.hpp>

namespace jig {

/// One extent that a call computes, or one check: `symbol = a relation b`.
struct extent_expression {
  extent_algebra::relation relation;
  index a, b;
  index symbol;         // dyn where the result is not needed
  int node;             // whose rule asked for it
  bool checked = true;  // else it belongs to a branch that may not be taken, and never fails
  int after = -1;       // the step that tells what it takes to compute it; before that it is an upper bound
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
  list<extent_fact> facts;  // of symbols

  /// Whether an extent is another one, or is 1: so for every a in `a broadcast with b`.
  constexpr bool broadcasts_to(index a, index to) const {
    if (a == to || a == 1) return true;
    if (is_static_extent(a)) return false;
    std::uint64_t p = part_of(a);
    return is_static_extent(to) || (p != 0 && (p & ~part_of(to)) == 0);
  }
  constexpr std::uint64_t part_of(index symbol) const;
  /// What is known of an extent of the arguments.
  constexpr extent_fact fact_of(index symbol) const {
    for (const auto& f : facts)
      if (f.extent == symbol) return f;
    return {symbol};
  }
  /// Whether there are extents that only the run of an op tells.
  constexpr bool any_late() const {
    for (const auto& e : expressions)
      if (e.relation == extent_algebra::relation::at_most) return true;
    return false;
  }
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
  bool checked = true;
  constexpr index combine(relation r, index a, index b) override {
    // Declared as a wildcard, known all the same; or what another expression is.
    const extent_form form = form_of_result(r, a, b);
    if (form.is_number()) return form.offset;
    if (form.is_base()) return form.base;
    for (std::size_t k = 0; k < forms_.size(); ++k)
      if (form.known && forms_[k] == form) return extent_symbol(static_cast<int>(k));
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
    if (!checked) parts = 0;  // what was not checked says nothing about other extents
    if (r == relation::at_most && found->symbols < 64) parts = std::uint64_t{1} << found->symbols;
    for (auto& e : found->expressions) {
      if (r == relation::at_most && e.node != node) continue;
      const bool same = e.a == a && e.b == b, exchanged = e.a == b && e.b == a;
      const bool ordered = r == relation::difference || r == relation::excess || r == relation::quotient || r == relation::steps;
      if (e.relation != r || !(same || (exchanged && !ordered))) continue;
      if (checked && !e.checked) {
        e.checked = true;
        e.node = node;
      }
      return e.symbol;
    }
    index symbol = r == relation::equal ? dyn : new_symbol(*found, parts);
    if (form.known) {
      while (forms_.size() < at(found->symbols)) forms_.push_back({});
      forms_.back() = form;
    }
    found->expressions.push_back({r, a, b, symbol, node, checked});
    return symbol;
  }

 private:
  constexpr extent_form form_of(index e) const {
    if (is_static_extent(e)) return extent_form::of_number(e);
    if (e >= lowest_name) return {};
    const auto k = at(symbol_number(e));
    return k < forms_.size() && forms_[k].known ? forms_[k] : extent_form::of_symbol(e);
  }
  constexpr extent_form form_of_result(relation r, index a, index b) const {
    const extent_form x = form_of(a), y = form_of(b), form = form_arithmetic::combine(r, x, y);
    if (holds(form)) return form;
    return r == relation::excess ? form_arithmetic::at_least_0(x, y) : extent_form{};
  }
  constexpr bool holds(const extent_form& form) const {
    return form.known && (!form.needs_facts() || form.holds(found->fact_of(form.base)));
  }

  list<extent_form> forms_;  // by symbol; unknown where it is like no other
};

}  // namespace detail

constexpr std::uint64_t graph_extents::part_of(index symbol) const {
  return parts[static_cast<std::size_t>(detail::symbol_number(symbol))];
}

namespace detail {

template <class Graph>
class extent_finder {
 public:
  constexpr explicit extent_finder(const Graph& g) : more_(static_cast<int>(g.specs_.size())) { algebra_.found = &found_; }

  constexpr graph_extents run(const Graph& g, const given_extents& given) {
    list<shape> shapes;
    for (int id = 0; id < g.size(); ++id) shapes.push_back(g.data(id).spec.shape);
    find_sources(g, shapes, given);
    infer(g, shapes, true);
    found_.shapes = std::move(shapes);
    return std::move(found_);
  }

 private:
  constexpr void find_sources(const Graph& g, list<shape>& shapes, const given_extents& given) {
    list<index> names, symbols;
    for (std::size_t k = 0; k < g.inputs().size(); ++k) {
      shape& s = shapes[g.inputs()[k]];
      const shape declared = s;
      if (!given.empty()) s = given.shapes[k];
      for (int axis = 0; axis < s.rank; ++axis) {
        if (is_static_extent(s[axis])) continue;
        index symbol = dyn;
        // A name that was seen before is another source of the same symbol: the call checks that they agree.
        for (std::size_t i = 0; i < names.size(); ++i)
          if (s[axis] != dyn && names[i] == s[axis]) symbol = symbols[i];
        if (symbol == dyn) {
          symbol = new_symbol(found_, found_.symbols < 64 ? std::uint64_t{1} << found_.symbols : 0);
          const extent_fact known = given.fact_of(static_cast<int>(k), axis);
          found_.facts.push_back({symbol, known.multiple, known.least});
        }
        names.push_back(s[axis]);
        symbols.push_back(symbol);
        s[axis] = symbol;
        found_.sources.push_back({static_cast<int>(k), axis, symbol});
      }
      algebra_.node = g.inputs()[k];
      if (!given.empty()) s = as_declared(s, declared);
    }
  }

  // Runs the shape rules of all nodes that do not know their extents already. `shapes` are those of the specs and, for
  // arguments, with symbols.
  constexpr void infer(const Graph& g, list<shape>& shapes, bool outermost) {
    for (int id = 0; id < g.size(); ++id) {
      const auto& d = g.data(id);
      if (d.kind->is(fact::input | fact::constant)) continue;
      if (outermost) algebra_.node = id;
      if (d.kind->is(fact::control)) {
        infer_control(g, shapes, id);
        continue;
      }
      if (d.kind->is(fact::output)) {
        edge from{g.inputs_of(id)[0].node, static_cast<int>(g.node(id).attribute("port").values[0])};
        shapes[id] = shape_of(g, shapes, from);
        continue;
      }
      // A static result may still need a check, when an input has an extent that its spec does not tell.
      auto inputs = g.inputs_of(id);
      bool known = d.spec.shape.is_static();
      for (int port = 1; port <= d.more_specs.count; ++port) set_shape(g, shapes, {id, port}, g.spec({id, port}).shape);
      for (const auto& e : inputs) known = known && g.spec(e).shape.is_static();
      if (known) continue;
      if (d.kind->is(fact::elementwise)) {
        // Spares the rule, which takes long in constant evaluation: broadcasting is all it does with shapes.
        rule_context c;
        c.algebra = &algebra_;
        shape s = shape_of(g, shapes, inputs[0]);
        for (std::size_t i = 1; i < inputs.size(); ++i) {
          const shape& other = shape_of(g, shapes, inputs[i]);
          if (other.rank != 0 && !(s == other)) s = broadcast(c, s, other);
        }
        if (c.failed || !is_possible(d.spec.dtype, s)) refuse(id);
        shapes[id] = s;
        continue;
      }
      node_facts facts(g, id);
      for (std::size_t i = 0; i < inputs.size(); ++i) facts.inputs()[i].shape = shape_of(g, shapes, inputs[i]);
      for (int port = 0; port <= d.more_specs.count; ++port) {
        auto c = facts.context(&algebra_, port);
        apply_rule(*d.kind, c);
        if (!c.failed) {
          set_shape(g, shapes, {id, port}, c.result.shape);
          continue;
        }
        refuse(id);
        shape s = g.spec({id, port}).shape;
        for (int axis = 0; axis < s.rank; ++axis)
          if (!is_static_extent(s[axis])) s[axis] = 0;
        set_shape(g, shapes, {id, port}, s);
      }
    }
  }

  // A rule fails for what is known around a body though not in it: the body fails when it runs, which it need not.
  constexpr void refuse(int id) {
    refused_ = true;
    if (algebra_.checked) found_.expressions.push_back({relation::equal, 0, 1, dyn, id});
  }

  // Loops keep the extents of what they carry, unless they have shape invariants; branches give the same ones.
  constexpr void infer_control(const Graph& g, list<shape>& shapes, int id) {
    auto n = g.node(id);
    auto inputs = n.inputs();
    bool known = true;
    for (const auto& e : inputs) known = known && g.spec(e).shape.is_static();
    for (int port = 0; port < n.outputs(); ++port) {
      known = known && n.shape(port).is_static();
      set_shape(g, shapes, {id, port}, n.shape(port));
    }
    if ((known && n.attribute("shape_invariants").key.empty()) || !n.attribute("effects_only").key.empty()) return;
    if (n.attribute("then_branch").key.empty()) {
      const bool varies = !n.attribute("shape_invariants").key.empty();
      for (int port = 0; port < n.outputs(); ++port) {
        shape s = varies ? n.shape(port) : shape_of(g, shapes, inputs[static_cast<std::size_t>(port)]);
        for (int axis = 0; varies && axis < s.rank; ++axis)
          if (!is_static_extent(s[axis])) s[axis] = new_symbol(found_, 0);
        set_output(g, shapes, {id, port}, s);
      }
      return;
    }
    list<shape> yes = shapes_of_branch(g, shapes, id, "then_branch");
    const bool yes_fails = std::exchange(refused_, false);
    list<shape> no = shapes_of_branch(g, shapes, id, "else_branch");
    const bool no_fails = std::exchange(refused_, yes_fails && refused_);
    for (int port = 0; port < n.outputs(); ++port) {
      shape s = yes_fails ? no[port] : yes[port];
      for (int axis = 0; axis < s.rank && !yes_fails && !no_fails; ++axis) {
        if (s[axis] != no[port][axis]) algebra_.combine(relation::equal, s[axis], no[port][axis]);
        if (is_static_extent(no[port][axis])) s[axis] = no[port][axis];
      }
      set_output(g, shapes, {id, port}, s);
    }
  }

  constexpr list<shape> shapes_of_branch(const Graph& g, const list<shape>& around, int id, std::string_view key) {
    const bool checked = std::exchange(algebra_.checked, false);
    graph_view body = g.body(g.node(id), key);
    list<shape> shapes, results;
    for (int inner = 0; inner < body.size(); ++inner) shapes.push_back(body.data(inner).spec.shape);
    for (std::size_t k = 0; k < body.inputs().size(); ++k) {
      shape& s = shapes[body.inputs()[k]];
      s = as_declared(shape_of(g, around, g.inputs_of(id)[k + 1]), s);
    }
    infer(body, shapes, false);
    for (const auto& e : body.outputs()) results.push_back(shape_of(body, shapes, e));
    algebra_.checked = checked;
    return results;
  }

  // What is declared as a number is one, and a call checks it.
  constexpr shape as_declared(shape s, const shape& declared) {
    for (int axis = 0; axis < s.rank; ++axis) {
      if (is_static_extent(s[axis]) || !is_static_extent(declared[axis])) continue;
      algebra_.combine(relation::equal, s[axis], declared[axis]);
      s[axis] = declared[axis];
    }
    return s;
  }

  // Bodies share the pool of the specs of further outputs with the graph around them.
  constexpr int place_in_pool(const Graph& g, const edge& e) const { return g.data(e.node).more_specs.first + e.port - 1; }
  constexpr const shape& shape_of(const Graph& g, const list<shape>& shapes, const edge& e) const {
    return e.port == 0 ? shapes[e.node] : more_[place_in_pool(g, e)];
  }
  constexpr void set_output(const Graph& g, list<shape>& shapes, const edge& e, const shape& s) {
    set_shape(g, shapes, e, as_declared(s, g.spec(e).shape));
  }
  constexpr void set_shape(const Graph& g, list<shape>& shapes, const edge& e, const shape& s) {
    if (e.port == 0) shapes[e.node] = s;
    else more_[place_in_pool(g, e)] = s;
  }

  using relation = extent_algebra::relation;
  graph_extents found_;
  recording_algebra algebra_;
  bool refused_ = false;  // whether a rule has failed
  list<shape> more_;      // of further outputs
};

}  // namespace detail

/// Gives every unknown extent of the graph a symbol; equal symbols are equal extents in every call. Of a body,
/// `given` are the extents of its arguments in the graph around it: what is equal there is equal here.
template <class Graph = graph_view>
constexpr graph_extents find_extents(const std::type_identity_t<Graph>& g, const given_extents& given = {}) {
  return detail::extent_finder<Graph>(g).run(g, given);
}

}  // namespace jig
