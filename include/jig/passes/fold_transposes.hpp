// SPDX-License-Identifier: MIT
#pragma once
// Transposes of matrices become attributes of the products that read them.

#include <jig/ops/matmul.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig {

namespace detail {

// Kernels add up in another order for matrices that lie in another way, which floating numbers tell apart.
template <bool Floats>
struct transposes_into_products : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (!is_op(n.kind, ops::matmul) && !is_op(n.kind, ops::batch_matmul)) return {};
    if (!Floats && is_floating(n.spec.dtype)) return {};
    edge inputs[] = {n.inputs[0], n.inputs[1]};
    index transposed[] = {n.integers("transpose_a")[0], n.integers("transpose_b")[0]};
    bool changed = false;
    for (int k = 0; k < 2; ++k) {
      if (!exchanges_last_axes(r, inputs[k])) continue;
      inputs[k] = r.input(inputs[k]);
      transposed[k] = 1 - transposed[k];
      changed = true;
    }
    if (!changed) return {};
    const attribute_view with[] = {{"transpose_a", attribute_kind::boolean, {&transposed[0], 1}, {}, {}},
                                   {"transpose_b", attribute_kind::boolean, {&transposed[1], 1}, {}, {}}};
    return r.make(n.kind, n.spec, inputs, with);
  }

 private:
  static constexpr bool exchanges_last_axes(auto& r, const edge& e) {
    if (!r.is(e, ops::transpose)) return false;
    const list<index> order = r.integers(e, "perm");
    const auto rank = static_cast<index>(order.size());
    for (index a = 0; a < rank; ++a) {
      const index from = order[a] < 0 ? order[a] + rank : order[a];
      if (from != (a == rank - 1 ? a - 1 : a == rank - 2 ? a + 1 : a)) return false;
    }
    return rank >= 2;
  }
};

}  // namespace detail

/// The graph with products that read their matrices transposed in place of products of transposes. Transposes that others read
/// stay for these. Sums of floating numbers may be rounded in another order: the standard passes do it for integers only.
template <class Graph = graph_view>
constexpr graph fold_transposes(const std::type_identity_t<Graph>& g) {
  return detail::rewriter<Graph, detail::transposes_into_products<true>>().run(g);
}

}  // namespace jig
