// SPDX-License-Identifier: MIT
#pragma once
// ONNX's ops that look up or change elements at positions. Positions may count from the end; jig's do not.

#include <jig/io/onnx/node.hpp>

namespace jig::onnx {

/// Positions along an axis, counted from the start.
inline edge from_start(node_context& c, edge at, edge extent) {
  if (c.m.type(at) != dtype::int64) at = c.m.cast(at, dtype::int64);
  return c.m.select(c.m.binary(ops::less, at, c.m.number(dtype::int64, 0)), c.m.add(at, extent), at);
}
inline edge from_start(node_context& c, edge at, index extent) { return from_start(c, at, c.m.number(dtype::int64, extent)); }
/// The extent of x along an axis as an int64; a constant where it is known.
inline edge extent_along(node_context& c, edge x, int axis) {
  if (const index extent = c.m.extents(x)[axis]; is_static_extent(extent)) return c.m.number(dtype::int64, extent);
  return c.m.item(c.m.cast(c.m.unary(ops::shape_of, x), dtype::int64), 0, axis);
}

inline void import_gather(node_context& c) {
  const edge x = c.x(0);
  const int axis = c.axis(c.integer("axis", 0), c.m.rank(x));
  c.out(c.m.gather(x, from_start(c, c.x(1), extent_along(c, x, axis)), axis));
}

/// Where elements lie in the memory of a tensor with these extents, when those along one axis are given and the others are where they are.
inline edge flat_positions(node_context& c, edge at, const shape& of, int axis) {
  const shape s = c.m.static_extents(at);
  if (s.rank != of.rank) c.fail("the positions have another rank");
  const shape strides = detail::row_major_strides(of);
  for (int a = 0; a < s.rank; ++a)
    if (a != axis && s[a] > of[a]) c.fail("there are more positions than elements along an axis");
  c.m.require_size({dtype::int64, s});
  any_tensor rest = any_tensor::empty(dtype::int64, s);
  auto* to = static_cast<std::int64_t*>(rest.mutable_data());
  for (index i = 0; i < s.size(); ++i) {
    index left = i, sum = 0;
    for (int a = s.rank; a-- > 0; left /= s[a])
      if (a != axis) sum += left % s[a] * strides[a];
    to[i] = sum;
  }
  const edge along = from_start(c, at, of[axis]);
  // Out of range along the axis is out of range, though memory may go on.
  const edge bad = c.m.binary(ops::logical_or, c.m.binary(ops::less, along, c.m.number(dtype::int64, 0)),
                              c.m.binary(ops::greater_equal, along, c.m.number(dtype::int64, of[axis])));
  const edge flat = c.m.add(c.m.mul(along, c.m.number(dtype::int64, strides[axis])), c.m.constant(rest));
  return c.m.select(bad, c.m.number(dtype::int64, -1), flat);
}
inline edge flattened(node_context& c, edge x) { return c.m.reshape(x, {c.m.static_extents(x).size()}); }

// Whether there are as many rows of positions as of elements, whatever a call tells.
inline bool has_row_for_each(const shape& x, const shape& at, int axis) {
  bool same = x.rank == at.rank;
  for (int a = 0; same && a < x.rank; ++a) same = a == axis || (x[a] == at[a] && (is_static_extent(x[a]) || is_named_extent(x[a])));
  return same;
}
inline void import_gather_elements(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.extents(x), places = c.m.extents(c.x(1));
  const int axis = c.axis(c.integer("axis", 0), s.rank), last = s.rank - 1;
  if ((s.is_static() && places.is_static()) || !has_row_for_each(s, places, axis))
    return c.out(c.m.gather(flattened(c, x), flat_positions(c, c.x(1), c.m.static_extents(x), axis), 0));
  list<index> order, back;
  for (int a = 0; a <= last; ++a) order.push_back(a < axis ? a : a < last ? a + 1 : axis);
  for (int a = 0; a <= last; ++a) back.push_back(a < axis ? a : a == axis ? last : a - 1);
  const edge at = c.m.transpose(from_start(c, c.x(1), extent_along(c, x, axis)), order);
  const edge rows = c.m.call(ops::gather, {c.m.transpose(x, order), at}, {attr::number("axis", last), attr::number("batch_dims", last)});
  c.out(c.m.transpose(rows, back));
}

// The last axis of positions in x, counted from the start.
inline edge rows_from_start(node_context& c, edge at, edge x, int skipped = 0) {
  at = c.m.cast(at, dtype::int64);
  const int rank = c.m.rank(at);
  const shape of = c.m.extents(x);
  const index axes = rank == 0 ? 0 : c.m.static_extent(at, rank - 1);
  if (rank == 0 || axes + skipped > of.rank) c.fail("there are more positions than axes");
  std::vector<index> known;
  for (int a = 0; a < axes; ++a)
    if (is_static_extent(of[a + skipped])) known.push_back(of[a + skipped]);
  const edge extents = static_cast<index>(known.size()) == axes
                           ? c.m.constants(known)
                           : c.m.part(c.m.cast(c.m.unary(ops::shape_of, x), dtype::int64), 0, skipped, skipped + axes);
  return c.m.select(c.m.binary(ops::less, at, c.m.number(dtype::int64, 0)), c.m.add(at, extents), at);
}
inline void import_gather_nd(node_context& c) {
  const edge x = c.x(0);
  const index batches = c.integer("batch_dims", 0);
  if (batches < 0 || batches >= c.m.rank(x)) c.fail("there are not so many axes of batches");
  const int b = static_cast<int>(batches);
  edge at = rows_from_start(c, c.x(1), x, b);
  const shape s = c.m.extents(at);
  if (b > s.rank - 1) c.fail("there are not so many axes of batches");
  if (b > 0) {
    (void)c.m.static_extents(at);
    // In front of each row its place in the batch.
    shape front = s;
    front[front.rank - 1] = b;
    c.m.require_size({dtype::int64, front});
    any_tensor places = any_tensor::empty(dtype::int64, front);
    const shape strides = detail::row_major_strides(front);
    for (index i = 0; i < front.size(); ++i) {
      const int a = static_cast<int>(i % b);
      static_cast<std::int64_t*>(places.mutable_data())[i] = i / strides[a] % front[a];
    }
    at = c.m.concat({c.m.constant(places), at}, s.rank - 1);
  }
  c.out(c.m.call(ops::gather_nd, {x, at}));
}

// Puts or combines updates at positions as GatherNd has them.
inline edge scattered(node_context& c, edge x, edge at, edge updates) {
  const auto how = c.text("reduction", "none");
  if (how == "none") return c.m.call(ops::tensor_scatter_update, {x, at, updates});
  if (how == "add") return c.m.call(ops::tensor_scatter_add, {x, at, updates});
  const op* const combine = how == "mul" ? &ops::multiply : how == "max" ? &ops::maximum : how == "min" ? &ops::minimum : nullptr;
  if (combine == nullptr) c.fail("updates are combined by add, mul, max or min");
  // One row after the other, since positions may be there twice.
  const shape s = c.m.static_extents(at), u = c.m.static_extents(updates);
  const index rows = s[s.rank - 1] == 0 ? 0 : s.size() / s[s.rank - 1];
  list<index> each{rows};
  for (int a = s.rank - 1; a < u.rank; ++a) each.push_back(u[a]);
  at = c.m.reshape(at, {rows, s[s.rank - 1]});
  updates = c.m.reshape(updates, each);
  for (index r = 0; r < rows; ++r) {
    const edge row = c.m.part(at, 0, r, r + 1);
    const edge next = c.m.binary(*combine, c.m.call(ops::gather_nd, {x, row}), c.m.part(updates, 0, r, r + 1));
    x = c.m.call(ops::tensor_scatter_update, {x, row, next});
  }
  return x;
}
inline void import_scatter_nd(node_context& c) { c.out(scattered(c, c.x(0), rows_from_start(c, c.x(1), c.x(0)), c.x(2))); }
inline void import_scatter_elements(node_context& c) {
  const edge x = c.x(0);
  const shape s = c.m.static_extents(x);
  const int axis = c.axis(c.integer("axis", 0), s.rank);
  const edge at = flat_positions(c, c.x(1), s, axis);
  const index n = c.m.static_extents(at).size();
  const edge out = scattered(c, flattened(c, x), c.m.reshape(at, {n, 1}), flattened(c, c.x(2)));
  c.out(c.m.reshape(out, list_of(s)));
}

inline void import_one_hot(node_context& c) {
  const auto depth = c.m.known_integers(c.x(1));
  const edge values = c.x(2);
  if (depth.size() != 1 || depth[0] < 0) c.fail("the depth is one number");
  const edge at = from_start(c, c.x(0), depth[0]);
  const edge hot = c.m.call(ops::one_hot, {at}, {attr::number("depth", depth[0]), attr::type("T", dtype::boolean)});
  const edge chosen = c.m.select(hot, c.m.item(values, 0, 1), c.m.item(values, 0, 0));
  const int rank = c.m.rank(chosen), axis = c.axis(c.integer("axis", -1), rank);
  list<index> order;
  for (int a = 0; a < rank; ++a) order.push_back(a < axis ? a : a == axis ? rank - 1 : a - 1);
  c.out(c.m.transpose(chosen, order));
}

inline void import_non_zero(node_context& c) {
  edge x = c.x(0);
  if (c.m.rank(x) == 0) x = c.m.expand_dims(x, 0);
  if (c.m.type(x) != dtype::boolean) x = c.m.binary(ops::not_equal, x, c.m.number_like(x, 0));
  c.out(c.m.transpose(c.m.unary(ops::where, x), {1, 0}));
}
inline void import_compress(node_context& c) {
  edge x = c.x(0);
  int axis = 0;
  if (c.given("axis")) axis = c.axis(c.integer("axis", 0), c.m.rank(x));
  else x = c.m.reshape(x, {jig::infer});
  c.out(c.m.gather(x, c.m.squeeze(c.m.unary(ops::where, c.x(1)), {1}), axis));
}

inline void import_reverse_sequence(node_context& c) {
  edge x = c.x(0);
  const shape s = c.m.static_extents(x);
  const int time = c.axis(c.integer("time_axis", 0), s.rank), batch = c.axis(c.integer("batch_axis", 1), s.rank);
  if (time == batch || time > 1 || batch > 1) c.fail("time and batches are the first two axes");
  list<index> order;
  for (int a = 0; a < s.rank; ++a) order.push_back(a < 2 ? (batch == 0 ? a : 1 - a) : a);
  x = c.m.transpose(x, order);
  const index batches = s[batch], times = s[time];
  c.m.require_size({dtype::int64, shape{2, {batches, times}}});
  std::vector<index> steps, rows;
  for (index t = 0; t < times; ++t) steps.push_back(t);
  for (index b = 0; b < batches; ++b) rows.push_back(b * times);
  const edge t = c.m.constants(steps), lengths = c.m.expand_dims(c.m.cast(c.x(1), dtype::int64), 1);
  const edge turned = c.m.sub(c.m.sub(lengths, t), c.m.number(dtype::int64, 1));
  const edge at = c.m.add(c.m.select(c.m.binary(ops::less, t, lengths), turned, t), c.m.expand_dims(c.m.constants(rows), 1));
  list<index> joined{batches * times};
  for (int a = 2; a < s.rank; ++a) joined.push_back(s[a]);
  c.out(c.m.transpose(c.m.gather(c.m.reshape(x, joined), at, 0), order));
}

inline constexpr op_entry index_ops[] = {
    {"Compress", import_compress},
    {"Gather", import_gather},
    {"GatherElements", import_gather_elements},
    {"GatherND", import_gather_nd},
    {"NonZero", import_non_zero},
    {"OneHot", import_one_hot},
    {"ReverseSequence", import_reverse_sequence},
    {"Scatter", import_scatter_elements},
    {"ScatterElements", import_scatter_elements},
    {"ScatterND", import_scatter_nd},
};

}  // namespace jig::onnx
