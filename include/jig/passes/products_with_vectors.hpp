// SPDX-License-Identifier: MIT
#pragma once
// Products of a matrix whose rows, or columns, are short with a vector are sums of an elementwise product, which a loop over rows computes.

#include <jig/ops/matmul.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig::detail {

/// How a product with a vector adds up.
struct sum_with_vector {
  int matrix = -1;     // which operand is the matrix; -1 where neither operand is a vector, or where the product's own kernel is as fast
  int summed = 0;      // the axis of the matrix that is added up
  bool turns = false;  // whether the vector lies along the other axis than the sum
};
constexpr sum_with_vector sum_with_vector_of(const tensor_spec& of, const tensor_spec& a, const tensor_spec& b, bool ta, bool tb) {
  constexpr index longest = 32;         // longer rows are added up by the kernel of products
  constexpr index fewest_numbers = 32;  // for matrices of few numbers there are programs of straight-line code
  if (is_storage(of.dtype)) return {};
  const int rank = of.shape.rank, from_end_a = ta ? 2 : 1, from_end_b = tb ? 1 : 2;
  if (rank < 2 || a.shape.rank < 2 || b.shape.rank < 2) return {};
  const index n = a.shape[a.shape.rank - from_end_a];
  if (n < 2 || n > longest || b.shape[b.shape.rank - from_end_b] != n) return {};
  const bool is_column = of.shape[rank - 1] == 1;
  // A row by a matrix that lies as it is read has its lanes along the row of results.
  if (!is_column && (of.shape[rank - 2] != 1 || !tb)) return {};
  const sum_with_vector out{is_column ? 0 : 1, rank - (is_column ? from_end_a : from_end_b), from_end_a != from_end_b};
  if ((is_column ? a : b).shape.rank != rank) return {};
  const index results = of.shape[rank - (is_column ? 2 : 1)];
  if (is_static_extent(results) && results * n < fewest_numbers) return {};
  return out;
}
constexpr bool may_have_products_with_vectors(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    const node_data& n = g.data(v);
    if (!is_op(*n.kind, ops::matmul) && !is_op(*n.kind, ops::batch_matmul)) continue;
    const auto transposed = [&](std::string_view key) { return g.node(v).attribute(key).values[0] != 0; };
    if (sum_with_vector_of(n.spec, g.spec(g.inputs_of(v)[0]), g.spec(g.inputs_of(v)[1]), transposed("transpose_a"),
                           transposed("transpose_b"))
            .matrix >= 0)
      return true;
  }
  return false;
}

struct products_with_vectors : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (is_op(n.kind, ops::squeeze)) return without_detour(r, n);
    if (!is_op(n.kind, ops::matmul) && !is_op(n.kind, ops::batch_matmul)) return {};
    const sum_with_vector sum = sum_with_vector_of(n.spec, r.spec(n.inputs[0]), r.spec(n.inputs[1]), n.integers("transpose_a")[0] != 0,
                                                   n.integers("transpose_b")[0] != 0);
    if (sum.matrix < 0) return {};
    const tensor_spec to = n.spec;
    const int last = to.shape.rank - 1, rows = last - 1;
    const edge factors[] = {n.inputs[at(sum.matrix)], along_sum(r, n.inputs[at(1 - sum.matrix)], sum.turns)};
    const shape matrix = r.spec(factors[0]).shape;
    tensor_spec each = to, all = to;
    each.shape[rows] = matrix[rows];
    each.shape[last] = matrix[last];
    all.shape.rank = last;
    all.shape[rows] = matrix[sum.summed == last ? rows : last];
    const index axes[] = {sum.summed}, keep[] = {0};
    const attribute_view with[] = {{"axes", attribute_kind::integers, axes}, {"keep_dims", attribute_kind::boolean, keep}};
    const edge product = r.make(ops::multiply, each, factors);
    return with_axis(r, r.make(ops::reduce_sum, all, {&product, 1}, with), sum.matrix == 0 ? last : rows, to);
  }

 private:
  static constexpr edge with_axis(auto& r, const edge& e, index axis, const tensor_spec& to) {
    const attribute_view with[] = {{"dim", attribute_kind::integer, {&axis, 1}}};
    return r.make(ops::expand_dims, to, {&e, 1}, with);
  }
  // The vector as what the matrix is multiplied by: its axis along the sum.
  static constexpr edge along_sum(auto& r, const edge& e, bool turns) {
    if (!turns) return e;
    tensor_spec to = r.spec(e), line = to;
    const int last = to.shape.rank - 1;
    const index unit = to.shape[last] == 1 ? last : last - 1, other = 2 * last - 1 - unit;
    std::swap(to.shape[last], to.shape[last - 1]);
    line.shape.rank = last;
    line.shape[last - 1] = to.shape[static_cast<int>(unit)];
    const attribute_view with[] = {{"squeeze_dims", attribute_kind::integers, {&unit, 1}}};
    return with_axis(r, r.make(ops::squeeze, line, {&e, 1}, with), other, to);
  }
  // Axes that only stood there for the product.
  static constexpr edge without_detour(auto& r, const new_node& n) {
    const edge from = n.inputs[0];
    return r.is(from, ops::expand_dims) && r.spec(r.input(from)) == n.spec ? r.input(from) : edge();
  }
};

}  // namespace jig::detail
