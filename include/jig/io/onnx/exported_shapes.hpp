// SPDX-License-Identifier: MIT
#pragma once
// The ONNX nodes that stand for jig's ops on extents and axes.

#include <jig/io/onnx/exported_node.hpp>

namespace jig::onnx {

// Extents of the result as a constant, with -1 for the one that a run tells.
inline std::string extents_of_result(exported_node& x) {
  const shape s = x.n.shape();
  std::vector<index> to;
  int unknown = 0;
  for (int a = 0; a < s.rank; ++a) {
    to.push_back(is_static_extent(s[a]) ? s[a] : -1);
    unknown += !is_static_extent(s[a]);
  }
  if (unknown > 1) x.refuse("more than one extent of the result is unknown");
  return x.to.integers(to);
}
inline std::string zeros_of_result(exported_node& x) {
  const shape s = x.known(x.n.shape());
  return x.make("Expand", {x.number(0), x.to.integers({s.extents, s.extents + s.rank})});
}
inline int axis_of(exported_node& x, int rank, std::string_view key = "axis") {
  const index a = x.integer(key);
  return static_cast<int>(a < 0 ? a + rank : a);
}

inline void spell_reshape(exported_node& x) { x.give(x.make("Reshape", {x.in[0], extents_of_result(x)})); }
inline void spell_transpose(exported_node& x) {
  std::vector<index> order = x.ints("perm");
  for (index& a : order) a += a < 0 ? static_cast<index>(order.size()) : 0;
  x.give(order.empty() ? x.make("Identity", x.in) : transposed(x, x.in[0], order));
}
inline void spell_expand_dims(exported_node& x) { x.give(x.make("Unsqueeze", {x.in[0], x.to.integers({x.integer("dim")})})); }
inline void spell_squeeze(exported_node& x) {
  const auto axes = x.ints("squeeze_dims");
  x.give(axes.empty() ? x.make("Identity", x.in) : x.make("Squeeze", {x.in[0], x.to.integers(axes)}));
}
inline void spell_broadcast_to(exported_node& x) {
  const shape s = x.n.shape(), from = x.extents(0);
  std::vector<index> to;
  for (int a = 0; a < s.rank; ++a) {
    const int own = a - (s.rank - from.rank);
    if (!is_static_extent(s[a]) && (own < 0 || from[own] == 1)) x.refuse("an extent of the result is unknown");
    to.push_back(is_static_extent(s[a]) ? s[a] : 1);
  }
  x.give(x.make("Expand", {x.in[0], x.to.integers(to)}));
}
inline void spell_pack(exported_node& x) {
  exporter::names parts;
  const index axis = axis_of(x, x.n.shape().rank);
  for (const auto& i : x.in) parts.push_back(x.make("Unsqueeze", {i, x.to.integers({axis})}));
  x.give(x.make("Concat", parts, {attribute("axis", axis)}));
}
inline void spell_pad(exported_node& x) {
  std::vector<index> pads;
  const auto given = x.ints("paddings");
  for (const std::size_t side : {0u, 1u})
    for (std::size_t a = 0; 2 * a < given.size(); ++a) pads.push_back(given[2 * a + side]);
  x.give(x.make("Pad", {x.in[0], x.to.integers(pads), x.in[1]}));
}
// The copies of each element lie along axes of their own.
inline void spell_tile_sum(exported_node& x) {
  const shape from = x.known(x.extents(0)), to = x.known(x.n.shape());
  std::vector<index> apart, copied;
  for (int a = 0; a < to.rank; ++a) {
    copied.push_back(2 * a);
    apart.push_back(to[a] == 0 ? 0 : from[a] / to[a]);
    apart.push_back(to[a]);
  }
  if (copied.empty()) return x.give(x.make("Identity", {x.in[0]}));
  const auto copies = x.make("Reshape", {x.in[0], x.to.integers(apart)}, {attribute("allowzero", 1)});
  x.to.need_opset(14);
  x.give(along(x, "ReduceSum", copies, copied, false));
}
// What else there is tells extents.
inline void spell_first(exported_node& x) { x.give(x.make("Identity", {x.in[0]})); }
inline void spell_shape_of(exported_node& x) { x.give(x.to.cast(x.make("Shape", x.in), dtype::int32)); }
inline void spell_shrinkage(exported_node& x) {
  // As doubles: a half has no such numbers. Of nothing it is 0.
  const auto size = [&](const std::string& of) { return x.to.cast(x.make("Size", {of}), dtype::float64); };
  const auto from = size(x.in[0]), to = x.make("Mul", {size(x.in[1]), x.make("Sign", {from})});
  x.give(x.to.cast(x.make("Div", {to, x.make("Max", {from, x.to.number(dtype::float64, 1)})}), x.n.dtype()));
}
// The sum along the axes that the second input has not, or where it is 1; where neither is known the run finds them.
inline void spell_sum_like(exported_node& x) {
  const shape from = x.extents(0), to = x.extents(1);
  const int added = from.rank - to.rank;
  const std::string like = x.make("Shape", {x.in[1]});
  std::vector<index> axes;
  bool known = true;
  for (int a = 0; a < from.rank; ++a) {
    if (a < added || to[a - added] == 1) axes.push_back(a);
    else known = known && (is_static_extent(to[a - added]) || (from[a] == to[a - added] && is_named_extent(from[a])));
  }
  std::string summed;
  if (known) {
    summed = x.to.integers(axes);
  } else {
    const auto ones = x.to.integers(std::vector<index>(static_cast<std::size_t>(added), 1));
    const auto wanted = added == 0 ? like : x.make("Concat", {ones, like}, {attribute("axis", 0)});
    const auto other = x.make("Not", {x.make("Equal", {wanted, x.make("Shape", {x.in[0]})})});
    summed = x.make("Reshape", {x.make("NonZero", {other}), x.to.integers({-1})});
  }
  const auto sum = x.make("ReduceSum", {x.in[0], summed}, {attribute("keepdims", 1), attribute("noop_with_empty_axes", 1)});
  x.give(x.make("Reshape", {sum, like}));
}
inline void spell_new_array(exported_node& x) { x.give(zeros_of_result(x)); }
inline void spell_eye(exported_node& x) { x.give(identity_matrices(x, x.n.dtype(), x.known(x.n.shape()))); }

// clang-format off
inline constexpr spelled_op spelled_shapes[] = {
    {&ops::reshape, spell_reshape}, {&ops::transpose, spell_transpose}, {&ops::expand_dims, spell_expand_dims}, {&ops::squeeze, spell_squeeze},
    {&ops::broadcast_to, spell_broadcast_to}, {&ops::pack, spell_pack}, {&ops::pad, spell_pad}, {&ops::tile_sum, spell_tile_sum},
    {&ops::set_shape, spell_first}, {&ops::ensure_shape, spell_first}, {&ops::shape_of, spell_shape_of}, {&ops::shrinkage, spell_shrinkage},
    {&ops::sum_like, spell_sum_like}, {&ops::new_array, spell_new_array}, {&ops::eye, spell_eye},
};
// clang-format on

}  // namespace jig::onnx
