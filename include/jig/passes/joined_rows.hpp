// SPDX-License-Identifier: MIT
#pragma once
// Joins along other axes than the first: which parts loops compute in their place, row by row. Arguments among them are copied by such a
// loop too, which reads them only once where it computes other parts of them.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

// Short rows of results and those of bytes are put together in registers.
inline constexpr index longest_shuffled_row = 8, shortest_row_of_bytes = 64;

/// The elements of a value along all axes from one on, 0 where only the call tells.
constexpr index row_elements(const shape& s, int axis) {
  index n = 1;
  for (int a = axis; a < s.rank; ++a) {
    if (!is_static_extent(s[a])) return 0;
    n *= s[a];
  }
  return n;
}
constexpr bool is_join(const op& kind) { return is_op(kind, ops::concat) || is_op(kind, ops::pack); }
/// The axis of a join, counted from the start.
constexpr int joining_axis(const graph_view& g, int join) {
  const index axis = g.node(join).attribute("axis").values[0];
  return static_cast<int>(axis < 0 ? axis + g.data(join).spec.shape.rank : axis);
}
/// Whether a loop may compute a part of a join row by row.
constexpr bool joins_rows_of(const graph_view& g, int join, const tensor_spec& part) {
  const int axis = joining_axis(g, join);
  return axis > 0 && row_elements(g.data(join).spec.shape, axis) > longest_shuffled_row &&
         row_elements(part.shape, axis) >= (size_of(part.dtype) < 4 ? shortest_row_of_bytes : 1);
}

/// Whether the elements of a value along its last axis lie side by side: of what is stored or a dense argument, and of slices of that.
constexpr bool lies_in_rows(const graph_view& g, int v, stretch<char> dense_arguments) {
  if (is_op(*g.data(v).kind, ops::strided_slice)) {
    const int from = g.inputs_of(v)[0].node;
    const auto steps = g.node(v).attribute("strides").values;
    const bool alike = g.data(from).spec.shape.rank == g.data(v).spec.shape.rank;
    const bool whole = alike && (static_cast<int>(steps.size()) < g.data(v).spec.shape.rank || steps[steps.size() - 1] == 1);
    return whole && !g.data(from).kind->is(fact::view) && lies_in_rows(g, from, dense_arguments);
  }
  for (std::size_t k = 0; k < g.inputs().size(); ++k)
    if (g.inputs()[k] == v) return dense_arguments[k] != 0;
  return !g.data(v).kind->is(fact::view);
}
/// Whether a loop that computes other parts of a join should copy one.
constexpr bool copies_in_loop(const graph_view& g, int join, const edge& part, stretch<char> dense_arguments) {
  const tensor_spec& spec = g.spec(part);
  return part.port == 0 && is_number(spec.dtype) && !is_storage(spec.dtype) && !g.data(part.node).kind->is(fact::elementwise) &&
         joins_rows_of(g, join, spec) && lies_in_rows(g, part.node, dense_arguments);
}
/// Whether a loop computes some part of a join in its place, if nobody else needs it.
constexpr bool has_computed_rows(const graph_view& g, int join, const list<int>& uses) {
  if (!is_join(*g.data(join).kind)) return false;
  for (const auto& e : g.inputs_of(join))
    if (g.data(e.node).kind->is(fact::elementwise) && uses[e.node] == 1 && joins_rows_of(g, join, g.spec(e))) return true;
  return false;
}
constexpr bool may_have_rows_to_copy(const graph_view& g) {
  for (int v = 0; v < g.size(); ++v) {
    if (!is_join(*g.data(v).kind) || joining_axis(g, v) == 0) continue;
    bool computed = false, given = false;
    for (const auto& e : g.inputs_of(v)) (g.data(e.node).kind->is(fact::elementwise) ? computed : given) = true;
    if (computed && given) return true;
  }
  return false;
}

/// The graph anew, in which loops copy what is joined with what they compute; an empty one if there is nothing to do.
template <class Graph>
constexpr graph with_copies_in_loops(const Graph& g, stretch<char> dense_arguments) {
  graph out;
  const list<int> uses = use_counts(g);
  list<int> renamed;
  bool any = false;
  for (int v = 0; v < g.size(); ++v) {
    const bool joins = has_computed_rows(g, v, uses);
    renamed.push_back(copy_node(out, g, v, [&](const edge& e) {
      const edge same{renamed[at(e.node)], e.port};
      if (!joins || !copies_in_loop(g, v, e, dense_arguments)) return same;
      any = true;
      const tensor_spec spec = g.spec(e);
      const std::uint64_t one = bits_of_number(spec.dtype, 1);
      const attribute_view value[] = {{"value", attribute_kind::words, {}, {}, {&one, 1}}};
      const edge product[] = {same, out.add(ops::constant, {spec.dtype, {}}, {}, value)};
      return out.add(ops::multiply, spec, product);
    }));
  }
  if (!any) return {};
  for (int v : g.inputs()) out.input_nodes.push_back(renamed[at(v)]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[at(e.node)], e.port});
  return out;
}

}  // namespace jig::detail
