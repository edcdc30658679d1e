// SPDX-License-Identifier: MIT
#pragma once
// Matrix products, of two matrices or of batches of them. The kernel is in eval/matmul.hpp.

#include <jig/graph/gradient.hpp>
#include <jig/ops/call.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/rules.hpp>

namespace jig {

/// Asks matmul to read its first or second matrix transposed.
struct transpose_a_t {};
struct transpose_b_t {};
inline constexpr transpose_a_t transpose_a{};
inline constexpr transpose_b_t transpose_b{};

namespace detail {

constexpr void matmul_rule(rule_context& c) {
  check_dtypes(c, numbers);
  shape a = c.inputs[0].shape, b = c.inputs[1].shape;
  if (a.rank < 2 || b.rank < 2) return c.fail("inputs need an axis, and two where they are transposed");
  bool ta = c.integer("transpose_a") != 0, tb = c.integer("transpose_b") != 0;
  index m = a[a.rank - (ta ? 1 : 2)], k = a[a.rank - (ta ? 2 : 1)];
  index n = b[b.rank - (tb ? 2 : 1)], also_k = b[b.rank - (tb ? 1 : 2)];
  c.equal(k, also_k, "inner extents differ");
  a.rank -= 2;
  b.rank -= 2;
  shape out = broadcast(c, a, b);
  out.push_back(m);
  out.push_back(n);
  c.result = {c.inputs[0].dtype, out};
}

constexpr void arranged_matmul_rule(rule_context& c) {
  matmul_rule(c);
  if (c.failed) return;
  const shape from = c.result.shape;
  const auto order = c.integers("perm");
  if (order.size() != static_cast<std::size_t>(from.rank)) return c.fail("a permutation names every axis once");
  unsigned seen = 0;
  for (int i = 0; i < from.rank; ++i) {
    const int a = c.axis(order[static_cast<std::size_t>(i)], from.rank);
    seen |= 1u << a;
    c.result.shape[i] = from[a];
  }
  if (seen != (1u << from.rank) - 1) return c.fail("a permutation names every axis once");
}

// Of c = a b: the adjoint times b transposed, and a transposed times the adjoint. What was read transposed is transposed.
constexpr void matmul_gradient(gradient_context& c) {
  const index ta = c.integer("transpose_a"), tb = c.integer("transpose_b");
  auto g = c.full_adjoint(), a = c.input(0), b = c.input(1);
  auto product = [&](const graph_value& x, index tx, const graph_value& y, index ty) {
    attribute_view with[] = {{"transpose_a", attribute_kind::boolean, {&tx, 1}}, {"transpose_b", attribute_kind::boolean, {&ty, 1}}};
    return c.call(c.node().kind(), {x, y}, with);
  };
  if (c.wants(0)) c.give_summed(0, ta == 0 ? product(g, 0, b, 1 - tb) : product(b, tb, g, 1));
  if (c.wants(1)) c.give_summed(1, tb == 0 ? product(a, 1 - ta, g, 0) : product(g, 1, a, ta));
}

constexpr index matmul_flops(const rule_context& c) {
  const shape& a = c.inputs[0].shape;
  return 2 * c.result.shape.size() * a[a.rank - (c.integer("transpose_a") != 0 ? 2 : 1)];
}

}  // namespace detail

namespace ops {

extern const op arranged_batch_matmul;

/// Attributes `transpose_a` and `transpose_b`.
inline constexpr op matmul{.name = "MatMul",
                           .label = "MatMul",
                           .facts = fact::epilogue | fact::computes,
                           .rule = detail::matmul_rule,
                           .flops = detail::matmul_flops,
                           .gradient = detail::matmul_gradient};
inline constexpr op batch_matmul{.name = "BatchMatMulV2",
                                 .label = "BatchMatMulV2",
                                 .facts = fact::batched | fact::epilogue | fact::computes,
                                 .rule = detail::matmul_rule,
                                 .flops = detail::matmul_flops,
                                 .gradient = detail::matmul_gradient,
                                 .makes = made_ops<arranged_batch_matmul>};
/// The same with the axes of the result in another order, attribute `perm`, of which the last one stays the last: what lowering makes
/// of a product and a transpose.
inline constexpr op arranged_batch_matmul{.name = "BatchMatMulArranged",
                                          .label = "BatchMatMulArranged",
                                          .facts = fact::epilogue | fact::computes,
                                          .rule = detail::arranged_matmul_rule,
                                          .flops = detail::matmul_flops};

}  // namespace ops

namespace detail {

template <class Flag, class... Flags>
inline constexpr bool has_flag = (std::is_same_v<Flag, Flags> || ...);

// Whether an operand beside this other one is a vector.
constexpr bool is_vector(const tensor_spec& x, const tensor_spec& other) { return x.shape.rank == 1 && other.shape.rank > 0; }

template <class With, class X, class Y>
constexpr auto matrix_product(const X& x, const Y& y) {
  constexpr auto has_batches = [](stretch<tensor_spec> s) { return s[0].shape.rank > 2 || s[1].shape.rank > 2; };
  return call_one_of<ops::batch_matmul, ops::matmul, With>(has_batches, x, y);
}
// With a vector in first place as a row, in second place as a column.
template <class With, bool Row, bool Column, class X, class Y>
constexpr auto vector_product(const X& x, const Y& y) {
  if constexpr (Row && Column) return squeeze<-2, -1>(matrix_product<With>(expand_dims<0>(x), expand_dims<1>(y)));
  else if constexpr (Row) return squeeze<-2>(matrix_product<With>(expand_dims<0>(x), y));
  else if constexpr (Column) return squeeze<-1>(matrix_product<With>(x, expand_dims<1>(y)));
  else return matrix_product<With>(x, y);
}

// Read transposed where ta and tb say so.
template <bool ta, bool tb, class X, class Y>
constexpr auto product_of(const X& x, const Y& y) {
  using with = attributes<boolean<"transpose_a", ta>, boolean<"transpose_b", tb>>;
  if constexpr (is_refused<X> || is_refused<Y>) {
    return detail::first_refused(x, y);
  } else if constexpr (detail::is_dynamic<X, Y>) {
    const auto specs = detail::dynamic_specs<ops::matmul>(x, y);
    const bool row = !ta && detail::is_vector(specs[0], specs[1]), column = !tb && detail::is_vector(specs[1], specs[0]);
    return row      ? column ? detail::vector_product<with, true, true>(x, y) : detail::vector_product<with, true, false>(x, y)
                : column ? detail::vector_product<with, false, true>(x, y)
                    : detail::vector_product<with, false, false>(x, y);
  } else {
    return []<class A, class B>(detail::types<A, B>, const X& a, const Y& b) {
      constexpr bool row = !ta && detail::is_vector(A::value(), B::value()), column = !tb && detail::is_vector(B::value(), A::value());
      return detail::vector_product<with, row, column>(a, b);
    }(typename detail::operands<ops::matmul, X, Y>::specs(), x, y);
  }
}

}  // namespace detail

/// The matrix product; axes before the last two are batches and broadcast. A vector in first place is a row, in second place a
/// column, an axis that the result does not have. `jig::transpose_a`, `jig::transpose_b` as further arguments read that matrix
/// transposed, in place. Integer overflow wraps.
/// Shape: [..., m, k] x [..., k, n] -> [..., m, n], [k] x [..., k, n] -> [..., n], [..., m, k] x [k] -> [..., m], [k] x [k] -> []
/// Errors: inner extents that differ are refused at compile time or throw invalid_argument, as are vectors that are to be transposed.
/// Cost: 2 m n k operations for each batch.
template <Operand X, Operand Y, class... Flags>
  requires(sizeof...(Flags) > 0)
constexpr auto matmul(const X& x, const Y& y, Flags...) {
  static_assert(((std::is_same_v<Flags, transpose_a_t> || std::is_same_v<Flags, transpose_b_t>) && ...),
                "jig::matmul: the further arguments may be jig::transpose_a and jig::transpose_b");
  return detail::product_of<detail::has_flag<transpose_a_t, Flags...>, detail::has_flag<transpose_b_t, Flags...>>(x, y);
}
template <Operand X, Operand Y>
constexpr auto matmul(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return detail::product_of<false, false>(x, y);
}

}  // namespace jig
