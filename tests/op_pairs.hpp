// SPDX-License-Identifier: MIT
#pragma once
// The ops of the library as rows of one table, made to stand behind each other: every row takes a value x of any extents that its
// ranks allow, and one or two operands that are made to fit x. tests/runtime/op_pairs.cpp runs all pairs of rows through the
// interpreter, tests/eval/op_pairs_1.cpp to _4.cpp compile a choice of them. Both compare them with the same graph run op by op.

#include <jig.hpp>

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace pairs {

using jig::index;
using jig::shape;

/// What evaluators tell apart.
enum class kind { elementwise, cast, view, reduction, row, matmul, items, pick, update, scan, order, join, other };
inline constexpr int kinds = 13;

/// How an operand follows from x.
enum class operand {
  none,
  same,            // like x
  row,             // one row of x
  column,          // like x, with one element along the last axis
  single,          // one element
  wider,           // with one axis more in front
  split_axis,      // x with its first axis taken apart, or an axis more
  right,           // a matrix for each item of x, or the only one
  shared_right,    // one matrix for all items
  filter,          // two taps of a convolution, with three channels
  vectors,         // a vector for each item
  position,        // an integer, within the first axis
  last_position,   // an integer, within the last axis
  positions,       // four integers, within the first axis
  last_positions,  // four integers, within the last axis
  two_positions,   // two rows of one integer, within the first axis
  two_rows,        // two parts of the first axis
  one_row,         // a part of the first axis
  begin,           // where a slice with one element less along the first axis begins
  seed
};

/// Which dtypes x may have.
inline constexpr unsigned floats = 1, integers = 2, bools = 4, numbers = floats | integers, every = 7;
constexpr bool takes(unsigned dtypes, jig::dtype d) {
  return (dtypes & (jig::is_floating(d) ? floats : jig::is_integer(d) ? integers : d == jig::dtype::boolean ? bools : 0u)) != 0;
}

/// Which ranks x may have: bit r for rank r.
inline constexpr unsigned any_rank = 31, from_1 = 30, from_2 = 28, rank_1 = 2, rank_2 = 4, rank_3 = 8, batches = 24;

struct operand_spec {
  jig::dtype dtype;
  jig::shape shape;
  index below = 0;  // of integers that are positions: their bound
};

constexpr operand_spec spec_of(operand what, jig::dtype d, const shape& x) {
  const index first = x.rank > 0 ? x[0] : 1, last = x.rank > 0 ? x[x.rank - 1] : 1;
  constexpr auto int32 = jig::dtype::int32;
  shape out = x, rest;
  for (int a = 1; a < x.rank; ++a) rest.push_back(x[a]);
  shape matrix{2, {last, 3}}, two{1, {2}};
  for (int a = 0; a < rest.rank; ++a) two.push_back(rest[a]);
  switch (what) {
    case operand::same: return {d, x};
    case operand::row: return {d, {1, {last}}};
    case operand::column: out[x.rank - 1] = 1; return {d, out};
    case operand::single: return {d, {}};
    case operand::wider: {
      shape wide{1, {2}};
      for (int a = 0; a < x.rank; ++a) wide.push_back(x[a]);
      return {d, wide};
    }
    case operand::split_axis: {
      shape apart = x.rank > 0 && first % 2 == 0 ? shape{2, {first / 2, 2}} : shape{2, {1, first}};
      for (int a = 0; a < rest.rank; ++a) apart.push_back(rest[a]);
      return {d, apart};
    }
    case operand::right:
      out[x.rank - 2] = last;
      out[x.rank - 1] = 3;
      return {d, out};
    case operand::shared_right: return {d, matrix};
    case operand::filter: return {d, {3, {2, last, 3}}};
    case operand::vectors:
      out.rank = x.rank - 1;
      out[x.rank - 2] = last;
      return {d, out};
    case operand::position: return {int32, {}, first};
    case operand::last_position: return {int32, {}, last};
    case operand::positions: return {int32, {1, {4}}, first};
    case operand::last_positions: return {int32, {1, {4}}, last};
    case operand::two_positions: return {int32, {2, {2, 1}}, first};
    case operand::two_rows: return {d, two};
    case operand::one_row: return {d, rest};
    case operand::begin: return {int32, {1, {x.rank}}, 1};
    case operand::seed: return {jig::dtype::int64, {1, {2}}, 100};
    default: return {int32, {}, 1};
  }
}

/// Element i of an operand: small numbers whose sums and products are exact.
constexpr double element(const operand_spec& s, index i, index salt) {
  const index n = i * 7 + i / 11 + salt * 5;
  if (s.below > 0) return static_cast<double>(n % s.below);
  if (s.dtype == jig::dtype::boolean) return n % 3 == 0;
  return static_cast<double>(n % 9 - 4) * (jig::is_floating(s.dtype) ? 0.5 : 1);
}

struct row_facts {
  std::string_view name;
  kind is;
  unsigned ranks, dtypes;
  operand a, b;
};
template <class F>
struct row_of_table {
  using function = F;
  row_facts facts;
};
template <class F>
constexpr row_of_table<F> entry(std::string_view name, kind k, unsigned ranks, unsigned dtypes, operand a, operand b, F) {
  return {{name, k, ranks, dtypes, a, b}};
}

constexpr auto sum_of_squares_along(const auto& y, const auto& x) { return jig::gradient(jig::reduce_sum(y * y), x); }

// clang-format off
// A lambda of x and its operands.
#define JIG_OF(...) []([[maybe_unused]] const auto& x, [[maybe_unused]] const auto& a, [[maybe_unused]] const auto& b) { return __VA_ARGS__; }
// Matrices of products of rows that are not long, beside the unit matrix: they have Cholesky factors.
template <class X>
constexpr auto definite(const X& x) {
  const auto rows = jig::tanh(x);
  const auto gram = jig::matmul(rows, rows, jig::transpose_b);
  return gram + jig::eye_like(gram);
}

// Rows: of a function of every element, of a function of x alone, of x and one operand.
#define JIG_EACH(name, dtypes, ...) entry(name, kind::elementwise, any_rank, dtypes, operand::none, operand::none, JIG_OF(__VA_ARGS__))
#define JIG_ROW(name, k, ranks, dtypes, ...) entry(name, kind::k, ranks, dtypes, operand::none, operand::none, JIG_OF(__VA_ARGS__))
#define JIG_ROW_1(name, k, ranks, dtypes, one, ...) entry(name, kind::k, ranks, dtypes, operand::one, operand::none, JIG_OF(__VA_ARGS__))
#define JIG_ROW_2(name, k, ranks, dtypes, one, two, ...) entry(name, kind::k, ranks, dtypes, operand::one, operand::two, JIG_OF(__VA_ARGS__))
// What the gradient of y by x is made of: ops that only gradients have are among it.
#define JIG_GRADIENT(name, k, ranks, one, ...) entry("gradient of " name, kind::k, ranks, floats, operand::one, operand::none, JIG_OF(sum_of_squares_along(__VA_ARGS__, x)))

inline constexpr auto table = std::make_tuple(
    // Representatives come first in each kind.
    JIG_ROW_1("add a row", elementwise, from_1, numbers, row, x + a),
    JIG_ROW_1("multiply by a column", elementwise, from_1, numbers, column, x * a),
    JIG_EACH("exp", floats, jig::exp(x)),
    JIG_ROW_1("select", elementwise, any_rank, numbers, same, jig::where(x < a, x, a)),
    JIG_EACH("abs", numbers, jig::abs(x)),
    JIG_EACH("neg", numbers, -x),
    JIG_EACH("sign", numbers, jig::sign(x)),
    JIG_EACH("square", numbers, jig::square(x)),
    JIG_EACH("reciprocal", floats, jig::reciprocal(x)),
    JIG_EACH("sqrt", floats, jig::sqrt(x)),
    JIG_EACH("rsqrt", floats, jig::rsqrt(jig::abs(x))),
    JIG_EACH("expm1", floats, jig::expm1(x)),
    JIG_EACH("log", floats, jig::log(jig::abs(x))),
    JIG_EACH("log1p", floats, jig::log1p(jig::abs(x))),
    JIG_EACH("sin", floats, jig::sin(x)),
    JIG_EACH("cos", floats, jig::cos(x)),
    JIG_EACH("tan", floats, jig::tan(x)),
    JIG_EACH("asin", floats, jig::asin(x)),
    JIG_EACH("acos", floats, jig::acos(x)),
    JIG_EACH("atan", floats, jig::atan(x)),
    JIG_EACH("sinh", floats, jig::sinh(x)),
    JIG_EACH("cosh", floats, jig::cosh(x)),
    JIG_EACH("tanh", floats, jig::tanh(x)),
    JIG_EACH("asinh", floats, jig::asinh(x)),
    JIG_EACH("acosh", floats, jig::acosh(x)),
    JIG_EACH("atanh", floats, jig::atanh(x)),
    JIG_EACH("erf", floats, jig::erf(x)),
    JIG_EACH("erfc", floats, jig::erfc(x)),
    JIG_EACH("lgamma", floats, jig::lgamma(jig::abs(x) + 1)),
    JIG_EACH("digamma", floats, jig::digamma(jig::abs(x) + 1)),
    JIG_EACH("floor", floats, jig::floor(x)),
    JIG_EACH("ceil", floats, jig::ceil(x)),
    JIG_EACH("trunc", floats, jig::trunc(x)),
    JIG_EACH("rint", floats, jig::rint(x)),
    JIG_EACH("round", floats, jig::round(x)),
    JIG_EACH("relu", numbers, jig::relu(x)),
    JIG_EACH("relu6", numbers, jig::relu6(x)),
    JIG_EACH("leaky_relu", floats, jig::leaky_relu(x)),
    JIG_EACH("elu", floats, jig::elu(x)),
    JIG_EACH("selu", floats, jig::selu(x)),
    JIG_EACH("gelu", floats, jig::gelu(x)),
    JIG_EACH("sigmoid", floats, jig::sigmoid(x)),
    JIG_EACH("softplus", floats, jig::softplus(x)),
    JIG_EACH("softsign", floats, jig::softsign(x)),
    JIG_EACH("silu", floats, jig::silu(x)),
    JIG_EACH("clip", numbers, jig::clip(x, -1, 1)),
    JIG_EACH("identity", every, jig::identity(x)),
    JIG_EACH("stop_gradient", every, jig::stop_gradient(x)),
    JIG_EACH("is_nan", floats, jig::is_nan(x)),
    JIG_EACH("is_inf", floats, jig::is_inf(x)),
    JIG_EACH("is_finite", floats, jig::is_finite(x)),
    JIG_EACH("~", integers, ~x),
    JIG_EACH("!", bools, !x),
    JIG_ROW_1("subtract from", elementwise, any_rank, numbers, single, a - x),
    JIG_ROW_1("subtract", elementwise, any_rank, numbers, same, x - a),
    JIG_ROW_1("/", elementwise, any_rank, numbers, same, x / (jig::abs(a) + 1)),
    JIG_ROW_1("%", elementwise, any_rank, numbers, same, x % (jig::abs(a) + 1)),
    JIG_ROW_1("floordiv", elementwise, any_rank, numbers, single, jig::floordiv(x, jig::abs(a) + 1)),
    JIG_ROW_1("floormod", elementwise, any_rank, numbers, same, jig::floormod(x, jig::abs(a) + 1)),
    JIG_ROW_1("pow", elementwise, any_rank, floats, same, jig::pow(jig::abs(x) + 0.5, a)),
    JIG_ROW_1("maximum", elementwise, from_1, numbers, row, jig::maximum(x, a)),
    JIG_ROW_1("minimum", elementwise, from_1, numbers, column, jig::minimum(x, a)),
    JIG_ROW_1("atan2", elementwise, any_rank, floats, same, jig::atan2(x, a)),
    JIG_ROW_1("squared_difference", elementwise, any_rank, numbers, wider, jig::squared_difference(x, a)),
    JIG_ROW_1("fma", elementwise, any_rank, floats, same, jig::fma(x, a, x)),
    JIG_ROW_1("add_n", elementwise, any_rank, numbers, same, jig::add_n(x, a, x)),
    JIG_ROW_1("==", elementwise, any_rank, every, same, x == a),
    JIG_ROW_1("!=", elementwise, any_rank, every, same, x != a),
    JIG_ROW_1("<", elementwise, any_rank, numbers, single, x < a),
    JIG_ROW_1("<=", elementwise, any_rank, numbers, same, x <= a),
    JIG_ROW_1(">", elementwise, from_1, numbers, column, x > a),
    JIG_ROW_1(">=", elementwise, from_1, numbers, row, x >= a),
    JIG_ROW_1("&", elementwise, any_rank, integers | bools, same, x & a),
    JIG_ROW_1("|", elementwise, any_rank, integers | bools, same, x | a),
    JIG_ROW_1("^", elementwise, any_rank, integers | bools, same, x ^ a),
    JIG_ROW_1("&&", elementwise, any_rank, numbers, same, (x < a) & (x < 1)),
    JIG_ROW_1("||", elementwise, any_rank, numbers, same, (x < a) | (x < 1)),
    JIG_ROW_1("<<", elementwise, any_rank, integers, same, x << (jig::abs(a) % 4)),
    JIG_ROW_1(">>", elementwise, any_rank, integers, same, x >> (jig::abs(a) % 4)),
    JIG_ROW("cast<double>", cast, any_rank, every, jig::cast<double>(x)),
    JIG_ROW("cast<float>", cast, any_rank, every, jig::cast<float>(x)),
    JIG_ROW("cast<int>", cast, any_rank, every, jig::cast<int>(x)),
    JIG_ROW("cast<bool>", cast, any_rank, every, jig::cast<bool>(x)),
    JIG_ROW("cast<half>", cast, any_rank, every, jig::cast<jig::half>(x)),

    JIG_ROW("flatten", view, any_rank, every, jig::flatten(x)),
    JIG_ROW("transpose", view, any_rank, every, jig::transpose(x)),
    JIG_ROW("expand_dims<-1>", view, any_rank, every, jig::expand_dims<-1>(x)),
    JIG_ROW_1("reshape_like", view, any_rank, every, split_axis, jig::reshape_like(x, a)),
    JIG_ROW("strided_slice", view, from_1, every, jig::strided_slice<jig::range_of(1, jig::unbounded)>(x)),
    JIG_ROW("expand_dims<0>", view, any_rank, every, jig::expand_dims<0>(x)),
    JIG_ROW("squeeze<-2> of a matrix of one row", view, from_1, every, jig::squeeze<-2>(jig::expand_dims<-2>(x))),
    JIG_ROW("reverse", view, from_1, every, jig::reverse<0>(x)),
    JIG_ROW("roll<2, -1>", view, from_1, every, jig::roll<2, -1>(x)),
    JIG_ROW("repeat<2, -1>", view, from_1, every, jig::repeat<2, -1>(x)),
    JIG_ROW("reverse<-1>", view, from_1, every, jig::reverse<-1>(x)),
    JIG_ROW("strided_slice of columns", view, from_2, every, jig::strided_slice<jig::all, jig::range_of(1, jig::unbounded)>(x)),
    JIG_ROW("strided_slice of one column", view, from_2, every, jig::strided_slice<jig::all, 0>(x)),
    JIG_ROW("strided_slice<-1>", view, from_1, every, jig::strided_slice<-1>(x)),
    JIG_ROW("split", view, from_1, every, std::get<1>(jig::split<2, 0>(jig::concat<0>(x, x)))),
    JIG_ROW("split<2, -1>", view, from_1, every, std::get<1>(jig::split<2, -1>(jig::concat<-1>(x, x)))),
    JIG_ROW_1("broadcast_like", view, any_rank, numbers, wider, jig::broadcast_like(x, a)),
    JIG_ROW("broadcast_to", view, rank_1, every, jig::broadcast_to<3, 2, jig::dyn>(x)),
    JIG_ROW("diag_part", view, rank_2 | rank_3, numbers, jig::diag_part(x)),

    JIG_ROW("reduce_sum", reduction, any_rank, numbers, jig::reduce_sum(x)),
    JIG_ROW("reduce_sum<-1>", reduction, from_1, numbers, jig::reduce_sum<-1>(x)),
    JIG_ROW("reduce_max<0>", reduction, from_1, numbers, jig::reduce_max<0>(x)),
    JIG_ROW("reduce_mean<0> keepdims", reduction, from_1, floats, jig::reduce_mean<0>(x, jig::keepdims)),
    JIG_ROW("reduce_sum<0>", reduction, from_1, numbers, jig::reduce_sum<0>(x)),
    JIG_ROW("reduce_mean<-1>", reduction, from_1, floats, jig::reduce_mean<-1>(x)),
    JIG_ROW("reduce_prod<-1>", reduction, from_1, numbers, jig::reduce_prod<-1>(jig::sign(x))),
    JIG_ROW("reduce_min<-1> keepdims", reduction, from_1, numbers, jig::reduce_min<-1>(x, jig::keepdims)),
    JIG_ROW("reduce_any<-1>", reduction, from_1, bools, jig::reduce_any<-1>(x)),
    JIG_ROW("reduce_all<0>", reduction, from_1, bools, jig::reduce_all<0>(x)),
    JIG_ROW("reduce_variance<0>", reduction, from_1, floats, jig::reduce_variance<0>(x)),
    JIG_ROW("reduce_logsumexp<-1>", reduction, from_1, floats, jig::reduce_logsumexp<-1>(x)),
    JIG_ROW("norm<-1>", reduction, from_1, floats, jig::norm<-1>(x)),
    JIG_ROW("argmax<-1>", reduction, from_1, numbers, jig::argmax<-1>(x)),
    JIG_ROW("argmin<0>", reduction, from_1, numbers, jig::argmin<0>(x)),
    JIG_ROW("matrix_trace", reduction, rank_2, numbers, jig::matrix_trace(x)),

    JIG_ROW("softmax", row, from_1, floats, jig::softmax(x)),
    JIG_ROW("less its mean", row, from_1, floats, x - jig::reduce_mean<-1>(x, jig::keepdims)),
    JIG_ROW("log_softmax", row, from_1, floats, jig::log_softmax(x)),
    JIG_ROW("softmax<0>", row, from_1, floats, jig::softmax<0>(x)),
    JIG_ROW("layer_norm", row, from_1, floats, jig::layer_norm(x)),

    JIG_ROW_1("matmul", matmul, rank_2, numbers, right, jig::matmul(x, a)),
    JIG_ROW("matmul with itself", matmul, rank_2, numbers, jig::matmul(x, x, jig::transpose_b)),
    JIG_ROW("matmul transpose_a", matmul, rank_2, numbers, jig::matmul(x, x, jig::transpose_a)),
    JIG_ROW_1("matrix by vector", matmul, rank_2, numbers, row, jig::einsum<"ij,j->i">(x, a)),
    JIG_ROW_1("tensordot", matmul, from_1, numbers, shared_right, jig::tensordot<1>(x, a)),
    JIG_ROW_1("dot", matmul, rank_1, numbers, same, jig::dot(x, a)),
    JIG_ROW_1("outer", matmul, rank_1, numbers, row, jig::outer(x, jig::strided_slice<jig::range_of(0, 2)>(a))),

    JIG_ROW_1("products of items", items, batches, numbers, right, jig::matmul(x, a)),
    JIG_ROW_1("items by one matrix", items, batches, numbers, shared_right, jig::matmul(x, a)),
    JIG_ROW("items transpose_b", items, batches, numbers, jig::matmul(x, x, jig::transpose_b)),
    JIG_ROW_1("items by vectors", items, rank_3, numbers, vectors, jig::einsum<"nij,nj->ni">(x, a)),
    JIG_ROW("vectors by vectors", items, rank_2, numbers, jig::einsum<"ni,nj->nij">(x, x)),

    JIG_ROW("cholesky_solve", items, from_2, floats, jig::cholesky_solve(jig::cholesky(definite(x)), x)),
    JIG_ROW("solve", items, from_2, floats, jig::solve(definite(x), x)),

    JIG_ROW_1("conv1d", other, rank_3, floats, filter, jig::conv1d(x, a, jig::same_padding)),
    JIG_ROW_1("depthwise_conv2d", other, rank_3, floats, filter,
              jig::squeeze<1>(jig::depthwise_conv2d(jig::expand_dims<1>(x), jig::expand_dims<0>(a), jig::same_padding))),
    JIG_ROW_1("conv1d_transpose", other, rank_3, floats, filter, jig::conv1d_transpose(x, jig::transpose<0, 2, 1>(a), jig::strides<2>)),

    JIG_ROW("max_pool1d", other, rank_3, numbers, jig::max_pool1d<2>(x, jig::same_padding)),
    JIG_ROW("resize", other, rank_3, floats, jig::squeeze<0>(jig::resize<3, 4>(jig::expand_dims<0>(x)))),
    JIG_ROW("resize to the nearest", other, rank_3, every, jig::squeeze<0>(jig::resize<4, 3>(jig::expand_dims<0>(x), jig::nearest))),
    JIG_ROW("avg_pool1d", other, rank_3, floats, jig::avg_pool1d<2>(x, jig::strides<1>, jig::same_padding)),

    JIG_ROW_1("a row", pick, from_1, every, position, x[a]),
    JIG_ROW_1("gather<-1> of one", pick, from_2, every, last_position, jig::gather<-1>(x, a)),
    JIG_ROW_1("gather", pick, from_1, every, positions, jig::gather(x, a)),
    JIG_ROW_1("gather<-1>", pick, from_1, every, last_positions, jig::gather<-1>(x, a)),
    JIG_ROW_1("roll", pick, from_1, every, position, jig::roll<0>(x, a)),
    JIG_ROW("searchsorted", pick, from_1, numbers, jig::searchsorted(jig::sort(x), x)),
    JIG_ROW("searchsorted right", pick, from_1, numbers, jig::searchsorted<"right">(jig::sort(x), x)),
    JIG_ROW_1("gather_nd", pick, from_1, every, two_positions, jig::gather_nd(x, a)),
    JIG_ROW_1("slice", pick, rank_2, every, begin, jig::slice<2, 1>(x, a)),
    JIG_ROW_1("slice of items", pick, rank_3, every, begin, jig::slice<1, jig::dyn, 2>(x, a)),
    JIG_ROW("one_hot", pick, any_rank, integers, jig::one_hot<3>(x)),
    JIG_ROW("bincount", pick, any_rank, integers, jig::bincount<3>(jig::abs(x))),
    JIG_ROW("bincount of weights", pick, any_rank, numbers, jig::bincount<4>(jig::cast<int>(jig::abs(x)) % 5, x)),
    JIG_ROW("histogram_fixed_width", pick, any_rank, floats, jig::histogram_fixed_width<4>(x, -1.5, 1.5)),

    JIG_ROW_2("tensor_scatter_update", update, from_1, numbers, two_positions, two_rows, jig::tensor_scatter_update(x, a, b)),
    JIG_ROW_2("tensor_scatter_add", update, from_1, numbers, two_positions, two_rows, jig::tensor_scatter_add(x, a, b)),
    JIG_ROW_2("set_row", update, from_1, numbers, position, one_row, jig::set_row(x, a, b)),
    JIG_ROW_1("set_row of what is picked", update, from_1, numbers, position, jig::set_row(x, a, jig::strided_slice<0>(x))),
    JIG_ROW_1("slice_update", update, rank_2, every, begin, jig::slice_update<2, 1>(x, a, jig::strided_slice<jig::range_of(0, 2), jig::range_of(0, 1)>(x))),
    JIG_ROW("unsorted_segment_sum", update, any_rank, numbers, jig::unsorted_segment_sum<3>(x, jig::cast<int>(x) % 3)),
    JIG_ROW("unsorted_segment_sum of rows", update, from_2, numbers, jig::unsorted_segment_sum<3>(x, jig::cast<int>(jig::reduce_sum<-1>(x)) % 3)),
    JIG_ROW("unsorted_segment_max", update, any_rank, numbers, jig::unsorted_segment_max<3>(x, jig::cast<int>(x) % 3)),
    JIG_ROW("unsorted_segment_min of rows", update, from_2, numbers, jig::unsorted_segment_min<3>(x, jig::cast<int>(jig::reduce_sum<-1>(x)) % 3)),
    JIG_ROW("unsorted_segment_mean of rows", update, from_2, floats, jig::unsorted_segment_mean<3>(x, jig::cast<int>(jig::reduce_sum<-1>(x)) % 3)),
    JIG_ROW("set_diag", update, rank_2, numbers, jig::set_diag(x, jig::diag_part(x) * 2)),
    JIG_ROW("band_part", update, from_2, numbers, jig::band_part(x, 1, 0)),
    JIG_ROW_1("scatter_nd", update, rank_2, numbers, two_positions, jig::scatter_nd<300, 2>(a, jig::strided_slice<jig::range_of(0, 2), jig::range_of(0, 2)>(x))),
    entry("an assignment to rows", kind::update, rank_2, numbers, operand::one_row, operand::none, [](const auto& x, const auto& a, const auto&) {
      auto y = x + 0;
      y(jig::range_of(1, jig::unbounded), jig::all) = a;
      return y;
    }),
    entry("an assignment within items", kind::update, rank_3, numbers, operand::single, operand::none, [](const auto& x, const auto& a, const auto&) {
      auto y = x + 0;
      y(jig::all, jig::range_of(jig::unbounded, jig::unbounded, 2), jig::all) = a;
      return y;
    }),

    JIG_ROW("cumsum", scan, from_1, numbers, jig::cumsum(x)),
    JIG_ROW("cumsum<-1>", scan, from_1, numbers, jig::cumsum<-1>(x)),
    JIG_ROW("cumprod<-1>", scan, from_1, numbers, jig::cumprod<-1>(jig::sign(x))),

    JIG_ROW("sort", order, from_1, numbers, jig::sort(x)),
    JIG_ROW("sort<0> descending", order, from_1, numbers, jig::sort<0>(x, jig::descending)),
    JIG_ROW("argsort", order, from_1, numbers, jig::argsort(x)),
    JIG_ROW("top_k", order, from_1, numbers, std::get<0>(jig::top_k<2>(x))),
    JIG_ROW("positions of top_k", order, from_1, numbers, std::get<1>(jig::top_k<2>(x))),

    JIG_ROW_1("concat", join, from_1, every, same, jig::concat<0>(x, a)),
    JIG_ROW_1("stack<-1>", join, any_rank, every, same, jig::stack<-1>(x, a)),
    JIG_ROW_1("concat<-1>", join, from_1, every, column, jig::concat<-1>(x, a)),
    JIG_ROW("stack", join, any_rank, every, jig::stack(x, x)),
    JIG_ROW("tile", join, rank_2, every, jig::tile<2, 3>(x)),
    JIG_ROW("tile of items", join, rank_3, every, jig::tile<1, 2, 1>(x)),
    JIG_ROW("pad", join, rank_2, numbers, jig::pad<1, 0, 2, 1>(x, 9)),
    JIG_ROW("pad of a vector", join, rank_1, numbers, jig::pad<3, 2>(x)),
    JIG_ROW("pad of items", join, rank_3, numbers, jig::pad<0, 1, 0, 0, 1, 0>(x)),
    JIG_ROW("diag", join, rank_1 | rank_2, numbers, jig::diag(jig::strided_slice<jig::range_of(0, 3)>(x))),

    JIG_ROW("zeros_like", other, any_rank, every, jig::zeros_like(x)),
    JIG_ROW("ones_like", other, any_rank, every, jig::ones_like(x)),
    JIG_ROW("full_like", other, any_rank, numbers, jig::full_like(x, 3)),
    JIG_ROW("eye_like", other, rank_2, numbers, jig::eye_like(x)),
    JIG_ROW_1("random_uniform_like", other, any_rank, floats, seed, jig::random_uniform_like(x, a)),
    JIG_ROW_1("random bits", other, any_rank, integers, seed, jig::random_uniform_like(x, a)),
    JIG_ROW_1("random_normal_like", other, any_rank, floats, seed, jig::random_normal_like(x, a)),
    JIG_ROW_1("dropout", other, any_rank, floats, seed, jig::dropout<0.25>(x, a)),
    entry("a loop", kind::other, any_rank, numbers, operand::same, operand::none, [](const auto& x, const auto& a, const auto&) {
      auto y = x + 0;
      for ([[maybe_unused]] auto i : jig::range(3)) y = y + a;
      return y;
    }),
    entry("a branch", kind::other, any_rank, numbers, operand::single, operand::none, [](const auto& x, const auto& a, const auto&) {
      return jig::cond(a < 0, [&] { return x * 2; }, [&] { return x + 1; });
    }),
    entry("a map", kind::other, from_1, numbers, operand::none, operand::none, [](const auto& x, const auto&, const auto&) {
      return jig::map([](auto row) { return row * row; }, x);
    }),

    JIG_GRADIENT("a row", update, from_1, position, x[a]),
    JIG_GRADIENT("gather<-1>", update, from_1, last_positions, jig::gather<-1>(x, a)),
    JIG_GRADIENT("gather_nd", update, from_1, two_positions, jig::gather_nd(x, a)),
    JIG_GRADIENT("slice", update, rank_2, begin, jig::slice<2, 1>(x, a)),
    JIG_GRADIENT("strided_slice", update, from_1, none, jig::strided_slice<jig::range_of(1, jig::unbounded)>(x)),
    entry("gradient of an assignment", kind::update, rank_2, floats, operand::one_row, operand::none, [](const auto& x, const auto& a, const auto&) {
      auto y = x + 0;
      y(jig::range_of(1, jig::unbounded), jig::all) = a;
      return sum_of_squares_along(y, x);
    }),
    JIG_GRADIENT("split", update, from_1, none, std::get<0>(jig::split<2, -1>(jig::concat<-1>(x, x)))),
    JIG_GRADIENT("diag_part", update, rank_2, none, jig::diag_part(x)),
    JIG_GRADIENT("det", items, rank_2, none, jig::det(definite(x))),
    JIG_GRADIENT("triangular_solve", items, rank_2, none, jig::triangular_solve(jig::cholesky(definite(x)), x)),
    JIG_GRADIENT("concat", view, from_1, same, jig::concat<0>(a, x)),
    JIG_GRADIENT("stack", view, any_rank, same, jig::stack<-1>(x, a)),
    JIG_GRADIENT("tile", reduction, rank_2, none, jig::tile<2, 3>(x)),
    JIG_GRADIENT("pad", view, rank_2, none, jig::pad<1, 0, 2, 1>(x, 9)),
    JIG_GRADIENT("add a row", reduction, from_1, row, jig::reduce_sum<-1>(x + a)),
    JIG_GRADIENT("broadcast_like", reduction, any_rank, wider, jig::broadcast_like(x, a)),
    JIG_GRADIENT("reduce_mean", elementwise, from_1, none, jig::reduce_mean<0>(x)),
    JIG_GRADIENT("reduce_prod", other, from_1, none, jig::reduce_prod<-1>(jig::sign(x) * x)),
    JIG_GRADIENT("reduce_max", elementwise, from_1, none, jig::reduce_max<-1>(x)),
    JIG_GRADIENT("softmax", row, from_1, none, jig::softmax(x)),
    JIG_GRADIENT("cumsum", scan, from_1, none, jig::cumsum(x)),
    JIG_GRADIENT("cumprod", scan, from_1, none, jig::cumprod<-1>(x)),
    JIG_GRADIENT("sort", update, from_1, none, jig::sort(x)),
    JIG_GRADIENT("top_k", update, from_1, none, std::get<0>(jig::top_k<2>(x))),
    JIG_GRADIENT("matmul", matmul, rank_2, right, jig::matmul(x, a)),
    JIG_GRADIENT("max_pool1d", other, rank_3, none, jig::max_pool1d<2>(x, jig::same_padding)),
    JIG_GRADIENT("avg_pool1d", other, rank_3, none, jig::avg_pool1d<2>(x, jig::same_padding)),
    JIG_GRADIENT("resize", other, rank_3, none, jig::resize<3, 4>(jig::expand_dims<0>(x)) + jig::resize<3, 4>(jig::expand_dims<0>(x), jig::nearest)),
    JIG_GRADIENT("conv1d by its filter", other, rank_3, same, jig::conv1d(a, jig::transpose<0, 2, 1>(x), jig::same_padding)),
    JIG_GRADIENT("conv1d", other, rank_3, filter, jig::conv1d(x, a)),
    JIG_GRADIENT("products of items", items, batches, right, jig::matmul(x, a)),
    JIG_GRADIENT("diag", view, rank_1, none, jig::diag(x)),
    JIG_GRADIENT("unsorted_segment_sum", pick, any_rank, none, jig::unsorted_segment_sum<3>(x, jig::cast<int>(x) % 3)),
    JIG_GRADIENT("bincount of weights", pick, any_rank, none, jig::bincount<4>(jig::cast<int>(jig::abs(x)) % 5, x)),
    JIG_GRADIENT("scatter_nd", pick, rank_2, two_positions, jig::scatter_nd<300, 2>(a, jig::strided_slice<jig::range_of(0, 2), jig::range_of(0, 2)>(x))),
    entry("gradient of a loop", kind::other, any_rank, floats, operand::same, operand::none, [](const auto& x, const auto& a, const auto&) {
      auto y = x + 0;
      for ([[maybe_unused]] auto i : jig::range(3)) y = y * a;
      return sum_of_squares_along(y, x);
    }));
// clang-format on

#undef JIG_OF
#undef JIG_EACH
#undef JIG_ROW
#undef JIG_ROW_1
#undef JIG_ROW_2
#undef JIG_GRADIENT

inline constexpr int rows = static_cast<int>(std::tuple_size_v<decltype(table)>);

/// What the table says of each row, and its lambda. Apart from the table: GCC's -Wsequence-point looks at all of that wherever it is used.
inline constexpr auto facts = std::apply([](const auto&... row) { return std::array<row_facts, sizeof...(row)>{row.facts...}; }, table);
template <std::size_t I>
inline constexpr typename std::tuple_element_t<I, decltype(table)>::function function_of{};

/// What row `second` gives behind row `first`, one op after another; nothing if that is refused. The arguments are x, the operands of
/// the first row and those of the second.
std::optional<jig::any_tensor> op_by_op(int first, int second, const std::vector<jig::any_tensor>& arguments);
/// How two tensors differ; empty if they do not, up to rounding. What was rounded to `computed` on the way is no more exact than that.
std::string difference(const jig::any_tensor& found, const jig::any_tensor& expected, jig::dtype computed);

}  // namespace pairs
