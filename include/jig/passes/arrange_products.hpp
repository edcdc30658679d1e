// SPDX-License-Identifier: MIT
#pragma once
// Transposes beside products become part of them: kernels read matrices that lie transposed, and write results whose axes are in
// another order.

#include <jig/ops/matmul.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/passes/fold_transposes.hpp>

namespace jig::detail {

constexpr bool is_product(const op& kind) { return is_op(kind, ops::matmul) || is_op(kind, ops::batch_matmul); }

// Whether a product reads or makes what a transpose is of.
constexpr bool may_have_products_to_arrange(const graph_view& g) {
  bool transposes = false, products = false;
  for (const auto& n : g.nodes_) {
    transposes = transposes || is_op(*n.kind, ops::transpose);
    products = products || is_product(*n.kind);
  }
  return transposes && products;
}

// The graph, in which transposes that were only needed beside products are left without a use.
template <class Graph>
class product_arrangement {
 public:
  constexpr explicit product_arrangement(const Graph& g) : g_(g), uses_(use_counts(g)), renamed_(g.size()) {}

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      const op& kind = *g_.data(v).kind;
      if (is_product(kind)) renamed_[at(v)] = add(product_at(v), kind, g_.data(v).spec, {});
      else if (!is_op(kind, ops::transpose) || !add_arranged(v))
        renamed_[at(v)] = copy_node(out_, g_, v, [&](const edge& e) { return edge{renamed_[at(e.node)], e.port}; });
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back({renamed_[at(e.node)], e.port});
    return std::move(out_);
  }

 private:
  struct order {
    int rank = 0;
    index axes[max_rank] = {};
    constexpr bool is_none() const {
      for (int a = 0; a < rank; ++a)
        if (axes[a] != a) return false;
      return true;
    }
    constexpr bool exchanges_last() const {
      order o = *this;
      if (rank >= 2) std::swap(o.axes[rank - 2], o.axes[rank - 1]);
      return rank >= 2 && o.is_none();
    }
  };
  struct product {
    edge in[2];
    index transposed[2];
  };

  constexpr order order_of(int transpose) const {
    order o;
    for (index a : g_.node(transpose).attribute("perm").values) {
      const auto rank = static_cast<index>(g_.data(transpose).spec.shape.rank);
      o.axes[o.rank++] = a < 0 ? a + rank : a;
    }
    return o;
  }
  constexpr product product_at(int v) const {
    const auto n = g_.node(v);
    product p{{g_.inputs_of(v)[0], g_.inputs_of(v)[1]}, {n.attribute("transpose_a").values[0], n.attribute("transpose_b").values[0]}};
    for (int k = 0; k < 2; ++k) {
      edge& e = p.in[k];
      if (is_op(*g_.data(e.node).kind, ops::transpose) && order_of(e.node).exchanges_last()) {
        e = g_.inputs_of(e.node)[0];
        p.transposed[k] = 1 - p.transposed[k];
      }
      e.node = renamed_[at(e.node)];
    }
    return p;
  }
  constexpr int add(const product& p, const op& kind, const tensor_spec& spec, const order& o) {
    const attribute_view with[] = {{"transpose_a", attribute_kind::boolean, {&p.transposed[0], 1}, {}, {}},
                                   {"transpose_b", attribute_kind::boolean, {&p.transposed[1], 1}, {}, {}},
                                   {"perm", attribute_kind::integers, {o.axes, static_cast<std::size_t>(o.rank)}, {}, {}}};
    return out_.add(kind, spec, {p.in, 2}, {with, o.rank > 0 ? std::size_t{3} : std::size_t{2}}).node;
  }
  // The product whose result only this transpose reads, in the order of the transpose, if its rows or columns come last.
  constexpr bool add_arranged(int v) {
    const edge from = g_.inputs_of(v)[0];
    const op& kind = *g_.data(from.node).kind;
    if (!is_product(kind) || uses_[at(from.node)] != 1) return false;
    product p = product_at(from.node);
    order o = order_of(v);
    index& last = o.axes[o.rank - 1];
    if (last < o.rank - 2) return false;
    if (last == o.rank - 2) {
      // The transpose of a product is that of the transposes, the other way round.
      p = {{p.in[1], p.in[0]}, {1 - p.transposed[1], 1 - p.transposed[0]}};
      for (index& a : o.axes)
        if (a >= o.rank - 2 && &a < o.axes + o.rank) a = 2 * o.rank - 3 - a;
    }
    const tensor_spec spec = g_.data(v).spec;
    if (o.is_none()) renamed_[at(v)] = add(p, kind, spec, {});
    else renamed_[at(v)] = add(p, ops::arranged_batch_matmul, spec, o);
    return true;
  }

  const Graph& g_;
  graph out_;
  list<int> uses_, renamed_;
};

}  // namespace jig::detail
