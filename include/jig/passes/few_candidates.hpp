// SPDX-License-Identifier: MIT
#pragma once
// The best of a few candidates that a loop computes, such as the nearest of some places, is found by comparisons in that loop: nothing is
// stored to be searched.

#include <jig/ops/select.hpp>
#include <jig/passes/neighbours.hpp>
#include <jig/passes/short_positions.hpp>

namespace jig::detail {

// Integers as wide as the numbers that are compared, so that registers hold as many of them.
constexpr dtype position_type(dtype d) {
  switch (size_of(d)) {
    case 1: return dtype::int8;
    case 2: return dtype::int16;
    case 4: return dtype::int32;
    default: return dtype::int64;
  }
}
inline constexpr index most_candidates = 32;
constexpr void candidates_rule(rule_context& c) { c.result = {position_type(c.inputs[0].dtype), broadcast_all(c)}; }
/// The number of the operand that is largest, or smallest, where every operand is a candidate: the first one of equals, and NaN is beyond
/// all numbers. Plans have them, traces do not.
inline constexpr op largest_operand{
    .name = "LargestOperand", .label = "LargestOperand", .facts = fact::elementwise, .rule = candidates_rule};
inline constexpr op smallest_operand{
    .name = "SmallestOperand", .label = "SmallestOperand", .facts = fact::elementwise, .rule = candidates_rule};

template <class Graph>
class few_candidates : graph_of_neighbours<Graph> {
  using base = graph_of_neighbours<Graph>;
  using base::g_, base::out_, base::renamed_, base::renamed, base::extent_along, base::neighbour;

 public:
  constexpr explicit few_candidates(const Graph& g) : base(g) {}

  static constexpr bool is_search(const op& kind) {
    return is_op(kind, ops::argmax) || is_op(kind, ops::argmin) || is_op(kind, short_argmax) || is_op(kind, short_argmin);
  }
  /// Whether a node finds the best of a few candidates, which would be computed in its loop once short reductions are elementwise.
  constexpr bool searches(int v) const {
    constexpr int most_work = 192, of_choice = 3;
    const node_data& n = g_.data(v);
    const edge of = g_.inputs_of(v)[0];
    if (!is_search(*n.kind) || !has_many_results(g_, v) || !is_number(g_.spec(of).dtype)) return false;
    const int from_end = axis_from_end(v);
    const index count = extent_along(of.node, from_end);
    if (count < 2 || count > most_candidates || of.port != 0 || !is_computed(of.node) || is_stored(of.node)) return false;
    return has_no_rows(of.node, g_.spec(of).shape, from_end) && work_of_all(of.node, from_end, count) + count * of_choice <= most_work;
  }

  /// The graph anew.
  constexpr graph run() {
    for (int v = 0; v < g_.size(); ++v)
      renamed_[v] =
          is_search(*g_.data(v).kind) && searches(v) ? found(v) : copy_node(out_, g_, v, [&](const edge& e) { return renamed(e); });
    for (int v : g_.inputs()) out_.input_nodes.push_back(renamed_[at(v)]);
    for (const auto& e : g_.outputs()) out_.output_edges.push_back(renamed(e));
    return std::move(out_);
  }

 private:
  constexpr int axis_from_end(int v) const {
    const int rank = g_.spec(g_.inputs_of(v)[0]).shape.rank;
    const auto axis = static_cast<int>(g_.node(v).attribute("dimension").values[0]);
    return axis < 0 ? -1 - axis : rank - 1 - axis;
  }
  constexpr bool is_computed(int v) const { return g_.data(v).kind->is(fact::elementwise) || axis_of_few(g_, v) >= 0; }
  // Whether memory has to hold a value for others than searches and reductions.
  constexpr bool is_stored(int v) const {
    for (const auto& e : g_.outputs())
      if (e.node == v) return true;
    for (int reader = v + 1; reader < g_.size(); ++reader)
      for (const auto& e : g_.inputs_of(reader))
        if (e.node == v && !is_search(*g_.data(reader).kind) && !g_.data(reader).kind->is(fact::reduction)) return true;
    return false;
  }
  // Rows of candidates in memory are searched where they lie.
  constexpr bool has_no_rows(int v, const shape& all, int from_end) const {
    if (!is_computed(v)) return from_end > 0 || !(g_.data(v).spec.shape == all);
    if (!g_.data(v).kind->is(fact::elementwise)) return true;
    for (const auto& e : g_.inputs_of(v))
      if (!has_no_rows(e.node, all, from_end)) return false;
    return true;
  }
  // How much is computed of all candidates, in elementary operations; too much where that cannot be done.
  constexpr index work_of_all(int v, int from_end, index count) const {
    constexpr index too_much = 1000, of_function = 8;
    const node_data& n = g_.data(v);
    const index along = extent_along(v, from_end);
    if (n.more_specs.count > 0 || is_storage(n.spec.dtype) || n.spec.dtype == dtype::string || (along != 1 && along != count))
      return too_much;
    if (!is_computed(v)) return 0;
    index work = n.kind->is(fact::lanes_only) ? of_function : 1, times = 1;
    int operand_from_end = from_end;
    if (!n.kind->is(fact::elementwise)) {
      const int axis = axis_of_few(g_, v);
      times = extent_along(g_.inputs_of(v)[0].node, axis);
      work = times - 1;
      operand_from_end += n.spec.shape.rank < g_.spec(g_.inputs_of(v)[0]).shape.rank && axis <= from_end;
    }
    index all = along * work;
    for (const auto& e : g_.inputs_of(v)) {
      all += times * (e.port == 0 ? work_of_all(e.node, operand_from_end, count) : too_much);
      if (all > too_much) return too_much;
    }
    return all;
  }

  constexpr int found(int v) {
    const edge of = g_.inputs_of(v)[0];
    const op& kind = *g_.data(v).kind;
    const tensor_spec spec = g_.data(v).spec, position{position_type(g_.spec(of).dtype), spec.shape};
    list<edge> candidates;
    for (index k = 0; k < extent_along(of.node, axis_from_end(v)); ++k)
      candidates.push_back(neighbour(of.node, axis_from_end(v), k, false));
    const bool smallest = is_op(kind, ops::argmin) || is_op(kind, short_argmin);
    const edge made = out_.add(smallest ? smallest_operand : largest_operand, position, candidates);
    return spec.dtype == position.dtype ? made.node : add_cast(out_, made, spec).node;
  }
};

constexpr bool may_have_few_candidates(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v)
    if (few_candidates<graph_view>::is_search(*g.data(v).kind) && few_candidates<graph_view>(g).searches(v)) return true;
  return false;
}

}  // namespace jig::detail
