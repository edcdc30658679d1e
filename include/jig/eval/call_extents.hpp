// SPDX-License-Identifier: MIT
#pragma once
// The extents that a call knows: those that follow from the arguments are computed and checked, before the first step or behind
// the one that tells them.

#include <jig/eval/program.hpp>

namespace jig::detail {

// A node whose extents a call checks. It refers to nothing of the graph: a program that did would contain the ops, and with them their
// gradients.
struct checked_node {
  std::string_view name;
  bool has_rule = true, is_branch = false;
  source_line at{};
  void (*rule)(rule_context&) = nullptr;
  stretch<tensor_spec> inputs{};
  stretch<attribute_view> attributes{};
};

// Nodes without a rule take, or give, what their bodies do.
constexpr bool has_rule(const op& kind) { return !kind.is(fact::control | fact::input); }

// Says why the rule of a node refuses the extents of this call, which the symbols among them have.
[[gnu::cold, gnu::noinline]] inline message rule_failure(const checked_node& node, const index* extents) {
  list<tensor_spec> inputs(static_cast<int>(node.inputs.size()));
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    inputs[i] = node.inputs[i];
    shape& s = inputs[i].shape;
    for (int a = 0; a < s.rank; ++a)
      if (!is_static_extent(s[a])) s[a] = extents[symbol_number(s[a])];
  }
  rule_context c;
  c.inputs = inputs;
  c.attributes = node.attributes;
  apply_rule(node.rule, c);
  return refusal(node.name, c.failed ? c.failure : "extents do not fit", inputs);
}
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_rule_failure(const checked_node& node, const index* extents) {
  throw_invalid_argument(std::string(rule_failure(node, extents).view()) + at_line(node.at));
}

// Of nodes without a rule: what their bodies give, or take, has other extents than it must have.
[[gnu::cold, gnu::noinline]] inline message different_extents(std::string_view name, bool is_branch, index a, index b) {
  message m;
  m << name << (is_branch ? ": the branches give different extents: " : ": extents differ: ") << a << " and " << b;
  return m;
}
template <class Node>
[[noreturn, gnu::cold, gnu::noinline]] void throw_different_extents(const Node& node, index a, index b) {
  throw_invalid_argument(std::string(different_extents(node.name, node.is_branch, a, b).view()) + at_line(node.at));
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_impossible_extent(std::string_view name, const source_line& at) {
  message m;
  throw_invalid_argument(std::string((m << name << ": " << rule_context::too_large).view()) + at_line(at));
}

template <class P, int Node>
struct checked_node_of {
  static constexpr auto inputs = [] {
    std::array<tensor_spec, static_cast<std::size_t>(P::operand_count(Node)) + 1> out{};
    for (int i = 0; i < P::operand_count(Node); ++i)
      out[static_cast<std::size_t>(i)] = {P::graph.spec(P::graph.inputs_of(Node)[static_cast<std::size_t>(i)]).dtype,
                                          P::extents(P::operand(Node, i))};
    return out;
  }();
  static constexpr checked_node value() {
    if constexpr (has_rule(P::kind(Node)))
      return {P::kind(Node).name,
              true,
              false,
              P::graph.data(Node).at,
              P::kind(Node).rule,
              {inputs.data(), inputs.size() - 1},
              attributes_of<P, Node>::view()};
    else return {P::kind(Node).name, false, is_op(P::kind(Node), ops::if_op), P::graph.data(Node).at};
  }
};

// By number of the expression.
template <class P, class Numbers = std::make_integer_sequence<int, P::plan.size.expressions>>
struct checked_expressions;
template <class P, int... K>
struct checked_expressions<P, std::integer_sequence<int, K...>> {
  static constexpr checked_node nodes[] = {checked_node_of<P, P::plan.expressions.items[K].node>::value()...};
  static constexpr index extents[][2] = {{P::plan.expressions.items[K].a, P::plan.expressions.items[K].b}...};
  static constexpr bool equal[] = {P::plan.expressions.items[K].relation == extent_algebra::relation::equal...};
};
template <class P>
[[gnu::cold]] void throw_failure_of(const frame<P>& fr, int expression) {
  using checked = checked_expressions<P>;
  const checked_node& node = checked::nodes[expression];
  if (checked::equal[expression] && !node.has_rule)
    throw_different_extents(node, fr(checked::extents[expression][0]), fr(checked::extents[expression][1]));
  throw_rule_failure(node, fr.extents);
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
    if (!fits) [[unlikely]] {
      constexpr std::string_view name = P::kind(e.node).name;
      constexpr source_line at = P::graph.data(e.node).at;
      throw_impossible_extent(name, at);
    }
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
    } else if constexpr (e.relation == relation::excess) {
      out = a > b ? a - b : 0;
    } else if constexpr (e.relation == relation::steps) {
      out = a / b + (a % b != 0);
    } else if constexpr (e.relation == relation::product) {
      fits = multiply_extents(a, b, out);
    } else {
      fits = b == 0 ? a == 0 : a % b == 0;
      out = b == 0 ? 0 : a / b;
    }
    if constexpr (e.checked)
      if (!fits) [[unlikely]]
        throw_with_extents<P, &throw_failure_of<P>>(fr, K);
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
template <class P, class Numbers = std::make_integer_sequence<int, growing_nodes<P>::count>>
struct checked_sizes;
template <class P, int... K>
struct checked_sizes<P, std::integer_sequence<int, K...>> {
  static constexpr checked_node nodes[] = {checked_node_of<P, growing_nodes<P>::nodes[static_cast<std::size_t>(K)]>::value()...};
};
template <class P>
[[gnu::cold]] void throw_growth_of(const frame<P>& fr, int number) {
  const checked_node& node = checked_sizes<P>::nodes[number];
  if (node.has_rule) throw_rule_failure(node, fr.extents);
  throw_impossible_extent(node.name, node.at);
}
template <class P>
[[gnu::always_inline]] inline void check_sizes(const frame<P>& fr) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (
        [&] {
          constexpr int node = growing_nodes<P>::nodes[static_cast<std::size_t>(K)];
          constexpr dtype element = P::dtype_at(node);
          if (!is_possible(element, fr.template shape_of<node>())) [[unlikely]]
            throw_with_extents<P, &throw_growth_of<P>>(fr, K);
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
