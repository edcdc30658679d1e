// SPDX-License-Identifier: MIT
#pragma once
// Products of vectors and tensors, and diagonals of matrices. Matrix products are in ops/matmul.hpp.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/einsum.hpp>
#include <jig/ops/join.hpp>

namespace jig {

namespace detail {

constexpr void diag_rule(rule_context& c) {
  check_dtypes(c, numbers | booleans);
  shape out = c.inputs[0].shape;
  if (out.rank == 0) return c.fail("a diagonal needs an axis");
  if (out.rank == max_rank) return c.fail("a tensor has at most 8 axes");
  out.push_back(out[out.rank - 1]);
  c.result = {c.inputs[0].dtype, out};
}

}  // namespace detail

namespace ops {

inline constexpr op diag = detail::copying_op("MatrixDiag", detail::diag_rule, 0,
                                              [](gradient_context& c) {
                                                constexpr index axes[] = {-2, -1};
                                                attribute_view with{"axes", attribute_kind::integers, axes};
                                                c.give(0, c.call(diag_part, {c.full_adjoint()}, {&with, 1}));
                                              })
                               .making(made_ops<diag_part>)
                               .taking({.moves = true});

}  // namespace ops

template <>
struct kernel<ops::diag> {
  template <class Attributes, class Out, class In>
  static void run(Attributes, const Out& out, const In& in) {
    using T = typename Out::value_type;
    const index n = out.extent(out.rank() - 1);
    std::fill_n(out.data(), out.size(), T());
    if (out.size() == 0) return;
    shape strides = detail::row_major_strides(in.shape());
    for (int a = 0; a < in.rank(); ++a) strides[a] *= n;
    strides[in.rank() - 1] = n + 1;
    detail::copy_strided(out.data(), strides, in.data(), in.strides(), in.shape());
  }
};

/// The inner product of two vectors.
/// Shape: [n], [n] -> []
/// Errors: lengths that differ are refused at compile time or throw invalid_argument.
template <Operand X, Operand Y>
constexpr auto dot(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return einsum<"i,i->">(x, y);
}

/// All products of an element of one vector with one of another.
/// Shape: [m], [n] -> [m, n]
template <Operand X, Operand Y>
constexpr auto outer(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return einsum<"i,j->ij">(x, y);
}

namespace detail {

constexpr void expand_tensordot(expansion& x) {
  const int ranks[] = {x.extents(x.input(0)).rank, x.extents(x.input(1)).rank};
  const auto common = static_cast<int>(x.attribute("axes").values[0]);
  if (common < 0 || common > ranks[0] || common > ranks[1]) return x.fail("tensordot: an operand has fewer axes than are summed over");
  // Letters from 'a' on for the first operand, of which the second begins with the last.
  labels first, second;
  for (int a = 0; a < ranks[0]; ++a) first.push_back(static_cast<char>('a' + a));
  for (int a = 0; a < ranks[1]; ++a) second.push_back(static_cast<char>('a' + ranks[0] - common + a));
  message equation;
  for (int i = 0; i < first.count; ++i) equation << first.at[i];
  equation << ',';
  for (int i = 0; i < second.count; ++i) equation << second.at[i];
  equation << "->";
  const labels out = joined(first.without(second), second.without(first));
  for (int i = 0; i < out.count; ++i) equation << out.at[i];
  expand_einsum(x, equation.view());
}

}  // namespace detail

namespace ops {

/// Attribute `axes`: how many are summed over.
inline constexpr op tensordot{
    .name = "Tensordot", .label = "tensordot", .facts = fact::composite, .makes = einsum.makes, .expand = detail::expand_tensordot};

}  // namespace ops

/// The sum of products over the last N axes of x and the first N of y: with 1 the matrix product of two
/// matrices.
/// Shape: [..., s], [s, ...] -> [..., ...], where s are N axes
/// Errors: summed extents that differ are refused at compile time or throw invalid_argument.
template <int N = 1, Operand X, Operand Y>
constexpr auto tensordot(const X& x, const Y& y, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, y);
  return call<ops::tensordot, attributes<integer<"axes", N>>>(x, y);
}

namespace detail {

constexpr void expand_cross(expansion& c) {
  for (const int i : {0, 1}) {
    const shape s = c.extents(c.input(static_cast<std::size_t>(i)));
    if (s.rank == 0 || s[s.rank - 1] != 3) return c.fail("cross: the last axis must have 3 elements");
  }
  const auto element = [&](std::size_t of, index at) {
    const index last = -1;
    const attribute_view with[] = {{"axis", attribute_kind::integer, {&last, 1}}, {"part", attribute_kind::integer, {&at, 1}}};
    return c.call(ops::unpack, {c.input(of)}, with);
  };
  list<edge> elements;
  for (const index i : {0, 1, 2}) {
    const index next = (i + 1) % 3, other = (i + 2) % 3;
    elements.push_back(c.call(ops::subtract, {c.call(ops::multiply, {element(0, next), element(1, other)}),
                                              c.call(ops::multiply, {element(0, other), element(1, next)})}));
  }
  const index last = -1;
  const attribute_view along{"axis", attribute_kind::integer, {&last, 1}};
  c.give(c.call(ops::pack, elements, {&along, 1}));
}
inline constexpr op cross_product{.name = "Cross",
                                  .label = "cross",
                                  .facts = fact::composite,
                                  .makes = made_ops<ops::unpack, ops::multiply, ops::subtract, ops::pack>,
                                  .expand = expand_cross};

}  // namespace detail

/// The cross products of vectors of three elements.
/// Shape: [..., 3], [..., 3] -> [..., 3]; other axes broadcast
/// Errors: another last extent, or one that is a wildcard, is refused.
template <Operand... X>
  requires(sizeof...(X) == 2)
constexpr auto cross(const X&... x) {
  // A pack: programs have functions of this name, which are the better match for traced values then.
  return call<detail::cross_product>(x...);
}

/// The diagonals of a matrix or of several; a view.
/// Shape: [..., m, n] -> [..., min(m, n)]
/// Errors: unequal extents of which one is a wildcard throw invalid_argument.
template <Operand X>
constexpr auto diag_part(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::diag_part, attributes<integers<"axes", -2, -1>>>(x);
}

/// Matrices with these diagonals and zeros elsewhere.
/// Shape: [..., n] -> [..., n, n]
template <Operand X>
constexpr auto diag(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<ops::diag>(x);
}

/// The sum of the diagonal. (`jig::trace` is the type that traces functions.)
/// Shape: [..., m, n] -> [...]
template <Operand X>
constexpr auto matrix_trace(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return reduce_sum<-1>(diag_part(x));
}

}  // namespace jig
