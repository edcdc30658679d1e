// SPDX-License-Identifier: MIT
#pragma once
// Products of many small matrices are sums of a few elementwise products, a column of the one by a row of the other, which one loop over
// all of them computes.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/slice_positions.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/ops/transpose.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig::detail {

/// Whether a product has matrices of so few rows and columns that a loop is faster than the kernel of products.
constexpr bool is_product_of_small_matrices(const tensor_spec& of, const tensor_spec& a, const tensor_spec& b, bool transposes_a,
                                            bool transposes_b) {
  constexpr index longest = 4;  // longer sums keep their accumulators in registers
  const int rank = of.shape.rank;
  if (is_storage(of.dtype) || rank < 3 || a.shape.rank < 2 || b.shape.rank < 2) return false;
  const index rows = of.shape[rank - 2], columns = of.shape[rank - 1], inner = a.shape[a.shape.rank - (transposes_a ? 2 : 1)];
  for (const index n : {rows, columns, inner})
    if (n < 2 || n > longest) return false;
  // A product checks lengths that only the call knows.
  if (b.shape[b.shape.rank - (transposes_b ? 1 : 2)] != inner) return false;
  // Results that do not fill registers in turn cost as many shuffles as a register has numbers, which only pays for more of them.
  const index each = rows * columns;
  return size_of(of.dtype) == 8 ? each == 4 || each == 8 : each <= 12;
}
constexpr bool may_have_small_products(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    if (!is_op(*g.data(v).kind, ops::batch_matmul)) continue;
    const auto transposed = [&](std::string_view key) { return g.node(v).attribute(key).values[0] != 0; };
    if (is_product_of_small_matrices(g.data(v).spec, g.spec(g.inputs_of(v)[0]), g.spec(g.inputs_of(v)[1]), transposed("transpose_a"),
                                     transposed("transpose_b")))
      return true;
  }
  return false;
}

struct small_products : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (!is_op(n.kind, ops::batch_matmul)) return {};
    const bool turns_a = n.integers("transpose_a")[0] != 0, turns_b = n.integers("transpose_b")[0] != 0;
    const edge a = n.inputs[0], b = n.inputs[1];
    if (!is_product_of_small_matrices(n.spec, r.spec(a), r.spec(b), turns_a, turns_b)) return {};
    const tensor_spec to = n.spec;
    const int inner_a = r.spec(a).shape.rank - (turns_a ? 2 : 1), inner_b = r.spec(b).shape.rank - (turns_b ? 1 : 2);
    const index inner = r.spec(a).shape[inner_a];
    edge sum;
    for (index k = 0; k < inner; ++k) {
      const edge factors[] = {line(r, a, inner_a, k, turns_a), line(r, b, inner_b, k, turns_b)};
      const edge product = r.make(ops::multiply, to, factors);
      const edge both[] = {sum, product};
      sum = k == 0 ? product : r.make(ops::add, to, both);
    }
    return sum;
  }

 private:
  // Row k of every matrix, or column k, with its numbers along the other axis.
  static constexpr edge line(auto& r, const edge& e, int axis, index k, bool turns) {
    tensor_spec of = r.spec(e);
    slice_positions p;
    for (int a = 0; a < of.shape.rank; ++a) {
      if (a == axis) p.add(k, 1, 1);
      else p.add_whole(of.shape[a]);
    }
    of.shape[axis] = 1;
    const edge taken = with_attributes(p, [&](stretch<attribute_view> with) { return r.make(ops::strided_slice, of, {&e, 1}, with); });
    if (!turns) return taken;
    const int last = of.shape.rank - 1;
    std::swap(of.shape[last], of.shape[last - 1]);
    index order[max_rank] = {};
    for (int a = 0; a <= last; ++a) order[a] = a;
    std::swap(order[last], order[last - 1]);
    const attribute_view with[] = {{"perm", attribute_kind::integers, {order, static_cast<std::size_t>(last + 1)}}};
    return r.make(ops::transpose, of, {&taken, 1}, with);
  }
};

}  // namespace jig::detail
