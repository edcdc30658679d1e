// SPDX-License-Identifier: MIT
#pragma once
// A value with other declared extents: what is a number in one place and a wildcard in the other must agree.

#include <jig/graph/gradient.hpp>

namespace jig {

namespace detail {

constexpr void set_shape_rule(rule_context& c) {
  auto wanted = c.integers("shape");
  c.result = {c.inputs[0].dtype, {}};
  if (static_cast<int>(wanted.size()) != c.inputs[0].shape.rank) return c.fail("ranks differ");
  for (int a = 0; a < c.inputs[0].shape.rank; ++a) {
    const index e = wanted[static_cast<std::size_t>(a)], given = c.inputs[0].shape[a];
    if (is_static_extent(e)) {
      c.result.shape.push_back(c.equal(e, given, "extents differ"));
    } else if (given < lowest_name) {
      c.result.shape.push_back(given);
    } else {
      const index symbol = c.algebra->combine(rule_context::relation::sum, given, 0);
      c.result.shape.push_back(symbol == dyn ? e : symbol);
    }
  }
}

}  // namespace detail

namespace ops {

/// The input with the extents of attribute `shape`, of which the numbers are checked.
inline constexpr op set_shape = {.name = "EnsureShape",
                                 .label = "EnsureShape",
                                 .facts = fact::view | fact::keeps_order,
                                 .rule = detail::set_shape_rule,
                                 .gradient = [](gradient_context& c) { c.give(0, c.adjoint()); }};

}  // namespace ops

}  // namespace jig
