// SPDX-License-Identifier: MIT
#pragma once
// The plan: which nodes are computed together in one loop over memory, in which order, and where every value that is
// stored lives. It is computed once for each graph, at compile time for traced ones.
// Which axis the lanes of a loop run along and in which blocks depends on what a plan does not know, the registers of the machine and the
// strides that the types of arguments tell. It is data of each step of a program, choice_of_loop and choice_of_reduction, which compilers
// evaluate for steps that are not one run of memory only; the planner, which serves the interpreter and peak_workspace() too, would for
// all.

#include <jig/graph/graph.hpp>
#include <jig/passes/extents.hpp>
#include <jig/passes/prepare.hpp>

namespace jig {

/// Where the value of a node is found.
enum class place : unsigned char {
  registers,   // nowhere: computed inside the loops that need it
  argument,    // memory of an argument
  constant,    // memory that is part of the program
  immediate,   // a constant with one element
  result,      // memory of a result
  workspace,   // a slot of the workspace
  chunk,       // memory of the region that writes and reads it, chunk by chunk: it never exists as a whole
  alias,       // memory of another node, seen with other extents and strides
  part,        // a part of the memory of another node, at a position that a value of the call tells
  padded_read  // memory of another node with zeros around it, or a truth value with falsehood around it, which loops read in place
};

struct planned_value {
  jig::place place = jig::place::registers;
  int number = -1;    // of the argument, result, slot, region or node
  bool dense = true;  // row-major and contiguous
  int step = -1;      // that stores it
  int shape = 0;      // number of its shape in the plan
  index offset = 0;   // of a dense alias: its first element in the memory of the other node; of a padded_read: minus what is before it
  /// Whether it lies in the memory of another node.
  constexpr bool is_view() const { return place >= jig::place::alias; }
};

enum class step_kind : unsigned char { loop, reduction, kernel, control };

/// One pass over memory, or one run of the bodies of a control node. `space` is the node whose shape is iterated over.
struct planned_step {
  step_kind kind = step_kind::loop;
  int space = -1;
  range_of_pool body;    // elementwise nodes, operands first
  range_of_pool leaves;  // stored values and immediates that the body reads, then what only its roots need
  range_of_pool roots;   // nodes that the step stores
  int region = 0;        // that runs it
  int beside = 0;        // of the leaves, those that the body does not read: arrays that get an element, and positions
  bool done = false;     // there is nothing to run: it copies a value that lies where its result does
};

/// How the steps of a region run: a single one over its whole space; several row by row; several with some items of a batch at a
/// time; a kernel with a loop behind it on every tile of its result; products that each multiply the result of the one before.
enum class region_kind : unsigned char { single, rows, batch, epilogue, chain };

/// Steps that run together: chunk by chunk, each chunk through all of them. Regions follow each other, and each step is in one.
struct planned_region {
  region_kind kind = region_kind::single;
  int first = 0, count = 1;  // steps
  int axes = 0;              // how many leading axes of the space of its first step are walked in chunks
  index chunk = 0;           // so many rows or items are a chunk; 0 where a kernel decides
  index least = 1;         // with fewer rows than this, rows run one by one; what is left over of chunks with fewer is part of the last one
  index bytes = 0;         // of memory for one chunk of its locals
  range_of_pool locals{};  // values that only this region needs
  range_of_pool guards{};  // what has to be true in a call, else its steps run one after another
};

/// The most rows or items that may be in one chunk of a region.
constexpr index most_in_chunk(const planned_region& r) { return r.chunk + r.least - 1; }

/// Where in the memory of a chunk a value is. It has no other memory, unless the region has guards.
struct planned_local {
  int node = -1;
  index offset = 0;  // in bytes
};

/// Two extents that have to be equal, which only a call tells.
struct planned_guard {
  index a = 0, b = 0;
};

/// A slot of the workspace holds values of equal size, one after another. `like` is one of them.
struct planned_slot {
  int like = -1;
  index bytes = 0;  // -1: known at the call
};

/// Who runs a plan. What the interpreter runs is fused less: its reductions read memory, and of regions of several steps it knows those of
/// rows, of which it takes many at a time along the first axis. Its kernels take no items of a batch and give no tiles.
enum class planned_for : unsigned char { compiler, interpreter };

struct plan {
  graph_extents extents;
  list<jig::shape> shapes;  // each once
  list<planned_value> values;
  list<planned_step> steps;
  list<planned_region> regions;
  list<planned_local> locals;
  list<planned_guard> guards;
  list<planned_slot> buffers;
  list<int> body, leaves, roots;
};

/// A plan as the lists that both kinds of plans have.
struct plan_view {
  graph_view graph;
  stretch<shape> shapes;
  stretch<planned_value> values;
  stretch<planned_step> steps;
  stretch<planned_region> regions;
  stretch<planned_local> locals;
  stretch<planned_guard> guards;
  stretch<planned_slot> buffers;
  stretch<int> body, leaves, roots;
  stretch<extent_source> sources;
  stretch<extent_expression> expressions;
};
constexpr plan_view view_of(const graph_view& g, const plan& p) {
  return {g,
          p.shapes,
          p.values,
          p.steps,
          p.regions,
          p.locals,
          p.guards,
          p.buffers,
          p.body,
          p.leaves,
          p.roots,
          p.extents.sources,
          p.extents.expressions};
}

namespace detail {

// Whether what a step of a region of a batch reads goes along with them; else it is the same for all. A loop over (n, m) goes
// through the rows of a value of these extents, a product takes that as one matrix.
constexpr bool goes_along(const planned_step& step, const shape& read) {
  return step.kind == step_kind::loop ? read.size() != 1 : read.rank > 2;
}

constexpr index aligned_bytes(index bytes) {
  return (bytes + static_cast<index>(alignment) - 1) / static_cast<index>(alignment) * static_cast<index>(alignment);
}

// The node in whose memory a value lies.
constexpr int base_of(stretch<planned_value> values, int v) {
  while (values[at(v)].is_view()) v = values[at(v)].number;
  return v;
}

constexpr bool is_ready_in(const graph_view& g, stretch<planned_value> values, int v, int step) {
  for (; values[at(v)].is_view(); v = values[at(v)].number)
    if (values[at(v)].place == place::part && !is_ready_in(g, values, g.inputs_of(v)[1].node, step)) return false;
  const auto& found = values[at(v)];
  return found.step >= 0 ? found.step < step : stores_nothing(*g.data(v).kind);
}

}  // namespace detail

/// Whether every step finds what it reads stored by an earlier one.
template <class Graph = graph_view>
constexpr bool runs_in_order(const std::type_identity_t<Graph>& g, stretch<planned_step> steps, stretch<planned_value> values,
                             stretch<int> leaves) {
  for (std::size_t s = 0; s < steps.size(); ++s)
    for (int i = 0; i < steps[s].leaves.count; ++i)
      if (!detail::is_ready_in(g, values, leaves[detail::at(steps[s].leaves.first + i)], static_cast<int>(s))) return false;
  return true;
}

/// Whether every view that keeps the order of elements shows dense memory.
template <class Graph = graph_view>
constexpr bool reshapes_dense_memory(const std::type_identity_t<Graph>& g, stretch<planned_value> values) {
  for (int v = 0; v < g.size(); ++v) {
    const planned_value& value = values[detail::at(v)];
    if (value.place == place::alias && g.data(v).kind->is(fact::keeps_order) && !values[detail::at(value.number)].dense) return false;
  }
  return true;
}

/// How many entries each list of a plan has.
struct plan_sizes {
  int shapes, values, steps, regions, locals, guards, buffers, body, leaves, roots, sources, expressions;
};

constexpr plan_sizes sizes_of(const plan& p) {
  return {static_cast<int>(p.shapes.size()),          static_cast<int>(p.values.size()),
          static_cast<int>(p.steps.size()),           static_cast<int>(p.regions.size()),
          static_cast<int>(p.locals.size()),          static_cast<int>(p.guards.size()),
          static_cast<int>(p.buffers.size()),         static_cast<int>(p.body.size()),
          static_cast<int>(p.leaves.size()),          static_cast<int>(p.roots.size()),
          static_cast<int>(p.extents.sources.size()), static_cast<int>(p.extents.expressions.size())};
}

/// Whether lists of these sizes have room for those of a plan.
constexpr bool holds(const plan_sizes& room, const plan_sizes& need) {
  return room.shapes >= need.shapes && room.values >= need.values && room.steps >= need.steps && room.regions >= need.regions &&
         room.locals >= need.locals && room.guards >= need.guards && room.buffers >= need.buffers && room.body >= need.body &&
         room.leaves >= need.leaves && room.roots >= need.roots && room.sources >= need.sources && room.expressions >= need.expressions;
}

/// Room for the plans of most graphs of this size.
constexpr plan_sizes usual_sizes(const graph_view& g) {
  const int n = g.size();
  return {16, n, 16 + n / 2, 16 + n / 2, 8 + n / 4, 8, 16 + n / 4, n, 16 + 3 * n / 2, 16 + n, 32, 32};
}

/// A plan as a constant, with room for lists of sizes S. When they do not suffice it says no more than which sizes would.
template <plan_sizes S>
struct static_plan {
  plan_sizes size;
  bool fits;
  detail::pool<shape, S.shapes> shapes;
  detail::pool<planned_value, S.values> values;
  detail::pool<planned_step, S.steps> steps;
  detail::pool<planned_region, S.regions> regions;
  detail::pool<planned_local, S.locals> locals;
  detail::pool<planned_guard, S.guards> guards;
  detail::pool<planned_slot, S.buffers> buffers;
  detail::pool<int, S.body> body;
  detail::pool<int, S.leaves> leaves;
  detail::pool<int, S.roots> roots;
  detail::pool<extent_source, S.sources> sources;
  detail::pool<extent_expression, S.expressions> expressions;
  int symbols = 0;
  bool any_late = false;

  constexpr static_plan(const plan& p)
      : size(sizes_of(p)), fits(holds(S, size)), symbols(p.extents.symbols), any_late(p.extents.any_late()) {
    if (!fits) return;
    shapes.copy(p.shapes);
    values.copy(p.values);
    steps.copy(p.steps);
    regions.copy(p.regions);
    locals.copy(p.locals);
    guards.copy(p.guards);
    buffers.copy(p.buffers);
    body.copy(p.body);
    leaves.copy(p.leaves);
    roots.copy(p.roots);
    sources.copy(p.extents.sources);
    expressions.copy(p.extents.expressions);
  }
  constexpr plan_view view(const graph_view& g) const {
    return {g,
            shapes.view(size.shapes),
            values.view(size.values),
            steps.view(size.steps),
            regions.view(size.regions),
            locals.view(size.locals),
            guards.view(size.guards),
            buffers.view(size.buffers),
            body.view(size.body),
            leaves.view(size.leaves),
            roots.view(size.roots),
            sources.view(size.sources),
            expressions.view(size.expressions)};
  }
};

}  // namespace jig
