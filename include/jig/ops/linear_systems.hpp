// SPDX-License-Identifier: MIT
#pragma once
// Systems of linear equations and what belongs to them: triangular factors, inverses, determinants. Matrices are the last two axes; axes
// before them are batches. The kernels are in eval/linear_systems.hpp.

#include <jig/ops/band_part.hpp>
#include <jig/ops/composite.hpp>
#include <jig/ops/matmul.hpp>
#include <jig/ops/transpose.hpp>

namespace jig {

/// Says of the matrix of triangular_solve that it is an upper one.
struct upper_t {};
inline constexpr upper_t upper{};

namespace detail {

// Makes both axes of a matrix one and the same extent.
constexpr shape square_extents(rule_context& c) {
  check_dtypes(c, floats);
  shape s = c.inputs[0].shape;
  if (s.rank < 2) {
    c.fail("a matrix has two axes");
    return s;
  }
  s[s.rank - 1] = s[s.rank - 2] = c.equal(s[s.rank - 2], s[s.rank - 1], "the matrix is not square");
  return s;
}
constexpr void square_rule(rule_context& c) { c.result = {c.inputs[0].dtype, square_extents(c)}; }
constexpr void determinant_rule(rule_context& c) {
  shape s = square_extents(c);
  if (c.failed) return;
  s.rank -= 2;
  c.result = {c.inputs[0].dtype, s};
}
constexpr void system_rule(rule_context& c) {
  const shape matrix = square_extents(c);
  if (c.failed) return;
  shape sides = c.inputs[1].shape;
  if (sides.rank != matrix.rank) return c.fail("matrix and right-hand sides need the same number of axes");
  for (int a = 0; a + 1 < sides.rank; ++a)
    sides[a] = c.equal(matrix[a], sides[a],
                       a + 2 < sides.rank ? "there are other numbers of matrices and of right-hand sides"
                                          : "the right-hand sides do not have as many rows as the matrix");
  c.result = {c.inputs[0].dtype, sides};
}
constexpr void triangle_rule(rule_context& c) {
  check_dtypes(c, floats);
  if (c.inputs[0].shape.rank < 2) return c.fail("a matrix has two axes");
  c.result = c.inputs[0];
}

// Operations for each batch, of matrices with n rows: `cubes` n³, and twice n² for each right-hand side and triangular factor.
constexpr index flops_of_systems(const rule_context& c, double cubes, index factors) {
  const shape& matrix = c.inputs[0].shape;
  const index n = matrix[matrix.rank - 1], batches = n > 0 ? matrix.size() / n / n : 0;
  const index sides = factors > 0 ? c.result.shape.size() * n * factors : 0;
  return static_cast<index>(cubes * static_cast<double>(batches * n * n * n)) + sides;
}

// Gradients of systems are made of products and systems.
constexpr graph_value product_of_matrices(gradient_context& c, const graph_value& x, bool x_transposed, const graph_value& y,
                                          bool y_transposed) {
  const index tx = x_transposed, ty = y_transposed;
  const attribute_view with[] = {{"transpose_a", attribute_kind::boolean, {&tx, 1}}, {"transpose_b", attribute_kind::boolean, {&ty, 1}}};
  return c.extents(x).rank > 2 ? c.call(ops::batch_matmul, {x, y}, with) : c.call(ops::matmul, {x, y}, with);
}
constexpr graph_value transpose_of_matrices(gradient_context& c, const graph_value& x) {
  const int rank = c.extents(x).rank;
  index order[max_rank] = {};
  for (int a = 0; a < rank; ++a) order[a] = a < rank - 2 ? a : 2 * rank - 3 - a;
  const attribute_view with{"perm", attribute_kind::integers, {order, static_cast<std::size_t>(rank)}};
  return c.call(ops::transpose, {x}, {&with, 1});
}
constexpr void cholesky_gradient(gradient_context& c);
constexpr void triangular_solve_gradient(gradient_context& c);
constexpr void solve_gradient(gradient_context& c);
constexpr void inverse_gradient(gradient_context& c);
constexpr void determinant_gradient(gradient_context& c);
constexpr void triangle_gradient(gradient_context& c);

constexpr op matrix_op(std::string_view name, void (*rule)(rule_context&), index (*flops)(const rule_context&),
                       void (*gradient)(gradient_context&)) {
  return op{.name = name,
            .label = name,
            .facts = fact::checked | fact::computes,
            .rule = rule,
            .flops = flops,
            .gradient = gradient,
            .operands = {.elements = floats}};
}

}  // namespace detail

namespace ops {

/// Attribute `lower`: the triangle of a matrix that is kept, with the diagonal, beside zeros.
inline constexpr op triangle = detail::copying_op("MatrixTriangle", detail::triangle_rule, 0, detail::triangle_gradient);
/// Inputs: a triangular matrix and right-hand sides. Attributes `lower` and `adjoint`, which transposes the matrix.
inline constexpr op triangular_solve =
    detail::matrix_op(
        "MatrixTriangularSolve", detail::system_rule, [](const rule_context& c) { return detail::flops_of_systems(c, 0, 1); },
        detail::triangular_solve_gradient)
        .making(made_ops<matmul, batch_matmul, triangle>);
/// Inputs: a matrix and right-hand sides. Attribute `adjoint`, which transposes the matrix.
inline constexpr op matrix_solve = detail::matrix_op(
                                       "MatrixSolve", detail::system_rule,
                                       [](const rule_context& c) { return detail::flops_of_systems(c, 2. / 3, 2); }, detail::solve_gradient)
                                       .making(made_ops<matmul, batch_matmul>);
inline constexpr op matrix_inverse = detail::matrix_op(
                                         "MatrixInverse", detail::square_rule,
                                         [](const rule_context& c) { return detail::flops_of_systems(c, 2, 0); }, detail::inverse_gradient)
                                         .making(made_ops<matmul, batch_matmul>);
inline constexpr op matrix_determinant =
    detail::matrix_op(
        "MatrixDeterminant", detail::determinant_rule, [](const rule_context& c) { return detail::flops_of_systems(c, 2. / 3, 0); },
        detail::determinant_gradient)
        .making(made_ops<matrix_inverse, transpose>);
inline constexpr op cholesky = detail::matrix_op(
                                   "Cholesky", detail::square_rule,
                                   [](const rule_context& c) { return detail::flops_of_systems(c, 1. / 3, 0); }, detail::cholesky_gradient)
                                   .making(made_ops<matmul, batch_matmul, triangle, triangular_solve, transpose, diag_part, set_diag>);

}  // namespace ops

namespace detail {

constexpr void triangle_gradient(gradient_context& c) { c.give(0, c.call_alike(ops::triangle, {c.full_adjoint()})); }

constexpr void triangular_solve_gradient(gradient_context& c) {
  const index lower = c.integer("lower"), adjoint = c.integer("adjoint"), turned = 1 - adjoint;
  const attribute_view with[] = {{"lower", attribute_kind::boolean, {&lower, 1}}, {"adjoint", attribute_kind::boolean, {&turned, 1}}};
  const auto sides = c.call(ops::triangular_solve, {c.input(0), c.full_adjoint()}, with);
  c.give(1, sides);
  if (!c.wants(0)) return;
  const auto product =
      adjoint != 0 ? product_of_matrices(c, c.output(), false, sides, true) : product_of_matrices(c, sides, false, c.output(), true);
  c.give(0, -c.call(ops::triangle, {product}, {with, 1}));
}
constexpr void solve_gradient(gradient_context& c) {
  const index adjoint = c.integer("adjoint"), turned = 1 - adjoint;
  const attribute_view with{"adjoint", attribute_kind::boolean, {&turned, 1}};
  const auto sides = c.call(ops::matrix_solve, {c.input(0), c.full_adjoint()}, {&with, 1});
  c.give(1, sides);
  if (!c.wants(0)) return;
  c.give(0,
         -(adjoint != 0 ? product_of_matrices(c, c.output(), false, sides, true) : product_of_matrices(c, sides, false, c.output(), true)));
}
constexpr void inverse_gradient(gradient_context& c) {
  const auto inverse = c.output();
  c.give(0, -product_of_matrices(c, inverse, true, product_of_matrices(c, c.full_adjoint(), false, inverse, true), false));
}
constexpr void determinant_gradient(gradient_context& c) {
  auto scale = c.full_adjoint() * c.output();
  const index last = -1;
  const attribute_view with{"dim", attribute_kind::integer, {&last, 1}};
  for (int added = 0; added < 2; ++added) scale = c.call(c.ops().expand_dims, {scale}, {&with, 1});
  c.give(0, scale * transpose_of_matrices(c, c.call(ops::matrix_inverse, {c.input(0)})));
}
// Murray, "Differentiation of the Cholesky decomposition" (2016), equation 9; the gradient is symmetric as the matrix is.
constexpr void cholesky_gradient(gradient_context& c) {
  const index yes = 1;
  const attribute_view with[] = {{"lower", attribute_kind::boolean, {&yes, 1}}, {"adjoint", attribute_kind::boolean, {&yes, 1}}};
  constexpr index axes[] = {-2, -1};
  const attribute_view diagonal{"axes", attribute_kind::integers, axes};
  const auto factor = c.output();
  auto half = c.call(ops::triangle, {product_of_matrices(c, factor, true, c.full_adjoint(), false)}, {with, 1});
  half = c.call(ops::set_diag, {half, c.call(ops::diag_part, {half}, {&diagonal, 1}) * .5}, {&diagonal, 1});
  const auto left = c.call(ops::triangular_solve, {factor, half}, with);
  const auto both = c.call(ops::triangular_solve, {factor, transpose_of_matrices(c, left)}, with);
  c.give(0, (both + transpose_of_matrices(c, both)) * .5);
}

// A vector is a right-hand side of its own, for one matrix.
constexpr void expand_system(expansion& c, const op& kind) {
  const attribute_view adjoint = c.attribute("adjoint"), lower = c.attribute("lower");
  list<attribute_view> with;
  for (const auto& a : {adjoint, lower})
    if (!a.key.empty()) with.push_back(a);
  const index last = -1;
  const attribute_view added{"dim", attribute_kind::integer, {&last, 1}};
  const bool is_vector = c.extents(c.input(1)).rank == 1;
  const edge sides = is_vector ? c.call(ops::expand_dims, {c.input(1)}, {&added, 1}) : c.input(1);
  const edge found = c.call(kind, {c.input(0), sides}, with);
  c.give(is_vector ? c.call(ops::squeeze, {found}, "squeeze_dims", {&last, 1}) : found);
}
inline constexpr op solve_of_any{.name = "Solve",
                                 .label = "solve",
                                 .facts = fact::composite,
                                 .makes = made_ops<ops::expand_dims, ops::matrix_solve, ops::squeeze>,
                                 .expand = [](expansion& c) { expand_system(c, ops::matrix_solve); }};
inline constexpr op triangular_solve_of_any{.name = "TriangularSolve",
                                            .label = "triangular_solve",
                                            .facts = fact::composite,
                                            .makes = made_ops<ops::expand_dims, ops::triangular_solve, ops::squeeze>,
                                            .expand = [](expansion& c) { expand_system(c, ops::triangular_solve); }};

}  // namespace detail

// Programs have functions of these names: packs make theirs the better match for traced values.

/// The lower triangular matrices L with positive diagonals of which L Lᵀ are these symmetric positive definite ones, whose lower triangles
/// alone are read. NaN gives NaN.
/// Shape: [..., n, n] -> the same
/// Dtype: floats
/// Errors: a matrix that is not positive definite throws invalid_argument, as does one that is not square and has a wildcard.
/// Cost: n³ / 3 operations for each matrix; matrices of up to 8 rows one in each lane of a register.
template <Operand... X>
  requires(sizeof...(X) == 1)
constexpr auto cholesky(const X&... x) {
  return call<ops::cholesky>(x...);
}

/// The solutions x of triangular systems l x = b, of transposed ones with `jig::transpose_a` behind, of upper triangles with `jig::upper`.
/// The other triangle is not read.
/// Shape: [..., n, n], [..., n, k] -> [..., n, k]; [n, n], [n] -> [n]
/// Dtype: floats
/// Errors: a zero on the diagonal throws invalid_argument.
/// Cost: n² operations for each right-hand side
template <Operand L, Operand B, class... Flags>
  requires((std::is_same_v<Flags, upper_t> || std::is_same_v<Flags, transpose_a_t>) && ...)
constexpr auto triangular_solve(const L& l, const B& b, Flags...) {
  using with =
      attributes<boolean<"lower", !detail::has_flag<upper_t, Flags...>>, boolean<"adjoint", detail::has_flag<transpose_a_t, Flags...>>>;
  return call<detail::triangular_solve_of_any, with>(l, b);
}

/// The solutions x of systems a x = b, by elimination with partial pivoting; of transposed ones with `jig::transpose_a` behind. NaN gives
/// NaN.
/// Shape: [..., n, n], [..., n, k] -> [..., n, k]; [n, n], [n] -> [n]
/// Dtype: floats
/// Errors: a matrix that is not invertible throws invalid_argument, as do other numbers of rows.
/// Cost: 2 n³ / 3 operations for each matrix and 2 n² for each right-hand side; matrices of up to 8 rows one in each lane of a register.
template <Operand... X>
  requires(sizeof...(X) == 2)
constexpr auto solve(const X&... x) {
  return call<detail::solve_of_any, attributes<boolean<"adjoint", false>>>(x...);
}
template <Operand A, Operand B>
constexpr auto solve(const A& a, const B& b, transpose_a_t) {
  return call<detail::solve_of_any, attributes<boolean<"adjoint", true>>>(a, b);
}

/// The solutions of systems whose matrix has this Cholesky factor.
/// Shape: l [..., n, n], b [..., n, k] -> [..., n, k]; [n, n], [n] -> [n]
/// Errors, cost: those of two triangular_solve
template <Operand L, Operand B>
constexpr auto cholesky_solve(const L& l, const B& b) {
  return jig::triangular_solve(l, jig::triangular_solve(l, b), transpose_a);
}

/// Inverses, by elimination with partial pivoting. NaN gives NaN.
/// Shape: [..., n, n] -> the same
/// Dtype: floats
/// Errors: a matrix that is not invertible throws invalid_argument, as does one that is not square and has a wildcard.
/// Cost: 2 n³ operations for each matrix; `solve` takes less than a product with an inverse, and is more exact.
template <Operand... X>
  requires(sizeof...(X) == 1)
constexpr auto inv(const X&... x) {
  return call<ops::matrix_inverse>(x...);
}

/// Determinants: sums of products of up to four rows, by elimination with partial pivoting of more. The gradient is that of invertible
/// matrices.
/// Shape: [..., n, n] -> [...]
/// Dtype: floats
/// Errors: a matrix that is not square is refused or throws invalid_argument.
/// Cost: 2 n³ / 3 operations for each matrix; those of up to 8 rows one in each lane of a register.
template <Operand... X>
  requires(sizeof...(X) == 1)
constexpr auto det(const X&... x) {
  return call<ops::matrix_determinant>(x...);
}

}  // namespace jig
