// SPDX-License-Identifier: MIT
#pragma once
// Elements at positions that are stacked of a tensor of numbers for each axis are found by these tensors: nothing has to put them side by
// side, and a register of each makes a register of places.

#include <jig/ops/gather.hpp>
#include <jig/ops/join.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig::detail {

constexpr void elements_at_numbers_rule(rule_context& c) { c.result = {c.inputs[0].dtype, c.inputs[1].shape}; }
/// GatherNd of elements of the first input; the others hold their positions, one for each of its axes. Plans have it, traces do not. Errors
/// are those of the other one, and so is the name.
inline constexpr op elements_at_numbers = indexing_op("GatherNd", elements_at_numbers_rule, 0);

/// Whether positions are put together of a number for each axis of a tensor, along their last axis.
constexpr bool stacks_numbers(const tensor_spec& of, const tensor_spec& positions, index axis, int numbers) {
  const int rank = positions.shape.rank;
  return rank > 1 && (axis < 0 ? axis + rank : axis) == rank - 1 && numbers == of.shape.rank &&
         (positions.dtype == dtype::int32 || positions.dtype == dtype::int64);
}
constexpr bool may_have_gathered_elements(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    if (!is_op(*g.data(v).kind, ops::gather_nd)) continue;
    const edge from = g.inputs_of(v)[0], stacked = g.inputs_of(v)[1];
    if (is_op(*g.data(stacked.node).kind, ops::pack) &&
        stacks_numbers(g.spec(from), g.spec(stacked), g.node(stacked.node).attribute("axis").values[0], g.data(stacked.node).inputs.count))
      return true;
  }
  return false;
}

/// Such elements are found by the tensors that are stacked.
struct gathered_elements : rewriting_rule {
  static constexpr edge apply(auto& r, const new_node& n) {
    if (!is_op(n.kind, ops::gather_nd) || !r.is(n.inputs[1], ops::pack)) return {};
    const edge stacked = n.inputs[1];
    const int numbers = r.data(stacked).inputs.count;
    if (!stacks_numbers(r.spec(n.inputs[0]), r.spec(stacked), r.integers(stacked, "axis")[0], numbers)) return {};
    list<edge> inputs;
    inputs.push_back(n.inputs[0]);
    for (int k = 0; k < numbers; ++k) inputs.push_back(r.input(stacked, at(k)));
    return r.make(elements_at_numbers, tensor_spec(n.spec), inputs);
  }
};

}  // namespace jig::detail
