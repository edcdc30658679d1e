// SPDX-License-Identifier: MIT
#pragma once
// Products of vectors and tensors, and diagonals of matrices. Matrix products are in ops/matmul.hpp.

#include <jig/ops/einsum.hpp>

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
                                                attribute_view with{"axes", attribute_kind::integers, axes, {}, {}};
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
constexpr auto dot(const X& x, const Y& y) {
  return einsum<"i,i->">(x, y);
}

/// All products of an element of one vector with one of another.
/// Shape: [m], [n] -> [m, n]
template <Operand X, Operand Y>
constexpr auto outer(const X& x, const Y& y) {
  return einsum<"i,j->ij">(x, y);
}

namespace detail {

// The equation of a tensordot: letters from 'a' on for x, of which y begins with the last `common`.
constexpr auto tensordot_equation(int x_rank, int y_rank, int common) {
  labels x, y;
  for (int a = 0; a < x_rank; ++a) x.push_back(static_cast<char>('a' + a));
  for (int a = 0; a < y_rank; ++a) y.push_back(static_cast<char>('a' + x_rank - common + a));
  text<2 * (2 * max_rank) + max_rank> t;
  int n = 0;
  auto append = [&](const labels& l) {
    for (int i = 0; i < l.count; ++i) t.chars[n++] = l.at[i];
  };
  append(x);
  t.chars[n++] = ',';
  append(y);
  t.chars[n++] = '-';
  t.chars[n++] = '>';
  append(joined(x.without(y), y.without(x)));
  while (n < static_cast<int>(t.size())) t.chars[n++] = ' ';
  return t;
}

inline constexpr text tensordot_refusal = "tensordot: an operand has fewer axes than are summed over";

}  // namespace detail

/// The sum of products over the last N axes of x and the first N of y: with 1 the matrix product of two
/// matrices.
/// Shape: [..., s], [s, ...] -> [..., ...], where s are N axes
/// Errors: summed extents that differ are refused at compile time or throw invalid_argument.
template <int N = 1, Operand X, Operand Y>
constexpr auto tensordot(const X& x, const Y& y) {
  if constexpr (is_refused<X> || is_refused<Y>) return detail::first_refused(x, y);
  else if constexpr (detail::is_dynamic<X, Y>) {
    const int x_rank = detail::shape_now(x).rank, y_rank = detail::shape_now(y).rank;
    if (N < 0 || N > x_rank || N > y_rank) detail::throw_invalid_argument(detail::tensordot_refusal.view());
    return detail::dynamic_einsum(detail::tensordot_equation(x_rank, y_rank, N).view(), x, y);
  } else if constexpr (N < 0 || N > detail::operand_shape<X>().rank || N > detail::operand_shape<Y>().rank)
    return refuse_with<detail::tensordot_refusal, X, Y>();
  else return einsum<detail::tensordot_equation(detail::operand_shape<X>().rank, detail::operand_shape<Y>().rank, N)>(x, y);
}

/// The diagonals of a matrix or of several; a view.
/// Shape: [..., m, n] -> [..., min(m, n)]
/// Errors: unequal extents of which one is a wildcard throw invalid_argument.
template <Operand X>
constexpr auto diag_part(const X& x) {
  return call<ops::diag_part, attributes<integers<"axes", -2, -1>>>(x);
}

/// Matrices with these diagonals and zeros elsewhere.
/// Shape: [..., n] -> [..., n, n]
template <Operand X>
constexpr auto diag(const X& x) {
  return call<ops::diag>(x);
}

/// The sum of the diagonal. (`jig::trace` is the type that traces functions.)
/// Shape: [..., m, n] -> [...]
template <Operand X>
constexpr auto matrix_trace(const X& x) {
  return reduce_sum<-1>(diag_part(x));
}

}  // namespace jig
