// SPDX-License-Identifier: MIT
#pragma once
// Joins along other axes than the first: which parts loops compute in their place, row by row. Arguments among them are copied by such a
// loop too, which reads them only once where it computes other parts of them.

#include <jig/ops/arithmetic.hpp>
#include <jig/ops/division.hpp>
#include <jig/ops/join.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/strided_slice.hpp>
#include <jig/ops/unary.hpp>
#include <jig/passes/blocks_of_memory.hpp>
#include <jig/passes/prune.hpp>

namespace jig::detail {

// Of so few elements a part is better kept where compilers see all of it.
inline constexpr index fewest_joined = 64;
// Rows of as few elements as that are put together in registers, and so are short rows of bytes.
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
/// Whether extents are known from an axis on.
constexpr bool is_known_from(const shape& s, int axis) {
  for (int a = axis; a < s.rank; ++a)
    if (!is_static_extent(s[a])) return false;
  return true;
}
constexpr bool is_join(const op& kind) { return is_op(kind, ops::concat) || is_op(kind, ops::pack); }
/// The axis of a join, counted from the start.
constexpr int joining_axis(const graph_view& g, int join) {
  const index axis = g.node(join).attribute("axis").values[0];
  return static_cast<int>(axis < 0 ? axis + g.data(join).spec.shape.rank : axis);
}
/// How much an elementwise op computes, in additions, about.
constexpr int work_of_elementwise(const op& kind) {
  const bool divides = is_op(kind, ops::divide) || is_op(kind, ops::reciprocal) || is_op(kind, ops::floor_divide) ||
                       is_op(kind, ops::floor_mod) || is_op(kind, ops::truncate_divide) || is_op(kind, ops::truncate_mod);
  return divides || kind.is(fact::lanes_only) ? 8 : 1;
}
/// Whether a loop with so much work for so many results should compute parts of a join in their place, row by row: what registers compute
/// for nothing at the end of each row has to be less than the copy that is saved.
constexpr bool pays_in_rows(const graph_view& g, int join, const tensor_spec& part, int work, int results) {
  constexpr index register_bytes = 64;
  const int axis = joining_axis(g, join);
  const auto bytes = static_cast<index>(size_of(part.dtype));
  const bool is_known = is_known_from(part.shape, axis);
  // Of rows that only the call knows the least use counts.
  const index row = is_known ? row_elements(g.data(join).spec.shape, axis) : longest_shuffled_row + 1;
  const index run = is_known ? row_elements(part.shape, axis) : 1;
  if (const index n = part.shape.size(); n >= 0 && n < fewest_joined) return false;
  if (axis == 0 || row <= longest_shuffled_row || run < (bytes < 4 ? shortest_row_of_bytes : 1)) return false;
  const index lanes = register_bytes / bytes, registers = (run + lanes - 1) / lanes;
  return (registers * lanes - run) * (work + 2 * results) <= lanes * results * (2 * registers + 3);
}
/// The work of all that a loop computes for a part.
constexpr int work_of_part(const graph_view& g, int part) {
  list<char> wanted(g.size());
  wanted[part] = 1;
  int work = 0;
  for (int v = part; v >= 0; --v) {
    if (!wanted[v] || !g.data(v).kind->is(fact::elementwise)) continue;
    work += work_of_elementwise(*g.data(v).kind);
    for (const auto& e : g.inputs_of(v)) wanted[e.node] = 1;
  }
  return work;
}

/// Whether the elements along the last axis of a view of dense memory lie side by side there. Extents are known from the second one on.
constexpr bool shows_rows(const graph_view& g, int view) {
  shape from = g.spec(g.inputs_of(view)[0]).shape, to = g.data(view).spec.shape;
  if (!is_known_from(from, 1) || !is_known_from(to, 1) || to.rank == 0) return false;
  // No stride depends on the first extent.
  constexpr index many = 1024;
  for (shape* s : {&from, &to})
    if (s->rank > 0 && !is_static_extent((*s)[0])) (*s)[0] = many;
  index first = 0;
  shape strides = to;
  const node_facts facts(g, view);
  g.data(view).kind->restride({facts.context().attributes, from, row_major_strides(from), to}, first, strides);
  return strides[to.rank - 1] == 1;
}
/// Whether the elements of a value along its last axis lie side by side: of what is stored or a dense argument, and of views of that.
/// Paddings may be read in the memory of what is padded.
constexpr bool lies_in_rows(const graph_view& g, int v, stretch<char> dense_arguments) {
  if (is_padding(*g.data(v).kind)) return false;
  const auto is_dense = [&](int w) {
    for (std::size_t k = 0; k < g.inputs().size(); ++k)
      if (g.inputs()[k] == w) return dense_arguments[k] != 0;
    return !g.data(w).kind->is(fact::view);
  };
  if (is_dense(v)) return true;
  const bool shows = g.data(v).kind->is(fact::view) && !g.data(v).kind->is(fact::keeps_order | fact::dynamic_slice);
  return shows && is_dense(g.inputs_of(v)[0].node) && shows_rows(g, v);
}
/// Whether a loop that computes other parts of a join should copy one.
constexpr bool copies_in_loop(const graph_view& g, int join, const edge& part, stretch<char> dense_arguments) {
  const tensor_spec& spec = g.spec(part);
  return part.port == 0 && is_number(spec.dtype) && !is_storage(spec.dtype) && !g.data(part.node).kind->is(fact::elementwise) &&
         pays_in_rows(g, join, spec, 1, 1) && lies_in_rows(g, part.node, dense_arguments);
}
/// Whether loops compute parts of a join in their place: all that they compute, which nobody else needs.
constexpr bool has_computed_rows(const graph_view& g, int join, const list<int>& uses) {
  if (!is_join(*g.data(join).kind)) return false;
  bool any = false;
  for (const auto& e : g.inputs_of(join)) {
    if (!g.data(e.node).kind->is(fact::elementwise)) continue;
    if (uses[e.node] != 1 || !pays_in_rows(g, join, g.spec(e), work_of_part(g, e.node), 1)) return false;
    any = true;
  }
  return any;
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
      const edge product[] = {same, add_constant(out, spec.dtype, bits_of_number(spec.dtype, 1))};
      return out.add(ops::multiply, spec, product);
    }));
  }
  if (!any) return {};
  for (int v : g.inputs()) out.input_nodes.push_back(renamed[at(v)]);
  for (const auto& e : g.outputs()) out.output_edges.push_back({renamed[at(e.node)], e.port});
  return out;
}

}  // namespace jig::detail
