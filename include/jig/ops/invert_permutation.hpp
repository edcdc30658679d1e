// SPDX-License-Identifier: MIT
#pragma once
// Permutations.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/composite.hpp>
#include <jig/ops/create.hpp>
#include <jig/ops/cumulative.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/scatter.hpp>

namespace jig {

namespace detail {

constexpr void expand_invert_permutation(expansion& c) {
  const edge x = c.input(0);
  if (c.extents(x).rank != 1 || !is_integer(c.spec(x).dtype)) return c.fail("invert_permutation: a permutation is a vector of integers");
  const index first = 0, last = -1;
  const attribute_view along{"axis", attribute_kind::integer, {&first, 1}}, behind{"dim", attribute_kind::integer, {&last, 1}};
  const edge ones = c.call(ops::ones_like, {x});
  const edge positions = c.call(ops::subtract, {c.call(ops::cumsum, {ones}, {&along, 1}), ones});
  c.give(c.call(ops::tensor_scatter_update, {c.call(ops::zeros_like, {x}), c.call(ops::expand_dims, {x}, {&behind, 1}), positions}));
}
inline constexpr op invert_permutation{
    .name = "InvertPermutation",
    .label = "invert_permutation",
    .facts = fact::composite,
    .makes = made_ops<ops::ones_like, ops::cumsum, ops::subtract, ops::zeros_like, ops::expand_dims, ops::tensor_scatter_update>,
    .expand = expand_invert_permutation};

}  // namespace detail

/// Where each number 0, 1, 2, … stands in a permutation of them: `gather(gather(y, x), invert_permutation(x))` is y.
/// Shape: that of x, [n]
/// Dtype: that of x, integers
/// Errors: a number that is not among the first n throws invalid_argument with it. Of one that stands several times the last place counts,
/// and one that is missing has 0.
template <Operand X>
constexpr auto invert_permutation(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<detail::invert_permutation>(x);
}

}  // namespace jig
