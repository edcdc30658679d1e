// SPDX-License-Identifier: MIT
#pragma once
// Parts of matrices: bands around the diagonal, triangles, and the diagonal itself.

#include <jig/ops/composite.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/cumulative.hpp>
#include <jig/ops/diag_part.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/slice_positions.hpp>
#include <jig/ops/strided_slice.hpp>

#include <cstdint>

namespace jig {

namespace detail {

// Counted on one row along the axis, which nobody reads.
constexpr void expand_positions(expansion& c) {
  const int rank = c.extents(c.input(0)).rank;
  const index given = c.attribute("axis").values[0], axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis >= rank) return c.fail("there is no such axis");
  list<index> others;
  slice_positions first;
  for (int a = 0; a < rank; ++a) {
    if (a == axis) {
      first.add_whole(c.extents(c.input(0))[a]);
    } else {
      first.add(0, 1, 1);
      others.push_back(a);
    }
  }
  edge row = detail::with_attributes(first, [&](stretch<attribute_view> with) { return c.call(ops::strided_slice, {c.input(0)}, with); });
  const index none = 0, type = static_cast<index>(dtype::int32);
  const attribute_view to{"DstT", attribute_kind::type, {&type, 1}}, along{"axis", attribute_kind::integer, {&none, 1}};
  row = c.call(ops::cast, {row}, {&to, 1});
  if (!others.empty()) row = c.call(ops::reduce_max, {row}, "axes", others);
  const edge ones = c.call(ops::ones_like, {row});
  c.give(c.call(ops::subtract, {c.call(ops::cumsum, {ones}, {&along, 1}), ones}));
}
/// Attribute `axis`: the numbers 0, 1, 2, … along that axis of a tensor, as an int32 vector.
inline constexpr op positions_along{
    .name = "Positions",
    .label = "positions",
    .facts = fact::composite,
    .makes = made_ops<ops::strided_slice, ops::cast, ops::reduce_max, ops::ones_like, ops::cumsum, ops::subtract>,
    .expand = expand_positions};

// Whether elements are in a band.
constexpr void expand_kept_band(expansion& c) {
  const edge x = c.input(0);
  if (c.extents(x).rank < 2) return c.fail("band_part: a matrix has two axes");
  for (const std::size_t i : {std::size_t{1}, std::size_t{2}})
    if (c.spec(c.input(i)) != tensor_spec{dtype::int32, {}}) return c.fail("band_part: the numbers of diagonals must be int32");
  const index last = -1, before = -2, one = 1;
  const attribute_view along_rows{"axis", attribute_kind::integer, {&before, 1}},
      along_columns{"axis", attribute_kind::integer, {&last, 1}}, dim{"dim", attribute_kind::integer, {&one, 1}};
  const edge rows = c.call(ops::expand_dims, {c.call(positions_along, {x}, {&along_rows, 1})}, {&dim, 1});
  const edge columns = c.call(positions_along, {x}, {&along_columns, 1});
  const auto within = [&](const edge& most, const edge& distance) {
    const edge all_of_them = c.call(ops::less, {most, c.call(ops::zeros_like, {most})});
    return c.call(ops::logical_or, {all_of_them, c.call(ops::less_equal, {distance, most})});
  };
  const edge below = within(c.input(1), c.call(ops::subtract, {rows, columns}));
  const edge above = within(c.input(2), c.call(ops::subtract, {columns, rows}));
  c.give(c.call(ops::logical_and, {below, above}));
}
/// Inputs: a matrix or several, of which only the shape counts, and how many diagonals are kept below and above the main one.
inline constexpr op kept_band{.name = "KeptBand",
                              .label = "kept_band",
                              .facts = fact::composite,
                              .free_inputs = 6,
                              .makes = made_ops<positions_along, ops::expand_dims, ops::less, ops::zeros_like, ops::logical_or,
                                                ops::less_equal, ops::subtract, ops::logical_and>,
                              .expand = expand_kept_band};

// What the diagonal of a matrix is replaced by has its shape.
constexpr void set_diag_rule(rule_context& c) {
  diag_part_rule(c);
  if (c.failed) return;
  const shape part = c.result.shape, &update = c.inputs[1].shape;
  c.result = c.inputs[0];
  check_dtypes(c, anything);
  constexpr const char* another_length = "the diagonal has another shape";
  if (update.rank != part.rank) return c.fail(another_length);
  for (int a = 0; a < part.rank; ++a) c.equal(part[a], update[a], another_length);
}
constexpr void set_diag_gradient(gradient_context& c);

}  // namespace detail

namespace ops {

/// Attribute `axes`, as that of MatrixDiagPart. Puts the second input in the place of that diagonal of the first.
inline constexpr op set_diag = detail::view_update_op("MatrixSetDiag", detail::set_diag_gradient, detail::set_diag_rule)
                                   .making(made_ops<diag_part>)
                                   .taking({.moves = true});

}  // namespace ops

template <>
struct kernel<ops::set_diag> : detail::view_update_kernel<ops::diag_part, false> {};

namespace detail {

constexpr void set_diag_gradient(gradient_context& c) {
  auto g = c.full_adjoint();
  // Read before it is overwritten, so that this may happen in place.
  auto part = c.call_alike(ops::diag_part, {g});
  if (c.wants(1)) c.give(1, part);
  if (c.wants(0)) c.give(0, c.call_alike(ops::set_diag, {g, c.zeros_like(part)}));
}

}  // namespace detail

/// Matrices with zeros outside of a band of their diagonals: `lower` of them below the main one and `upper` above it are kept, all where
/// that is negative. `band_part(x, -1, 0)` is the lower triangle, `band_part(x, 0, -1)` the upper one.
/// Shape: [..., m, n] -> the same
/// Dtype: numbers or bool; lower and upper are int32
template <Operand X, Operand L, Operand U>
constexpr auto band_part(const X& x, const L& lower, const U& upper, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, lower, upper);
  if constexpr (is_refused<X>) return x;
  else return jig::where(call<detail::kept_band>(x, lower, upper), x, detail::number_beside(x, 0));
}

/// Matrices with other diagonals.
/// Shape: x [..., m, n], diagonal [..., min(m, n)] -> that of x
/// Errors: a diagonal of another shape is refused at compile time or throws invalid_argument, as unequal m and n of which one is a
/// wildcard.
template <Operand X, Operand D>
constexpr auto set_diag(const X& x, const D& diagonal, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, diagonal);
  return call<ops::set_diag, attributes<integers<"axes", -2, -1>>>(x, diagonal);
}

}  // namespace jig
