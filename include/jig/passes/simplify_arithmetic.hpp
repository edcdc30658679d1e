// SPDX-License-Identifier: MIT
#pragma once
// Algebra: nodes that do nothing go, nodes that undo each other go in pairs, others become cheaper ones.

#include <jig/graph/simplification.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/passes/evaluate.hpp>

namespace jig {

/// What simplify_arithmetic may do.
struct arithmetic_options {
  /// Also rules that hold for real numbers and only nearly, or not for NaN, infinity and -0, for floating ones: sums and products
  /// with constants in another order, x + 0, x - x and x * 0, powers as products, reciprocals of constants, Rsqrt, Log1p, Expm1.
  bool value_changing = false;
};

namespace detail {

template <bool ValueChanging>
struct algebra : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    const bool is_view = n.kind.is(fact::view);
    if (n.inputs.empty() || (!is_view && (!n.kind.is(fact::elementwise) || r.spec(n.inputs[0]).dtype == dtype::string))) return {};
    edge e = is_view ? edge{} : by_facts(r, n);
    if (is_none(e)) {
      simplification s(r.built(), n.kind, n.spec, n.inputs, n.attributes, ValueChanging);
      n.kind.simplify(s);
      e = made(r, n, s);
    }
    if (!is_none(e)) return e;
    if (is_view) return reshaped(r, n);
    if (n.inputs.size() < 2) return e;
    e = together(r, n);
    return is_none(e) ? with_smaller_operands(r, n) : e;
  }

 private:
  // What the rule of an op named. A program that traces at run time has the kernels of what the op declares.
  static constexpr edge made(auto& r, const new_node& n, const simplification& s) {
    if (s.has_number()) return number(r, n, s.number());
    list<edge> now;
    const auto resolved = [&](const edge& e) { return e.node < -1 ? now[-2 - e.node] : e; };
    for (const auto& w : s.wanted()) {
      if (w.is_constant) {
        now.push_back(r.constant(w.spec, w.words));
        continue;
      }
      if constexpr (!ValueChanging) require_declared(n.kind, *w.kind);
      list<edge> inputs;
      for (const auto& e : w.inputs) inputs.push_back(resolved(e));
      list<attribute_view> with;
      std::size_t first = 0;
      for (attribute_view a : w.attributes) {
        a.values = {w.values.data() + first, a.values.size()};
        first += a.values.size();
        with.push_back(a);
      }
      now.push_back(r.make(*w.kind, w.spec, inputs, with));
    }
    return resolved(s.found());
  }
  static constexpr edge number(auto& r, const new_node& n, int value) {
    const edge scalar = r.scalar(n.spec.dtype, bits_of_number(n.spec.dtype, value));
    if (n.spec.shape.rank == 0) return scalar;
    list<index> extents;
    for (int a = 0; a < n.spec.shape.rank; ++a) extents.push_back(n.spec.shape[a]);
    const attribute_view with[] = {{"shape", attribute_kind::integers, extents, {}, {}}};
    return r.make(ops::broadcast_to, n.spec, {&scalar, 1}, with);
  }
  static constexpr edge by_facts(auto& r, const new_node& n) {
    const edge x = n.inputs[0];
    if (n.inputs.size() == 2) return n.kind.is(fact::idempotent) && x == n.inputs[1] ? x : edge{};
    if (n.inputs.size() != 1) return {};
    const op& inner = *r.data(x).kind;
    if (n.kind.is(fact::rounds) && inner.is(fact::rounds)) return x;
    if (!n.kind.is(fact::involution | fact::idempotent) || !is_op(n.kind, inner)) return {};
    if (n.kind.is(fact::idempotent)) return x;
    const edge twice = r.input(x);
    return r.spec(twice) == n.spec ? twice : edge{};
  }
  // (x + 1) + 2 is x + 3, for whatever is associative.
  static constexpr edge together(auto& r, const new_node& n) {
    if (!n.kind.is(fact::associative) || n.inputs[0] == n.inputs[1]) return {};
    if (!ValueChanging && is_floating(n.spec.dtype)) return {};
    const std::size_t at = r.uniform(n.inputs[1]).known ? 1 : 0;
    const edge c = n.inputs[at], x = n.inputs[1 - at];
    const known_bits outer = r.uniform(c);
    if (!outer.known || !r.is(x, n.kind)) return {};
    const dtype d = n.spec.dtype;
    for (std::size_t k = 0; k < 2; ++k) {
      const edge inner = r.input(x, k), rest = r.input(x, 1 - k);
      const known_bits found = r.uniform(inner);
      if (!found.known || r.spec(inner).shape.rank != 0 || r.spec(c).shape.rank != 0) continue;
      const std::uint64_t both[] = {found.bits, outer.bits};
      const known_bits joined = known_value(n.kind, {both, d, d});
      if (!joined.known) continue;
      const edge inputs[] = {rest, r.scalar(d, joined.bits)};
      return r.make(n.kind, n.spec, inputs);
    }
    return {};
  }

  // Whether the call checks that extents are those of a further input, as of broadcast_like.
  static constexpr bool compares_extents(auto& r, const edge& e) {
    for (int k = 1; k < r.data(e).inputs.count; ++k)
      if (!r.spec(r.input(e, static_cast<std::size_t>(k))).shape.is_static()) return true;
    return false;
  }

  // What broadcasts anyway is read as it is before, where another operand has the whole shape.
  static constexpr edge with_smaller_operands(auto& r, const new_node& n) {
    bool may = false;
    for (const auto& e : n.inputs) may = may || (r.data(e).kind->is(fact::constant | fact::view) && r.spec(e).shape.rank > 0);
    if (!may || !n.spec.shape.is_static()) return {};
    list<edge> inputs;
    bool changed = false;
    int whole = 0;
    for (const auto& e : n.inputs) {
      edge smaller = e;
      const tensor_spec s = r.spec(e);
      if (s.shape.rank > 0 && r.is_constant(e)) {
        if (const known_bits same = r.uniform(e); same.known) smaller = r.scalar(s.dtype, same.bits);
      } else if (r.is(e, ops::broadcast_to) && !compares_extents(r, e)) {
        smaller = r.input(e);
      }
      changed = changed || !(smaller == e);
      whole += smaller == e && s.shape == n.spec.shape;
      inputs.push_back(smaller);
    }
    if (!changed || whole == 0) return {};
    list<tensor_spec> specs;
    for (const auto& e : inputs) specs.push_back(r.spec(e));
    const inference found = infer(n.kind, specs, n.attributes);
    return !found.failed && found.result == n.spec ? r.make(n.kind, n.spec, inputs, n.attributes) : edge{};
  }

  // Views in the same order are one. Wildcards, also of inputs that tell extents, are checked by the call.
  static constexpr edge reshaped(auto& r, const new_node& n) {
    const edge x = n.inputs[0];
    const tensor_spec& from = r.spec(x);
    if (!n.kind.is(fact::keeps_order) || !n.spec.shape.is_static()) return {};
    for (const auto& e : n.inputs)
      if (!r.spec(e).shape.is_static()) return {};
    if (from == n.spec) return x;
    if (!r.data(x).kind->is(fact::keeps_order) || !r.data(x).kind->is(fact::view) || compares_extents(r, x)) return {};
    const edge first = r.input(x);
    if (!r.spec(first).shape.is_static()) return {};
    if (r.spec(first) == n.spec) return first;
    list<index> extents;
    for (int a = 0; a < n.spec.shape.rank; ++a) extents.push_back(n.spec.shape[a]);
    const attribute_view with[] = {{"shape", attribute_kind::integers, extents, {}, {}}};
    return r.make(ops::reshape, n.spec, {&first, 1}, with);
  }
};

}  // namespace detail

/// The graph without nodes that change nothing (x * 1, x / 1, x - 0, reshapes to the same shape, the same dtype), without pairs that
/// undo each other (--x, transposes, reversals, conversions that lose nothing), with cheaper nodes in place of others
/// (a + -b, x / 4, where of a constant). Every bit of every result stays, of integers and floating numbers, unless the options
/// say otherwise; of a NaN that it is one.
template <class Graph = graph_view>
constexpr graph simplify_arithmetic(const std::type_identity_t<Graph>& g, arithmetic_options options = {}) {
  if (options.value_changing) return detail::rewriter<Graph, detail::algebra<true>>().run(g);
  return detail::rewriter<Graph, detail::algebra<false>>().run(g);
}

}  // namespace jig
