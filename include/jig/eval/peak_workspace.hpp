// SPDX-License-Identifier: MIT
#pragma once
// How much memory a run needs besides arguments and results: slots, what loops need for the values they carry, and what kernels need.

#include <jig/eval/kernel_scratch.hpp>
#include <jig/eval/planner.hpp>
#include <jig/passes/lower.hpp>
#include <jig/passes/optimize.hpp>

namespace jig {

namespace detail {

// Whether what finds the elements of a value reads the memory of node `from`: they lie there, or their position does.
constexpr bool reads_memory(const plan_view& p, int v, int from) {
  for (; p.values[at(v)].is_view(); v = p.values[at(v)].number)
    if (p.values[at(v)].place == place::part && reads_memory(p, p.graph.inputs_of(v)[1].node, from)) return true;
  return v == from;
}

// Whether a step that writes a result over an argument reads that only so that this does no harm: a loop reads each element
// just before it writes the same place; an update leaves what it does not change; a loop of the graph begins with it there.
constexpr bool reads_before_writing(const plan_view& p, const planned_step& step, int leaf, int result) {
  const auto &from = p.values[at(leaf)], &to = p.values[at(result)];
  if (!from.dense || from.offset != 0 || from.shape != to.shape || from.place == place::part) return false;
  const bool repeats = step.kind == step_kind::control;
  if (!repeats && !p.graph.data(result).kind->is(fact::updates)) return step.kind == step_kind::loop;
  const bool further = is_op(*p.graph.data(result).kind, ops::further_output);
  const int writer = repeats && further ? p.graph.inputs_of(result)[0].node : result;
  if (repeats && p.graph.node(writer).attribute("cond").key.empty()) return false;
  const int begin = p.graph.inputs_of(writer)[at(result - writer)].node;
  int readers = 0;
  auto count = [&](int v) { readers += base_of(p.values, v) == base_of(p.values, leaf); };
  for (const auto& e : p.graph.inputs_of(writer)) count(e.node);
  if (step.kind == step_kind::loop)
    for (int i = 0; i < step.leaves.count - step.beside; ++i) count(p.leaves[at(step.leaves.first + i)]);
  return readers == 1 && base_of(p.values, begin) == base_of(p.values, leaf);
}

// The first value that is stored where a result lies: another one that an update or a loop makes the result of, or the result itself.
constexpr int first_stored_in(const plan_view& p, int to) {
  int first = p.graph.outputs()[at(to)].node;
  for (int v = 0; v < p.graph.size(); ++v) {
    const planned_value& value = p.values[at(v)];
    if (value.place == place::result && value.number == to && value.step < p.values[at(first)].step) first = v;
  }
  return first;
}

// Whether result `to` may be written over argument `from`, which is the value before: nobody reads that later.
constexpr bool writes_in_place(const plan_view& p, int from, int to) {
  const int argument = p.graph.inputs()[at(from)], first_value = first_stored_in(p, to);
  if (p.graph.data(first_value).spec.dtype != p.graph.data(argument).spec.dtype) return false;
  for (int v = 0; v < p.graph.size(); ++v) {
    // What is joined there is written earlier.
    if (p.values[at(v)].place != place::joined) continue;
    const planned_value& whole = p.values[at(p.values[at(v)].number)];
    if (whole.place == place::result && whole.number == to) return false;
  }
  const auto s = at(p.values[at(first_value)].step);
  // Of steps that run together with the writer, those before it read a row just before it is written; kernels read on meanwhile.
  const auto first = at(p.regions[at(p.steps[s].region)].first);
  for (std::size_t later = first; later < p.steps.size(); ++later) {
    const planned_step& step = p.steps[later];
    for (int i = 0; i < step.leaves.count; ++i) {
      const int leaf = p.leaves[at(step.leaves.first + i)];
      if (!reads_memory(p, leaf, argument)) continue;
      const auto& read = p.values[at(leaf)];
      const bool whole = read.shape == p.values[at(step.space)].shape && read.shape == p.values[at(first_value)].shape;
      const bool in_row = step.kind != step_kind::kernel && read.dense && whole;
      if (later < s ? !in_row : later > s || !reads_before_writing(p, step, leaf, first_value)) return false;
    }
  }
  return true;
}

// Units: bytes up to which a value that a loop carries is a local of the loop, which compilers may keep in registers.
inline constexpr index most_local_bytes = 64;

// Units: bytes of a value, -1 where only a call knows.
constexpr index bytes_of(dtype d, const shape& s) {
  return d == dtype::string || s.size() < 0 ? -1 : s.size() * static_cast<index>(size_of(d));
}
constexpr bool is_local_to_loop(dtype d, const shape& s) {
  const index bytes = bytes_of(d, s);
  return bytes >= 0 && bytes <= most_local_bytes;
}

// What a body is planned with: which of its arguments are dense and what extents they have.
struct body_arguments {
  list<char> dense;
  list<shape> shapes;
};
template <class Graph = graph_view>
constexpr body_arguments arguments_of(const std::type_identity_t<Graph>& g, const plan& p, int v, const std::type_identity_t<Graph>& body) {
  body_arguments out;
  const bool loop = !g.node(v).attribute("cond").key.empty();
  for (const auto& e : g.inputs_of(v).last(body.inputs().size())) {
    const auto& value = p.values[at(e.node)];
    const bool carried = loop && static_cast<int>(out.dense.size()) < results_of_bodies(g, v);
    out.dense.push_back(carried || value.dense);
    out.shapes.push_back(p.shapes[value.shape]);
  }
  return out;
}

template <class Graph = graph_view>
constexpr index workspace_of(const std::type_identity_t<Graph>& g, stretch<char> dense, stretch<shape> input_shapes,
                             bool concurrent = false);

// Of a loop: memory for those of its values that are neither locals nor written in place.
template <class Graph = graph_view>
constexpr index spare_memory_of(const std::type_identity_t<Graph>& g, const plan& p, int v) {
  const Graph body = g.body(g.node(v), "body");
  const body_arguments arguments = arguments_of<Graph>(g, p, v, body);
  const auto ready = lowered<Graph>(body, arguments.dense);
  const auto inside = make_plan<Graph>(ready, arguments.dense, arguments.shapes);
  index total = 0;
  for (int k = 0; k < results_of_bodies(g, v); ++k) {
    const auto& s = p.shapes[p.values[v + k].shape];
    const dtype d = g.data(v + k).spec.dtype;
    if (is_local_to_loop(d, s) || writes_in_place(view_of(ready, inside), k, k)) continue;
    if (bytes_of(d, s) < 0) return -1;
    total += aligned_bytes(bytes_of(d, s));
  }
  return total;
}

// Of a node with bodies, of which one runs at a time.
template <class Graph = graph_view>
constexpr index workspace_of_control(const std::type_identity_t<Graph>& g, const plan& p, int v) {
  index most = 0;
  g.for_each_body(g.data(v), [&](const Graph& body) {
    const body_arguments arguments = arguments_of<Graph>(g, p, v, body);
    const index inside = workspace_of<Graph>(body, arguments.dense, arguments.shapes);
    if (most >= 0 && (inside < 0 || inside > most)) most = inside;
  });
  const index spare = g.node(v).attribute("cond").key.empty() ? 0 : spare_memory_of<Graph>(g, p, v);
  return most < 0 || spare < 0 ? -1 : most + spare;
}

template <class Graph>
constexpr index workspace_of(const std::type_identity_t<Graph>& g, stretch<char> dense, stretch<shape> input_shapes, bool concurrent) {
  const auto ready = lowered<Graph>(g, dense);
  const auto p = make_plan<Graph>(ready, dense, input_shapes, planned_for::compiler, concurrent);
  index total = 0, most = 0, own = 0;
  for (const auto& slot : p.buffers) {
    if (slot.bytes < 0) return -1;
    total += aligned_bytes(slot.bytes);
  }
  for (const auto& region : p.regions)
    if (region.bytes > most) most = region.bytes;
  const Graph lowered_graph = ready;
  for (int v = 0; v < ready.size(); ++v) {
    if (!ready.nodes[v].kind->is(fact::control)) {
      const auto inputs = lowered_graph.inputs_of(v);
      if (inputs.size() < 1) continue;
      const auto shape_of = [&](int node) { return p.shapes[p.values[node].shape]; };
      const index scratch =
          scratch_of_kernel(lowered_graph, v, shape_of(v), shape_of(inputs[0].node), shape_of(inputs[inputs.size() > 1 ? 1 : 0].node));
      if (scratch < 0) return -1;
      if (scratch > own) own = scratch;
      continue;
    }
    const index inside = workspace_of_control<Graph>(ready, p, v);
    if (inside < 0) return -1;
    if (inside > most) most = inside;
  }
  return total + (most > own ? most : own);
}

// Of a graph that runs as it is.
template <class Graph = graph_view>
constexpr index workspace_of(const std::type_identity_t<Graph>& g, bool concurrent = false) {
  return workspace_of<Graph>(g, all_dense(g), {}, concurrent);
}

}  // namespace detail

/// Units: bytes of memory that a run of what the passes make of a graph needs besides arguments and results, when all arguments
/// are dense; -1 when an extent is not static.
template <class Graph = graph_view>
constexpr index peak_workspace(const std::type_identity_t<Graph>& g) {
  return detail::workspace_of<Graph>(optimize<Graph>(g));
}

}  // namespace jig
