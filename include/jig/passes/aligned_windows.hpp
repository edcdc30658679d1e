// SPDX-License-Identifier: MIT
#pragma once
// Pools whose windows lie side by side and cover their operand become reductions of a view of it, which has an axis for the places in a
// window beside that for the windows: loops reduce over any axes, and compute the operand and what goes on with the result.

#include <jig/ops/pool.hpp>
#include <jig/ops/reduce.hpp>
#include <jig/ops/reshape.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

/// What combines the elements of a window; none if an op is no pool.
constexpr const op* reduction_of_pool(const op& kind) {
  if (is_op(kind, ops::max_pool2d) || is_op(kind, ops::max_pool3d)) return &ops::reduce_max;
  return is_op(kind, ops::avg_pool2d) || is_op(kind, ops::avg_pool3d) ? &ops::reduce_mean : nullptr;
}
/// Whether a node is such a pool. Its spatial extents are known before the call.
constexpr bool has_aligned_windows(const graph_view& g, int v) {
  const node_data& n = g.data(v);
  if (reduction_of_pool(*n.kind) == nullptr || is_storage(n.spec.dtype) || g.node(v).attribute("padding").text == "EXPLICIT") return false;
  const shape& from = g.spec(g.inputs_of(v)[0]).shape;
  const auto windows = g.node(v).attribute("ksize").values, strides = g.node(v).attribute("strides").values;
  int rank = from.rank;
  for (int a = 1; a + 1 < from.rank; ++a) {
    const index e = from[a], window = windows[static_cast<std::size_t>(a)];
    if (e <= 0 || window != strides[static_cast<std::size_t>(a)] || e % window != 0) return false;
    rank += window > 1;
  }
  return rank <= max_rank && rank > from.rank && from[from.rank - 1] > 0;
}
constexpr bool may_have_aligned_windows(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (has_aligned_windows(g, v)) return true;
  return false;
}

/// The graph anew, in which pools with aligned windows are reductions.
template <class Graph>
constexpr graph with_reduced_windows(const Graph& g) {
  graph out;
  list<int> renamed;
  for (int v = 0; v < g.size(); ++v) {
    const auto same = [&](const edge& e) { return edge{renamed[at(e.node)], e.port}; };
    if (!has_aligned_windows(g, v)) {
      renamed.push_back(copy_node(out, g, v, same));
      continue;
    }
    const tensor_spec from = g.spec(g.inputs_of(v)[0]);
    const auto windows = g.node(v).attribute("ksize").values;
    tensor_spec view{from.dtype, {}};
    list<index> extents, axes;
    for (int a = 0; a < from.shape.rank; ++a) {
      const index window = a == 0 || a + 1 == from.shape.rank ? 1 : windows[static_cast<std::size_t>(a)];
      view.shape.push_back(window > 1 ? from.shape[a] / window : from.shape[a]);
      extents.push_back(a == 0 && from.shape[0] < 0 ? jig::infer : view.shape[view.shape.rank - 1]);
      if (window == 1) continue;
      axes.push_back(view.shape.rank);
      view.shape.push_back(window);
      extents.push_back(window);
    }
    const attribute_view reshaping[] = {{"shape", attribute_kind::integers, extents}};
    const edge operand[] = {same(g.inputs_of(v)[0])};
    const edge windowed[] = {out.add(ops::reshape, view, operand, reshaping)};
    const index keep = 0;
    const attribute_view reducing[] = {{"axes", attribute_kind::integers, axes}, {"keep_dims", attribute_kind::boolean, {&keep, 1}}};
    renamed.push_back(out.add(*reduction_of_pool(*g.data(v).kind), g.data(v).spec, windowed, reducing).node);
  }
  for (int v : g.inputs()) out.input_nodes.push_back(renamed[at(v)]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[at(e.node)], e.port});
  return out;
}

}  // namespace jig::detail
