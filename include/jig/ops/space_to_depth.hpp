// SPDX-License-Identifier: MIT
#pragma once
// Blocks of pixels as channels, and back.

#include <jig/ops/composite.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/ops/transpose.hpp>

namespace jig {

namespace detail {

constexpr index block_size_of(expansion& c) {
  const index block = c.attribute("block_size").values[0];
  if (c.extents(c.input(0)).rank != 4) c.fail("an image has four axes, [batch, height, width, channels]");
  if (block < 1) c.fail("a block has at least one pixel");
  return block;
}
constexpr index part_of_extent(expansion& c, index extent, index parts) {
  if (!is_static_extent(extent)) return jig::infer;
  if (extent % parts != 0) c.fail("the extent ", extent, " does not divide into blocks of ", parts);
  return extent / parts;
}
// Pixels within a block, and blocks, change places.
constexpr edge with_blocks_turned(expansion& c, edge x) {
  const index order[] = {0, 1, 3, 2, 4, 5};
  return c.call(ops::transpose, {x}, "perm", order);
}

constexpr void expand_space_to_depth(expansion& c) {
  const index block = block_size_of(c);
  if (c.failed()) return;
  const auto reshaped = [&](edge x, std::initializer_list<index> to) { return c.call(ops::reshape, {x}, "shape", list<index>(to)); };
  edge x = c.input(0);
  // One axis after the other, since a reshape infers one extent.
  for (const int axis : {1, 3}) {
    const shape s = c.extents(x);
    list<index> apart;
    for (int a = 0; a < s.rank; ++a) {
      apart.push_back(a == axis ? part_of_extent(c, s[a], block) : listed_product(s, 0, a, 1));
      if (a == axis) apart.push_back(block);
    }
    if (c.failed()) return;
    x = c.call(ops::reshape, {x}, "shape", apart);
  }
  x = with_blocks_turned(c, x);
  if (c.failed()) return;
  const shape s = c.extents(x);
  c.give(reshaped(x, {listed_product(s, 0, 0, 1), listed_product(s, 0, 1, 1), listed_product(s, 0, 2, 1), listed_product(s, 0, 3, 3)}));
}
constexpr void expand_depth_to_space(expansion& c) {
  const index block = block_size_of(c);
  if (c.failed()) return;
  const auto reshaped = [&](edge x, std::initializer_list<index> to) { return c.call(ops::reshape, {x}, "shape", list<index>(to)); };
  const shape from = c.extents(c.input(0));
  const index channels = part_of_extent(c, from[3], block * block);
  if (c.failed()) return;
  const edge x = with_blocks_turned(c, reshaped(c.input(0), {listed_product(from, 0, 0, 1), listed_product(from, 0, 1, 1),
                                                             listed_product(from, 0, 2, 1), block, block, channels}));
  if (c.failed()) return;
  const shape s = c.extents(x);
  c.give(reshaped(x, {listed_product(s, 0, 0, 1), listed_product(s, 0, 1, 2), listed_product(s, 0, 3, 2), listed_product(s, 0, 5, 1)}));
}
constexpr op block_op(std::string_view name, std::string_view label, void (*nodes)(expansion&)) {
  return {.name = name, .label = label, .facts = fact::composite, .makes = made_ops<ops::reshape, ops::transpose>, .expand = nodes};
}
inline constexpr op space_to_depth = block_op("SpaceToDepth", "space_to_depth", expand_space_to_depth);
inline constexpr op depth_to_space = block_op("DepthToSpace", "depth_to_space", expand_depth_to_space);

}  // namespace detail

/// Images of blocks of Block x Block pixels, whose channels are those of their pixels, row by row.
/// Shape: [batch, height, width, channels] -> [batch, height / Block, width / Block, Block * Block * channels]
/// Errors: extents that do not divide are refused at compile time or throw invalid_argument.
template <index Block, Operand X>
constexpr auto space_to_depth(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<detail::space_to_depth, attributes<integer<"block_size", Block>>>(x);
}

/// The images that space_to_depth made such blocks of.
/// Shape: [batch, height, width, Block * Block * channels] -> [batch, height * Block, width * Block, channels]
/// Errors: channels that do not divide are refused at compile time or throw invalid_argument.
template <index Block, Operand X>
constexpr auto depth_to_space(const X& x, const source_line& at = source_line::here()) {
  const detail::line_scope in(at, x);
  return call<detail::depth_to_space, attributes<integer<"block_size", Block>>>(x);
}

}  // namespace jig
