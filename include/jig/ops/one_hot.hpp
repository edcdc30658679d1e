// SPDX-License-Identifier: MIT
#pragma once
// Positions as rows of zeros with a one.

#include <jig/ops/positions.hpp>

namespace jig {

namespace detail {

constexpr void one_hot_rule(rule_context& c) {
  if (!is_integer(c.inputs[0].dtype)) return c.fail(indices_are_integers);
  auto to = static_cast<dtype>(c.integer("T"));
  if (to == dtype::string) return c.fail("the dtype must be a number or bool");
  if (c.integer("depth") < 0) return c.fail("the depth must not be negative");
  shape out = c.inputs[0].shape;
  if (out.rank == max_rank) return c.fail("a tensor has at most 8 axes");
  out.push_back(c.integer("depth"));
  c.result = {to, out};
}

}  // namespace detail

namespace ops {

/// Attributes `depth` and `T`.
inline constexpr op one_hot = detail::copying_op("OneHot", detail::one_hot_rule).taking({.elements = numbers | booleans, .positions = 1});

}  // namespace ops

/// For every index a row with 1 at that position and 0 elsewhere; indices out of range give only zeros.
/// Shape: [...] -> [..., Depth]
template <index Depth, Element T = float, Operand I>
constexpr auto one_hot(const I& indices, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, indices);
  return call<ops::one_hot, attributes<integer<"depth", Depth>, type_attribute<"T", dtype_of<T>>>>(indices);
}

}  // namespace jig
