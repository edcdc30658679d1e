// SPDX-License-Identifier: MIT
#pragma once
// Coordinates of the points of a grid.

#include <jig/ops/composite.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/reshape.hpp>

namespace jig {

namespace detail {

// Attributes `part`, the operand that is spread over the grid, and `swapped`, whether the first two axes are.
constexpr void expand_meshgrid(expansion& c) {
  const auto count = static_cast<int>(c.inputs()), part = static_cast<int>(c.attribute("part").values[0]);
  const bool swapped = c.attribute("swapped").values[0] != 0 && count > 1;
  if (count > max_rank) return c.fail("meshgrid: a tensor has at most 8 axes");
  const auto operand_of = [&](int axis) { return swapped && axis < 2 ? 1 - axis : axis; };
  list<index> extents, alone;
  list<edge> inputs;
  inputs.push_back(c.input(static_cast<std::size_t>(part)));
  for (int i = 0; i < count; ++i) {
    if (c.extents(c.input(static_cast<std::size_t>(i))).rank != 1) return c.fail("meshgrid: the operands must have one axis");
    inputs.push_back(c.input(static_cast<std::size_t>(i)));
  }
  for (int axis = 0; axis < count; ++axis) {
    const int from = operand_of(axis);
    extents.push_back(listed_product(c.extents(c.input(static_cast<std::size_t>(from))), from + 1, 0, 1));
    alone.push_back(from == part ? listed_product(c.extents(inputs[0]), 0, 0, 1) : 1);
  }
  inputs[0] = c.call(ops::reshape, {inputs[0]}, "shape", alone);
  const attribute_view to{"shape", attribute_kind::integers, extents};
  c.give(c.call(ops::broadcast_to, inputs, {&to, 1}));
}
inline constexpr op spread_over_grid{.name = "Meshgrid",
                                     .label = "meshgrid",
                                     .facts = fact::composite,
                                     .free_inputs = ~0u,
                                     .makes = made_ops<ops::reshape, ops::broadcast_to>,
                                     .expand = expand_meshgrid};

}  // namespace detail

/// The coordinates of the points of a grid whose axes have these: as a std::tuple, one tensor of the points for each of them. As in
/// TensorFlow the first two axes are swapped, `auto [xs, ys] = jig::meshgrid(x, y)`; they are not in `meshgrid<"ij">(x, y)`.
/// Shape: [m], [n], [k]... -> [n, m, k...], or with "ij" [m, n, k...], each
template <text Indexing = "xy", Operand... X>
  requires(sizeof...(X) > 0)
constexpr auto meshgrid(const X&... x) {
  static_assert(Indexing.view() == "xy" || Indexing.view() == "ij", "jig::meshgrid: the indexing is \"xy\" or \"ij\"");
  constexpr bool swapped = Indexing.view() == "xy";
  return detail::tuple_in_order(
      [&]<std::size_t I>() {
        return call<detail::spread_over_grid, attributes<integer<"part", static_cast<index>(I)>, boolean<"swapped", swapped>>>(x...);
      },
      std::make_index_sequence<sizeof...(X)>());
}

}  // namespace jig
