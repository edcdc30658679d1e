// SPDX-License-Identifier: MIT
#pragma once
// Which scalars of a graph are the same function of other operands: of other elements, of other constants.

#include <jig/ops/arithmetic.hpp>
#include <jig/passes/blocks_of_memory.hpp>
#include <jig/passes/elements.hpp>

namespace jig::detail {

/// What is known of the scalars of a graph, by node.
template <class Graph>
class isomorphic_scalars {
 public:
  constexpr isomorphic_scalars(const Graph& g, stretch<char> dense_arguments) : g_(g), dense_(g.size()), hash_(g.size()) {
    for (std::size_t k = 0; k < g.inputs().size(); ++k) dense_[g.inputs()[k]] = dense_arguments[k];
    for (int v = 0; v < g.size(); ++v) {
      if (!g.data(v).kind->is(fact::input))
        dense_[v] = lies_dense(g, v, dense_, [&](int w) -> const shape& { return g.data(w).spec.shape; });
      elements_.push_back(g.data(v).spec.shape.rank == 0 && g.data(v).kind->is(fact::view) ? find_element({v, 0}) : element());
      hash_[v] = find_hash(v);
    }
  }

  /// An element of memory.
  struct element {
    edge base{-1, 0};
    index place = 0;  // in row-major order
  };
  /// Which one a scalar is, if it is one.
  constexpr const element& element_of(const edge& e) const { return elements_[e.node]; }
  /// Equal expressions of elements of the same tensors and of constants have equal hashes.
  constexpr unsigned hash_of(const edge& e) const { return hash_[e.node]; }
  /// Whether the elements of a value lie side by side in row-major order, if it is stored.
  constexpr bool is_dense(int v) const { return dense_[v] != 0; }

  constexpr const op& kind_of(const edge& e) const { return *g_.data(e.node).kind; }
  constexpr bool is_constant(const edge& e) const { return kind_of(e).is(fact::constant); }
  constexpr std::uint64_t constant_bits(const edge& e) const { return g_.node(e.node).attribute("value").words[0]; }

  /// Whether lanes can compute a scalar: nothing that throws, and what has the same bits in a register of any width.
  constexpr bool computes(const edge& e) const {
    const node_data& n = g_.data(e.node);
    if (e.port != 0 || n.spec.shape.rank != 0 || !n.kind->is(fact::elementwise)) return false;
    if (n.kind->is(fact::checked | fact::scalar_only | fact::stateful) || (is_op(*n.kind, ops::sqrt) && n.spec.dtype == dtype::float32))
      return false;
    for (const auto& in : g_.inputs_of(e.node))
      if (g_.spec(in).shape.rank != 0 || !is_value(g_.spec(in).dtype)) return false;
    return is_value(n.spec.dtype);
  }

  /// Whether a lane is the same op on the same dtypes as another one.
  constexpr bool fits(const edge& e, const edge& other) const {
    if (!computes(e) || !is_op(kind_of(e), kind_of(other)) || g_.spec(e).dtype != g_.spec(other).dtype) return false;
    const auto x = g_.inputs_of(e.node), y = g_.inputs_of(other.node);
    if (x.size() != y.size() || g_.node(e.node).attribute_count() != g_.node(other.node).attribute_count()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (g_.spec(x[i]).dtype != g_.spec(y[i]).dtype) return false;
    for (int i = 0; i < g_.node(e.node).attribute_count(); ++i)
      if (!is_same_attribute(g_.node(e.node).attribute(i), g_.node(other.node).attribute(i))) return false;
    return true;
  }
  /// How much of an expression looks like another one.
  static constexpr int alike = 16;
  constexpr int likeness(const edge& a, const edge& b, int depth) const {
    if (a == b || hash_[a.node] == hash_[b.node]) return alike;
    if (depth == 0 || !computes(a) || !computes(b) || !fits(a, b)) return 0;
    const auto x = g_.inputs_of(a.node), y = g_.inputs_of(b.node);
    int direct = 1, crossed = 0;
    for (std::size_t i = 0; i < x.size(); ++i) direct += likeness(x[i], y[i], depth - 1);
    if (kind_of(a).is(fact::commutative)) crossed = 1 + likeness(x[0], y[1], depth - 1) + likeness(x[1], y[0], depth - 1);
    return direct > crossed ? direct : crossed;
  }

 private:
  static constexpr bool is_value(dtype d) { return (is_number(d) && !is_storage(d)) || d == dtype::boolean; }

  constexpr element find_element(const edge& e) const {
    element out{e, 0};
    while (g_.data(out.base.node).kind->is(fact::view)) {
      const int v = out.base.node;
      const edge from = g_.inputs_of(v)[0];
      const shape &whole = g_.spec(from).shape, &part = g_.data(v).spec.shape;
      if (!whole.is_static()) return {};
      if (!kind_of(out.base).is(fact::keeps_order)) {
        shape strides = part;
        index first = 0;
        const node_facts facts(g_, v);
        kind_of(out.base).restride({facts.context().attributes, whole, row_major_strides(whole), part}, first, strides);
        for (int a = part.rank; a-- > 0;) {
          first += out.place % part[a] * strides[a];
          out.place /= part[a];
        }
        out.place = first;
      }
      out.base = from;
    }
    const tensor_spec& s = g_.spec(out.base);
    if (!is_dense(out.base.node) || packs_scalars(g_, out.base.node) || !s.shape.is_static() || s.shape.size() < 2 || !is_number(s.dtype) ||
        is_storage(s.dtype))
      return {};
    return out;
  }

  constexpr unsigned find_hash(int v) const {
    const edge e{v, 0};
    const node_data& n = g_.data(v);
    if (n.spec.shape.rank != 0) return 0;
    const auto mixed = [](unsigned h, std::uint64_t x) { return (h ^ static_cast<unsigned>(x ^ x >> 32)) * 16777619u; };
    unsigned h = mixed(2166136261u, static_cast<std::uint64_t>(n.spec.dtype));
    if (n.kind->is(fact::constant)) return h;
    if (n.kind->is(fact::view)) return mixed(h, static_cast<std::uint64_t>(elements_[v].base.node) + 1);
    if (!computes(e)) return mixed(h, static_cast<std::uint64_t>(v));
    h = mixed(h, n.kind->identity);
    for (const auto& in : g_.inputs_of(v)) h = mixed(h, hash_[in.node]);
    return h;
  }

  static constexpr bool is_same_attribute(const attribute_view& a, const attribute_view& b) {
    if (a.key != b.key || a.text != b.text || a.values.size() != b.values.size() || a.words.size() != b.words.size()) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i)
      if (a.values[i] != b.values[i]) return false;
    for (std::size_t i = 0; i < a.words.size(); ++i)
      if (a.words[i] != b.words[i]) return false;
    return true;
  }

  Graph g_;
  list<char> dense_;
  list<element> elements_;
  list<unsigned> hash_;
};

}  // namespace jig::detail
