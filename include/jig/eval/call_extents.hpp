// SPDX-License-Identifier: MIT
#pragma once
// The extents that a call knows: those that follow from the arguments are computed and checked, before the first step or behind
// the one that tells them.

#include <jig/eval/program.hpp>

namespace jig::detail {

// Says why the rule of a node refuses the extents of this call. `shapes` are those of the plan, `extents` the symbols' values.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_rule_failure(const graph_view& g, const planned_value* values,
                                                                      const shape* shapes, const index* extents, int node) {
  node_facts facts(g, node);
  auto inputs = g.inputs_of(node);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    shape s = shapes[values[inputs[i].node].shape];
    for (int a = 0; a < s.rank; ++a)
      if (!is_static_extent(s[a])) s[a] = extents[symbol_number(s[a])];
    facts.inputs()[i].shape = s;
  }
  auto c = facts.context();
  const op& kind = *g.data(node).kind;
  apply_rule(kind, c);
  throw_invalid_argument(refusal(kind, c.failed ? c.failure : "extents do not fit", facts.inputs()).view());
}

// Of nodes without a rule: what their bodies give, or take, has other extents than it must have.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_different_extents(const op& kind, index a, index b) {
  message m;
  m << kind.name << (is_op(kind, ops::if_op) ? ": the branches give different extents: " : ": extents differ: ") << a << " and " << b;
  throw_invalid_argument(m.view());
}
constexpr bool has_rule(const op& kind) { return !kind.is(fact::control | fact::input); }

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_impossible_extent(const graph_view& g, int node) {
  message m;
  throw_invalid_argument((m << g.data(node).kind->name << ": " << rule_context::too_large).view());
}

template <class P>
[[gnu::cold]] void throw_failure_of(const frame<P>& fr, int expression) {
  const extent_expression& e = P::plan.expressions.items[expression];
  if (e.relation == extent_algebra::relation::equal && !has_rule(P::kind(e.node))) throw_different_extents(P::kind(e.node), fr(e.a), fr(e.b));
  throw_rule_failure(P::graph, P::plan.values.items, P::plan.shapes.items, fr.extents, e.node);
}

// Before the step that tells a late extent, what depends on it is an upper bound.
template <class P, int K>
[[gnu::always_inline]] inline void bound_extent(frame<P>& fr) {
  using relation = extent_algebra::relation;
  constexpr extent_expression e = P::plan.expressions.items[K];
  if constexpr (e.symbol != dyn) {
    index a = fr(e.a), b = fr(e.b), out = a;
    bool fits = true;
    if constexpr (e.relation == relation::broadcast) out = a > b ? a : b;
    else if constexpr (e.relation == relation::sum) fits = add_extents(a, b, out);
    else if constexpr (e.relation == relation::product) fits = multiply_extents(a, b, out);
    if (!fits) [[unlikely]] throw_impossible_extent(P::graph, e.node);
    fr.extents[symbol_number(e.symbol)] = out;
  }
}

template <class P, int K>
[[gnu::always_inline]] inline void evaluate_extent(frame<P>& fr) {
  using relation = extent_algebra::relation;
  constexpr extent_expression e = P::plan.expressions.items[K];
  if constexpr (e.relation != relation::at_most) {
    index a = fr(e.a), b = fr(e.b), out = 0;
    bool fits = true;
    if constexpr (e.relation == relation::broadcast) {
      fits = a == b || a == 1 || b == 1;
      out = a == 1 ? b : a;
      // The rule promised the static one of the two as the result.
      if constexpr (e.a >= 0) fits = fits && out == a;
      if constexpr (e.b >= 0) fits = fits && out == b;
    } else if constexpr (e.relation == relation::equal) {
      fits = a == b;
      out = a;
    } else if constexpr (e.relation == relation::sum) {
      fits = add_extents(a, b, out);
    } else if constexpr (e.relation == relation::difference) {
      fits = a >= b;
      out = fits ? a - b : 0;
    } else if constexpr (e.relation == relation::product) {
      fits = multiply_extents(a, b, out);
    } else {
      fits = b == 0 ? a == 0 : a % b == 0;
      out = b == 0 ? 0 : a / b;
    }
    if constexpr (e.checked)
      if (!fits) [[unlikely]] throw_with_extents<P, &throw_failure_of<P>>(fr, K);
    if constexpr (e.symbol != dyn) fr.extents[symbol_number(e.symbol)] = out;
  }
}

// All that is known after this step; before the first one, -1, the others become upper bounds.
template <class P, int After>
[[gnu::always_inline]] inline void evaluate_extents_after(frame<P>& fr) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          if constexpr (P::plan.expressions.items[K].after == After) evaluate_extent<P, K>(fr);
          else if constexpr (After < 0) bound_extent<P, K>(fr);
        }(),
        ...);
  }(std::make_integer_sequence<int, P::plan.size.expressions>());
}

// Whether every extent of s but 1 is another one of t.
constexpr bool is_part_of(const shape& s, const shape& t) {
  unsigned taken = 0;
  for (int a = 0; a < s.rank; ++a) {
    int b = 0;
    while (b < t.rank && (t[b] != s[a] || (taken >> b & 1) != 0)) ++b;
    if (b < t.rank) taken |= 1u << b;
    else if (s[a] != 1) return false;
  }
  return true;
}

// The nodes whose number of elements a call has to look at: those that have other extents than an argument that has been stored, or
// than one of these nodes.
template <class P>
constexpr auto nodes_that_grow() {
  list<int> found;
  list<shape> known;
  for (int v = 0; v < P::graph.size() && P::plan.symbols > 0; ++v) {
    const shape& s = P::extents(v);
    if (s.is_static()) continue;
    bool grows = !P::kind(v).is(fact::input);
    for (std::size_t k = 0; grows && k < known.size(); ++k) grows = !is_part_of(s, known[k]);
    if (grows) found.push_back(v);
    if (grows || P::kind(v).is(fact::input)) known.push_back(s);
  }
  return found;
}
template <class P>
struct growing_nodes {
  static constexpr int count = static_cast<int>(nodes_that_grow<P>().size());
  static constexpr auto nodes = [] {
    std::array<int, array_bound(count)> out{};
    const auto found = nodes_that_grow<P>();
    for (int k = 0; k < count; ++k) out[static_cast<std::size_t>(k)] = found[k];
    return out;
  }();
};
template <class P>
[[gnu::cold]] void throw_growth_of(const frame<P>& fr, int node) {
  if (has_rule(P::kind(node))) throw_rule_failure(P::graph, P::plan.values.items, P::plan.shapes.items, fr.extents, node);
  throw_impossible_extent(P::graph, node);
}
template <class P>
[[gnu::always_inline]] inline void check_sizes(const frame<P>& fr) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          constexpr int node = growing_nodes<P>::nodes[static_cast<std::size_t>(K)];
          if (!is_possible(P::dtype_at(node), fr.template shape_of<node>())) [[unlikely]]
            throw_with_extents<P, &throw_growth_of<P>>(fr, node);
        }(),
        ...);
  }(std::make_integer_sequence<int, growing_nodes<P>::count>());
}

/// Computes and checks all extents that follow from those of the arguments.
/// Errors: extents that do not fit, and results of more than 2^56 bytes, throw invalid_argument.
template <class P>
[[gnu::always_inline]] inline void evaluate_extents(frame<P>& fr) {
  evaluate_extents_after<P, -1>(fr);
  detail::check_sizes(fr);
}

}  // namespace jig::detail
