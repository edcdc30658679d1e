// SPDX-License-Identifier: MIT
#pragma once
// Elements several times, one after the other. Whole tensors side by side are tile's, in ops/pad.hpp.

#include <jig/ops/composite.hpp>
#include <jig/ops/reshape.hpp>

namespace jig {

namespace detail {

constexpr void expand_repeat(expansion& c) {
  const shape s = c.extents(c.input(0));
  const index times = c.attribute("repeats").values[0], given = c.attribute("axis").values[0];
  const index axis = given < 0 ? given + s.rank : given, behind = axis + 1;
  if (axis < 0 || axis >= s.rank) return c.fail("repeat: there is no such axis");
  list<index> apart, joined_extents;
  for (int a = 0; a <= s.rank; ++a) apart.push_back(a == behind ? times : dyn);
  const attribute_view dim{"dim", attribute_kind::integer, {&behind, 1}};
  const edge copies = c.call(ops::broadcast_to, {c.call(ops::expand_dims, {c.input(0)}, {&dim, 1})}, "shape", apart);
  if (c.failed()) return;
  const shape of_copies = c.extents(copies);
  for (int a = 0; a <= s.rank; ++a)
    if (a != behind) joined_extents.push_back(listed_product(of_copies, 0, a, a == axis ? 2 : 1));
  c.give(c.call(ops::reshape, {copies}, "shape", joined_extents));
}
inline constexpr op repeat_each{.name = "Repeat",
                                .label = "repeat",
                                .facts = fact::composite,
                                .makes = made_ops<ops::expand_dims, ops::broadcast_to, ops::reshape>,
                                .expand = expand_repeat};

}  // namespace detail

/// Each part of x along an axis N times: of 1, 2 with N = 2 it is 1, 1, 2, 2.
/// Shape: that of x with N times the extent along the axis
template <index N, index Axis = 0, Operand... X>
  requires(sizeof...(X) == 1)
constexpr auto repeat(const X&... x) {
  static_assert(N >= 0, "jig::repeat: there are no fewer than 0 copies");
  // A pack: programs have functions of this name, which are the better match for traced values then.
  return call<detail::repeat_each, attributes<integer<"axis", Axis>, integer<"repeats", N>>>(x...);
}

}  // namespace jig
