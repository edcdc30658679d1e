// SPDX-License-Identifier: MIT
#pragma once
// What bool tensors pick. How much that is only the run tells, so the first extent of these results is a wildcard.

#include <jig/ops/einsum.hpp>
#include <jig/ops/gather.hpp>
#include <jig/ops/reshape.hpp>

namespace jig {

namespace detail {

constexpr void where_rule(rule_context& c) {
  check_dtypes(c, booleans);
  shape out;
  out.push_back(c.up_to(number_of_elements(c, c.inputs[0].shape)));
  out.push_back(c.inputs[0].shape.rank);
  c.result = {dtype::int64, out};
}

}  // namespace detail

namespace ops {

inline constexpr op where = detail::copying_op("Where", detail::where_rule).taking({.elements = booleans, .results = {result_kind::int64}});

}  // namespace ops

template <>
struct kernel<ops::where> {
  template <class Attributes, class Out, class In>
  static index run(Attributes, const Out& out, const In& in) {
    std::int64_t at[max_rank] = {};
    auto* to = out.data();
    index found = 0;
    detail::for_each_element(in, [&](bool picked) {
      if (picked) {
        for (int a = 0; a < in.rank(); ++a) *to++ = at[a];
        ++found;
      }
      for (int a = in.rank(); a-- > 0;) {
        if (++at[a] < in.extent(a)) break;
        at[a] = 0;
      }
    });
    return found;
  }
};

/// The positions where the condition is true, in row-major order.
/// Shape: [...] -> (None, number of axes)
template <Operand C>
constexpr auto where(const C& condition, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, condition);
  return call<ops::where>(condition);
}

namespace detail {

// The first axes as one.
constexpr edge with_joined_axes(expansion& c, edge x, int axes) {
  if (axes == 1) return x;
  const shape s = c.extents(x);
  list<index> extents{listed_product(s, 0, 0, axes)};
  for (int a = axes; a < s.rank; ++a) extents.push_back(listed_product(s, 0, a, 1));
  return c.call(ops::reshape, {x}, "shape", extents);
}

constexpr void expand_boolean_mask(expansion& c) {
  const edge x = c.input(0), mask = c.input(1);
  const int axes = c.extents(mask).rank;
  if (axes == 0 || axes > c.extents(x).rank) return c.fail("boolean_mask: the axes of the mask must be the first ones of the tensor");
  list<index> same;
  for (int a = 0; a < axes; ++a) {
    same.push_back(a);
    same.push_back(a);
  }
  const index first = 0, second = 1;
  const attribute_view along[] = {{"axis", attribute_kind::integer, {&first, 1}}};
  const edge parts = with_joined_axes(c, c.call(ops::ensure_shape, {x, mask}, "axes", same), axes);
  const edge chosen = c.call(ops::where, {with_joined_axes(c, mask, axes)});
  c.give(c.call(ops::gather, {parts, c.call(ops::squeeze, {chosen}, "squeeze_dims", {&second, 1})}, along));
}

}  // namespace detail

namespace ops {

inline constexpr op boolean_mask{.name = "BooleanMask",
                                 .label = "boolean_mask",
                                 .facts = fact::composite,
                                 .free_inputs = 2,
                                 .makes = made_ops<ensure_shape, reshape, where, squeeze, gather>,
                                 .expand = detail::expand_boolean_mask};

}  // namespace ops

/// The parts of x for which the mask, whose axes are the first ones of x, is true.
/// Shape: x [m..., rest...], mask [m...] -> (None, rest...)
/// Errors: extents that differ are refused at compile time or throw invalid_argument.
template <Operand X, Operand M>
constexpr auto boolean_mask(const X& x, const M& mask, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x, mask);
  return call<ops::boolean_mask>(x, mask);
}

}  // namespace jig
