// SPDX-License-Identifier: MIT
#pragma once
// ONNX's reductions, searches and scans along axes.

#include <jig/io/onnx/node.hpp>

namespace jig::onnx {

struct reduced_axes_of {
  list<index> axes;
  bool keep = true, nothing = false;
};
inline reduced_axes_of axes_of_reduction(node_context& c, edge x) {
  reduced_axes_of r;
  r.keep = c.flag("keepdims", true);
  r.axes = c.steering("axes", 1);
  if (r.axes.empty() && c.flag("noop_with_empty_axes")) r.nothing = true;
  if (r.axes.empty())
    for (int a = 0; a < c.m.rank(x); ++a) r.axes.push_back(a);
  for (index& a : r.axes) a = c.axis(a, c.m.rank(x));
  return r;
}
inline edge reduced(node_context& c, const op& kind, edge x, const reduced_axes_of& r) {
  return r.nothing ? x : c.m.reduce(kind, x, r.axes, r.keep);
}

template <const op& Op>
void import_reduction(node_context& c) {
  c.out(reduced(c, Op, c.x(0), axes_of_reduction(c, c.x(0))));
}
inline void import_reduce_l1(node_context& c) {
  c.out(reduced(c, ops::reduce_sum, c.m.unary(ops::abs, c.x(0)), axes_of_reduction(c, c.x(0))));
}
inline void import_reduce_sum_square(node_context& c) {
  c.out(reduced(c, ops::reduce_sum, c.m.unary(ops::square, c.x(0)), axes_of_reduction(c, c.x(0))));
}
// Of integers in double.
inline edge as_real(node_context& c, edge x) { return is_floating(c.m.type(x)) ? x : c.m.cast(x, dtype::float64); }
inline void import_reduce_l2(node_context& c) {
  const edge x = as_real(c, c.x(0));
  const edge sum = reduced(c, ops::reduce_sum, c.m.unary(ops::square, x), axes_of_reduction(c, x));
  c.out(c.m.cast(c.m.unary(ops::sqrt, sum), c.m.type(c.x(0))));
}
inline void import_reduce_log_sum(node_context& c) {
  const edge x = as_real(c, c.x(0));
  c.out(c.m.cast(c.m.unary(ops::log, reduced(c, ops::reduce_sum, x, axes_of_reduction(c, x))), c.m.type(c.x(0))));
}
inline edge log_sum_exp(node_context& c, edge x, const list<index>& axes, bool keep) {
  // Shifted by the largest element, unless that is infinite.
  const edge largest = c.m.reduce(ops::reduce_max, x, axes, true);
  const edge shift = c.m.unary(ops::stop_gradient, c.m.select(c.m.unary(ops::is_finite, largest), largest, c.m.number_like(x, 0)));
  const edge sum = c.m.reduce(ops::reduce_sum, c.m.unary(ops::exp, c.m.sub(x, shift)), axes, true);
  const edge result = c.m.add(c.m.unary(ops::log, sum), shift);
  return keep ? result : c.m.squeeze(result, axes);
}
inline void import_reduce_log_sum_exp(node_context& c) {
  const edge x = as_real(c, c.x(0));
  const auto r = axes_of_reduction(c, x);
  c.out(r.nothing ? x : c.m.cast(log_sum_exp(c, x, r.axes, r.keep), c.m.type(c.x(0))));
}

template <const op& Op>
void import_search(node_context& c) {
  edge x = c.x(0);
  const int axis = c.axis(c.integer("axis", 0), c.m.rank(x));
  const bool last = c.flag("select_last_index");
  if (last) x = c.m.call(ops::reverse, {x}, {attr::ints("axis", {axis})});
  edge at = c.m.call(Op, {x}, {attr::number("dimension", axis)});
  if (last) at = c.m.sub(c.m.number(dtype::int64, c.m.static_extent(x, axis) - 1), at);
  c.out(c.flag("keepdims", true) ? c.m.expand_dims(at, axis) : at);
}

inline void import_cumsum(node_context& c) {
  edge x = c.x(0);
  const auto given = c.m.known_integers(c.x(1));
  if (given.size() != 1) c.fail("the axis is one number");
  const int axis = c.axis(given[0], c.m.rank(x));
  const bool back = c.flag("reverse");
  const auto turned = [&](edge y) { return back ? c.m.call(ops::reverse, {y}, {attr::ints("axis", {axis})}) : y; };
  x = turned(x);
  if (c.flag("exclusive") && c.m.extents(x)[axis] != 0) {
    const edge first = c.m.unary(ops::zeros_like, c.m.part(x, axis, 0, 1));
    x = c.m.concat({first, c.m.part(x, axis, 0, -1)}, axis);
  }
  c.out(turned(c.m.call(ops::cumsum, {x}, {attr::number("axis", axis)})));
}

inline void import_top_k(node_context& c) {
  const edge x = c.x(0);
  const int axis = c.axis(c.integer("axis", -1), c.m.rank(x));
  index k = c.integer("k", 0);
  if (c.opset >= 10) {
    const auto given = c.m.known_integers(c.x(1));
    if (given.size() != 1) c.fail("K is one number");
    k = given[0];
  }
  if (k < 0 || k > c.m.static_extent(x, axis)) c.fail("the axis has fewer than K elements");
  const std::vector<attr> with{attr::number("axis", axis), attr::flag("descending", c.flag("largest", true))};
  c.out(c.m.part(c.m.call(ops::sort, {x}, with), axis, 0, k));
  c.out(c.m.cast(c.m.part(c.m.call(ops::argsort, {x}, with), axis, 0, k), dtype::int64), 1);
}

// Softmax and its kin work along one axis; before opset 13 along all axes from that one on.
inline list<index> axes_of_softmax(node_context& c, edge x) {
  const int rank = c.m.rank(x);
  list<index> axes;
  if (rank == 0) return axes;
  const index given = c.integer("axis", c.opset < 13 ? 1 : -1);
  const int first = c.opset < 13 && given == rank ? rank : c.axis(given, rank);
  for (int a = first; a < (c.opset < 13 ? rank : first + 1); ++a) axes.push_back(a);
  return axes;
}
inline edge log_softmax(node_context& c, edge x, const list<index>& axes) {
  const edge shifted = c.m.sub(x, c.m.unary(ops::stop_gradient, c.m.reduce(ops::reduce_max, x, axes, true)));
  return c.m.sub(shifted, c.m.unary(ops::log, c.m.reduce(ops::reduce_sum, c.m.unary(ops::exp, shifted), axes, true)));
}
inline void import_softmax(node_context& c) {
  const edge x = c.x(0);
  const auto axes = axes_of_softmax(c, x);
  const edge shifted = c.m.sub(x, c.m.unary(ops::stop_gradient, c.m.reduce(ops::reduce_max, x, axes, true)));
  const edge e = c.m.unary(ops::exp, shifted);
  c.out(c.m.div(e, c.m.reduce(ops::reduce_sum, e, axes, true)));
}
inline void import_log_softmax(node_context& c) { c.out(log_softmax(c, c.x(0), axes_of_softmax(c, c.x(0)))); }
inline void import_hardmax(node_context& c) {
  const edge x = c.x(0);
  const auto axes = axes_of_softmax(c, x);
  const shape s = c.m.static_extents(x);
  if (axes.empty()) return c.out(c.m.unary(ops::ones_like, x));
  // As a matrix with the axes last.
  list<index> order, extents;
  index columns = 1;
  for (int a = 0; a < s.rank; ++a)
    if (a < axes[0] || a > axes[axes.size() - 1]) order.push_back(a);
  for (const index a : axes) order.push_back(a), columns *= s[static_cast<int>(a)];
  list<index> back(s.rank);
  for (int i = 0; i < s.rank; ++i) back[order[i]] = i, extents.push_back(s[static_cast<int>(order[i])]);
  const edge rows = c.m.reshape(c.m.transpose(x, order), {columns == 0 ? 0 : s.size() / columns, columns});
  const edge at = c.m.call(ops::argmax, {rows}, {attr::number("dimension", 1)});
  const edge hot = c.m.call(ops::one_hot, {at}, {attr::number("depth", columns), attr::type("T", c.m.type(x))});
  c.out(c.m.transpose(c.m.reshape(hot, extents), back));
}

inline constexpr op_entry reduction_ops[] = {
    {"ArgMax", import_search<ops::argmax>},
    {"ArgMin", import_search<ops::argmin>},
    {"CumSum", import_cumsum},
    {"Hardmax", import_hardmax},
    {"LogSoftmax", import_log_softmax},
    {"ReduceL1", import_reduce_l1},
    {"ReduceL2", import_reduce_l2},
    {"ReduceLogSum", import_reduce_log_sum},
    {"ReduceLogSumExp", import_reduce_log_sum_exp},
    {"ReduceMax", import_reduction<ops::reduce_max>},
    {"ReduceMean", import_reduction<ops::reduce_mean>},
    {"ReduceMin", import_reduction<ops::reduce_min>},
    {"ReduceProd", import_reduction<ops::reduce_prod>},
    {"ReduceSum", import_reduction<ops::reduce_sum>},
    {"ReduceSumSquare", import_reduce_sum_square},
    {"Softmax", import_softmax},
    {"TopK", import_top_k},
};

}  // namespace jig::onnx
