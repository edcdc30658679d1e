// SPDX-License-Identifier: MIT
#pragma once
// Parts at constant positions, and what drops their axes of one element, as slices that are views: `x(jig::all, 0)` of rows whose number
// only the call knows is read where it lies. This comes before all passes that look through views.

#include <jig/ops/reshape.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/passes/constant_positions.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

constexpr bool may_have_constant_slices(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (slices_at_positions(*g.data(v).kind) && g.data(g.inputs_of(v)[1].node).kind->is(fact::constant)) return true;
  return false;
}

/// Makes a graph anew in which parts at constant positions are slices.
template <class Graph>
class constant_slices {
 public:
  constexpr explicit constant_slices(const Graph& g) : g_(g) {}

  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v) {
      renamed_.push_back(-1);
      if (slices_at_positions(*g_.data(v).kind) && constant_positions(g_, v).exists) continue;  // when somebody needs it
      if (is_op(*g_.data(v).kind, ops::squeeze) && squeezes_slice(v)) continue;
      for (const auto& e : g_.inputs_of(v)) (void)now(e);
      renamed_.back() = copy_node(out_, g_, v, [&](const edge& e) { return now(e); });
    }
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(now(e));
    return std::move(out_);
  }

 private:
  constexpr edge now(const edge& e) {
    if (renamed_[at(e.node)] < 0) add_slice(e.node, e.node, constant_positions(g_, e.node));
    return {renamed_[at(e.node)], e.port};
  }
  // Node v as a slice of what `slice` reads.
  constexpr void add_slice(int v, int slice, const slice_positions& p) {
    const edge from = now(g_.inputs_of(slice)[0]);
    out_.here = g_.data(slice).at;
    renamed_[at(v)] = with_attributes(
        p, [&](stretch<attribute_view> with) { return out_.add(ops::strided_slice, g_.data(v).spec, {&from, 1}, with).node; });
    out_.here = {};
  }
  constexpr bool squeezes_slice(int v) {
    const int slice = g_.inputs_of(v)[0].node;
    const auto axes = g_.node(v).attribute("squeeze_dims").values;
    if (!is_op(*g_.data(slice).kind, ops::slice) || axes.empty()) return false;
    slice_positions p = constant_positions(g_, slice);
    if (!p.exists) return false;
    const shape& part = g_.data(slice).spec.shape;
    for (index listed : axes) {
      const auto a = static_cast<int>(listed < 0 ? listed + part.rank : listed);
      if (part[a] != 1) return false;
      p.shrink_mask |= index{1} << a;
    }
    add_slice(v, slice, p);
    return true;
  }

  const Graph& g_;
  graph out_;
  list<int> renamed_;
};

}  // namespace jig::detail
