// SPDX-License-Identifier: MIT
#pragma once
// The plan: which nodes are computed together in one loop over memory, in which order, and where every value that is
// stored lives. It is computed once for each graph, at compile time for traced ones.

#include <jig/core/list.hpp>
#include <jig/eval/windows.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/select.hpp>
#include <jig/passes/extents.hpp>
#include <jig/passes/optimize.hpp>

#include <bit>

namespace jig {

/// Where the value of a node is found.
enum class place : unsigned char {
  registers,  // nowhere: computed inside the loops that need it
  argument,   // memory of an argument
  constant,   // memory that is part of the program
  immediate,  // a constant with one element
  result,     // memory of a result
  workspace,  // a slot of the workspace
  alias,      // memory of another node, seen with other extents and strides
  part,       // a part of the memory of another node, at a position that a value of the call tells
  window      // memory of another node with zeros around it, or a truth value with falsehood around it, which loops read in place
};

struct planned_value {
  jig::place place = jig::place::registers;
  int number = -1;     // of the argument, result, slot or node
  bool dense = true;   // row-major and contiguous
  int step = -1;       // that stores it
  int shape = 0;       // number of its shape in the plan
  index offset = 0;    // of a dense alias: its first element in the memory of the other node; of a window: minus what is before it
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
  int outer = 0;         // axes of a loop around it and steps next to it; 0: it runs alone
  int together = 1;      // how many steps that loop has, if this is the first one, else 0
  int beside = 0;        // of the leaves, those that the body does not read: arrays that get an element, and positions
};

/// The steps that run together with step s: one loop over rows goes through them again and again.
constexpr range_of_pool steps_together(stretch<planned_step> steps, int s) {
  while (steps[static_cast<std::size_t>(s)].together == 0) --s;
  return {s, steps[static_cast<std::size_t>(s)].together};
}

/// A slot of the workspace holds values of equal size, one after another. `like` is one of them.
struct planned_slot {
  int like = -1;
  index bytes = 0;  // -1: known at the call
};

/// Who runs a plan. What the interpreter runs is fused less: its reductions read memory, and its steps run one after another.
enum class planned_for : unsigned char { compiler, interpreter };

struct plan {
  graph_extents extents;
  list<jig::shape> shapes;  // each once
  list<planned_value> values;
  list<planned_step> steps;
  list<planned_slot> buffers;
  list<int> body, leaves, roots;
};

namespace detail {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The node in whose memory a value lies.
constexpr int base_of(stretch<planned_value> values, int v) {
  while (values[at(v)].is_view()) v = values[at(v)].number;
  return v;
}

constexpr bool stores_nothing(const op& kind) {
  return kind.is(fact::input) || kind.is(fact::constant) || kind.is(fact::view);
}

// Whether every node is needed, every value is a node and the planner finds memory for every result as the graph stands.
template <class Graph = graph_view>
constexpr bool is_ready(const std::type_identity_t<Graph>& g, stretch<char> dense_arguments) {
  for (char dense : dense_arguments)
    if (!dense) return false;
  list<char> state = needed_nodes(g);
  for (int v = 0; v < g.size(); ++v)
    if (!state[at(v)] && !g.data(v).kind->is(fact::input)) return false;
  for (const auto& n : g.nodes_)
    if (n.kind->is(fact::view | fact::control) || n.more_specs.count > 0 || is_storage(n.spec.dtype)) return false;
  for (const auto& e : g.outputs()) {
    if (stores_nothing(*g.data(e.node).kind) || state[at(e.node)] == 2) return false;
    state[at(e.node)] = 2;
  }
  return true;
}

// The graph with only what is needed, with a node for every further output behind the node that has it, and with copies
// where the planner needs memory that no node would write: results that are arguments, constants, views or another result,
// and reshaped memory that is not contiguous.
template <class Graph>
class preparation {
 public:
  constexpr preparation(const Graph& g, stretch<char> dense_arguments) : g_(g), dense_arguments_(dense_arguments) {}

  constexpr graph run() {
    list<char> needed = needed_nodes(g_);
    std::size_t arguments = 0;
    for (int v = 0; v < g_.size(); ++v) {
      renamed_.push_back(-1);
      const op& kind = *g_.data(v).kind;
      if (!needed[at(v)] && !kind.is(fact::input)) continue;
      bool dense = true;
      if (kind.is(fact::input)) dense = dense_arguments_[arguments++] != 0;
      if (kind.is(fact::view)) {
        edge in = g_.inputs_of(v)[0];
        int from = place_of(in).node;
        dense = kind.is(fact::keeps_order);
        if (dense && !dense_[at(from)]) renamed_[at(in.node)] = copy_of(from);
      }
      if (computes_with_storage(v)) {
        add_in_float(v);
        continue;
      }
      renamed_[at(v)] = copy_node(out_, g_, v, [&](const edge& e) { return place_of(e); });
      note(dense, !stores_nothing(kind));
      for (int port = 1; port <= g_.data(v).more_specs.count; ++port) add_output(renamed_[at(v)], port);
    }
    for (int v : g_.inputs()) {
      int to = renamed_[at(v)];
      // Behind a copy that took the argument's place.
      if (!out_.nodes[at(to)].kind->is(fact::input)) to = out_.view().inputs_of(to)[0].node;
      out_.input_nodes.push_back(to);
    }
    for (const auto& e : g_.outputs()) {
      int v = place_of(e).node;
      if (!stored_[at(v)]) v = copy_of(v);
      stored_[at(v)] = 0;  // a second result needs memory of its own
      out_.output_edges.push_back({v, 0});
    }
    return std::move(out_);
  }

 private:
  constexpr void note(bool dense, bool stored) {
    dense_.push_back(dense);
    stored_.push_back(stored);
  }
  constexpr bool computes_with_storage(int v) const {
    const op& kind = *g_.data(v).kind;
    if (!kind.is(fact::elementwise | fact::reduction | fact::computes) || kind.name == ops::cast.name) return false;
    bool any = is_storage(g_.data(v).spec.dtype);
    for (const auto& e : g_.inputs_of(v)) any = any || is_storage(g_.spec(e).dtype);
    return any;
  }
  // Storage dtypes are computed in float32, and every result is rounded, so that it does not matter what is fused.
  constexpr void add_in_float(int v) {
    list<edge> inputs;
    for (const auto& e : g_.inputs_of(v)) {
      edge in = place_of(e);
      const tensor_spec s = g_.spec(e);
      inputs.push_back(is_storage(s.dtype) ? add_cast(in, {dtype::float32, s.shape}) : in);
    }
    const tensor_spec result = g_.data(v).spec;
    list<attribute_view> with;
    for (int i = 0; i < g_.node(v).attribute_count(); ++i) with.push_back(g_.node(v).attribute(i));
    edge made = out_.add(*g_.data(v).kind, {is_storage(result.dtype) ? dtype::float32 : result.dtype, result.shape}, inputs, with);
    note(true, true);
    if (is_storage(result.dtype)) made = add_cast(made, result);
    renamed_[at(v)] = made.node;
  }
  constexpr edge add_cast(const edge& in, const tensor_spec& to) {
    index number[] = {static_cast<index>(to.dtype)};
    attribute_view with[] = {{"DstT", attribute_kind::type, number, {}, {}}};
    note(true, true);
    return out_.add(ops::cast, to, {&in, 1}, with);
  }
  // Further outputs follow their node.
  constexpr edge place_of(const edge& e) const { return {renamed_[at(e.node)] + e.port, 0}; }
  constexpr void add_output(int v, int port) {
    edge in{v, 0};
    index number[] = {port};
    attribute_view with[] = {{"port", attribute_kind::integer, number, {}, {}}};
    out_.add(ops::further_output, out_.view().spec({v, port}), {&in, 1}, with);
    note(true, true);
  }
  constexpr int copy_of(int v) {
    edge in{v, 0};
    note(true, true);
    return out_.add(ops::identity, out_.nodes[at(v)].spec, {&in, 1}).node;
  }
  const Graph& g_;
  stretch<char> dense_arguments_;
  graph out_;
  list<int> renamed_;
  list<char> dense_, stored_;  // of the nodes of out_
};

template <class Graph = graph_view>
constexpr graph prepared(const std::type_identity_t<Graph>& g, stretch<char> dense_arguments) {
  return preparation<Graph>(g, dense_arguments).run();
}
// For what is compiled.
template <class Graph = graph_view>
constexpr graph prepared_with_windows(const std::type_identity_t<Graph>& g, stretch<char> dense_arguments) {
  if (!may_have_windows(g)) return prepared<Graph>(g, dense_arguments);
  return prepared<graph_view>(windowed_graph<Graph>(g, dense_arguments).run(), dense_arguments);
}

// How many nodes hold the outputs of node v of a prepared graph: itself and those that follow.
constexpr int outputs_in_prepared(const graph_view& g, int v) { return 1 + g.data(v).more_specs.count; }

// How many values the bodies of a control node return.
constexpr int results_of_bodies(const graph_view& g, int v) {
  return g.node(v).attribute("effects_only").key.empty() ? outputs_in_prepared(g, v) : 0;
}

// Along which axis of an array its elements lie, of a node that puts one there.
constexpr int element_axis(const graph_view& g, int v) {
  const auto given = g.node(v).attribute("element_axis").values;
  return given.empty() ? 0 : static_cast<int>(given[0]);
}

template <class Graph>
class planner {
 public:
  constexpr planner(const Graph& g, stretch<char> dense_arguments, stretch<shape> input_shapes, planned_for evaluator)
      : evaluator_(evaluator), g_(g), size_(g.size()), nodes_(g.nodes_.data()), edges_(g.edges_.data()),
        dense_(dense_arguments),
        input_shapes_(input_shapes),
        facts_(size_),
        level_(size_),
        latest_(size_),
        wanted_by_(size_),
        mark_(size_),
        must_store_(size_),
        is_output_(size_),
        loop_result_(size_),
        single_(size_) {}

  constexpr plan run() {
    out_.extents = find_extents(g_, input_shapes_);
    any_late_ = out_.extents.any_late();
    if (any_late_) date_expressions(false);
    out_.values.reserve(size_);
    for (std::size_t k = 0; k < g_.outputs().size(); ++k) is_output_[g_.outputs()[k].node] = 1;
    for (int v = 0; v < size_; ++v) facts_[v] = static_cast<unsigned>(kind(v).facts);
    find_parts();
    find_puts();
    for (int v = 0; v < size_; ++v) start_value(v);
    if (evaluator_ == planned_for::compiler && may_have_windows(g_)) find_windows();
    find_levels();
    sink();
    choose_stored();
    order_steps();
    fill_steps();
    // The order of steps tells when an extent is known.
    if (!any_late_ && evaluator_ == planned_for::compiler) join_rows();
    place_results();
    assign_slots();
    if (any_late_) date_expressions(true);
    return std::move(out_);
  }

 private:
  static constexpr int nobody = -1, several = -2;

  struct group {
    step_kind kind;
    int level;
    int space;
    int node;  // of a kernel or control node; one of the roots otherwise
  };

  // Short forms: constant evaluation is slow, and these are what it does most.
  constexpr const op& kind(int v) const { return *nodes_[v].kind; }
  constexpr bool is(int v, fact f) const { return (facts_[v] & static_cast<unsigned>(f)) != 0; }
  constexpr bool elementwise(int v) const { return is(v, fact::elementwise); }
  constexpr bool reduction(int v) const { return is(v, fact::reduction); }
  constexpr bool leaf(int v) const { return is(v, fact::input | fact::constant); }
  constexpr bool view(int v) const { return is(v, fact::view); }
  constexpr bool part(int v) const { return is(v, fact::picks) && view(v); }
  constexpr bool picks_first_axis(int v) const {
    const index axis = g_.node(v).attribute("axis").values[0];
    return axis == 0 || axis == -extents(operands(v)[0].node).rank;
  }
  constexpr bool puts(int v) const { return is(v, fact::puts); }
  constexpr int element_of(int v) const { return operands(v)[2].node; }
  constexpr bool control(int v) const { return is(v, fact::control); }
  constexpr bool further_output(int v) const { return is(v, fact::output); }
  constexpr const shape& extents(int v) const { return out_.extents.shapes[at(v)]; }
  constexpr bool single(int v) const { return single_[v] != 0; }
  constexpr bool same_shape(int v, int w) const { return out_.values[at(v)].shape == out_.values[at(w)].shape; }
  constexpr stretch<edge> operands(int v) const {
    const auto& r = nodes_[v].inputs;
    return {edges_ + r.first, static_cast<std::size_t>(r.count)};
  }
  // The node whose memory a chain of views shows.
  constexpr int base(int v) const {
    while (view(v)) v = operands(v)[0].node;
    return v;
  }
  // Whether the memory of v holds its elements before any step.
  constexpr bool given(int v) const {
    if (part(v) && !given(operands(v)[1].node)) return false;
    return view(v) ? given(operands(v)[0].node) : leaf(v);
  }
  // Whether a loop over the shape of `space` computes v where it needs it: v has that shape, as far as is known before
  // the call, or a single element.
  constexpr bool computable_in(int v, int space) const {
    if (!elementwise(v)) return false;
    if (same_shape(v, space) || (single(v) && !single(space))) return true;
    const shape &a = extents(v), &b = extents(space);
    bool same = a.rank == b.rank;
    for (int axis = 0; same && axis < a.rank; ++axis)
      same = a[axis] == b[axis] || (a[axis] != 1 && out_.extents.broadcasts_to(a[axis], b[axis]));
    return same;
  }

  // Whether v is a reduction whose step computes its operand.
  constexpr bool fuses(int v) const { return reduction(v) && evaluator_ == planned_for::compiler; }
  // Whether the step of v computes its operand w itself.
  constexpr bool stays_in_registers(int w, int v) const {
    return elementwise(v) ? computable_in(w, v) : puts(v) ? w == element_of(v) : fuses(v) && elementwise(w);
  }

  constexpr int shape_number(const shape& s) {
    for (std::size_t i = out_.shapes.size(); i-- > 0;)
      if (out_.shapes[i] == s) return static_cast<int>(i);
    out_.shapes.push_back(s);
    single_shape_.push_back(s.size() == 1);
    return static_cast<int>(out_.shapes.size()) - 1;
  }

  // What is picked from memory is read there, not copied. Memory that is updated in place would have to be copied instead.
  constexpr void find_parts() {
    for (int v = size_; v-- > 0;) {
      if (!is(v, fact::picks) || is_output_[v] || g_.data(operands(v)[1].node).spec.shape.rank != 0) continue;
      facts_[v] |= static_cast<unsigned>(fact::view);
      facts_[v] &= ~static_cast<unsigned>(fact::keeps_order);
    }
    for (int v = 0; v < size_; ++v) {
      if (!is(v, fact::updates)) continue;
      const int updated = base(operands(v)[0].node);
      for (int w = 0; w < size_; ++w)
        if (part(w) && base(operands(w)[0].node) == updated) facts_[w] &= ~static_cast<unsigned>(fact::view);
    }
    store_reshaped_parts();
  }
  // A view that keeps the order of elements shows dense memory, nothing else: parts that are scattered, and reshaped, are stored.
  constexpr void store_reshaped_parts() {
    bool any = false;
    for (int v = 0; v < size_; ++v) any = any || part(v);
    if (!any) return;
    list<char> dense(size_);
    for (int v = 0; v < size_; ++v) {
      dense[v] = !is(v, fact::input);
      for (std::size_t k = 0; k < g_.inputs().size(); ++k)
        if (g_.inputs()[k] == v) dense[v] = dense_[k];
      if (!view(v)) continue;
      const int from = operands(v)[0].node;
      if (is(v, fact::keeps_order) && part(from) && !dense[from]) {
        facts_[from] &= ~static_cast<unsigned>(fact::view);
        dense[from] = 1;
      }
      index offset = 0;
      dense[v] = dense[from] && shows_dense(v, offset);
    }
  }

  // An element that a loop computes is put into an array by that loop, as long as it has rows there. All others are copied.
  constexpr void find_puts() {
    for (int v = 0; v < size_; ++v) {
      if (!puts(v)) continue;
      const int element = element_of(v);
      const int axis = element_axis(g_, v);
      const bool has_rows = axis == 0 || axis < g_.data(element).spec.shape.rank;
      if (evaluator_ == planned_for::interpreter || !elementwise(element) || element == operands(v)[1].node || !has_rows || g_.data(v).spec.dtype == dtype::string)
        facts_[v] &= ~static_cast<unsigned>(fact::puts);
    }
  }

  constexpr void start_value(int v) {
    planned_value p;
    p.shape = shape_number(out_.extents.shapes[at(v)]);
    single_[v] = single_shape_[at(p.shape)];
    if (is(v, fact::constant)) p.place = single(v) ? place::immediate : place::constant;
    if (view(v)) {
      p.place = part(v) ? place::part : place::alias;
      p.number = operands(v)[0].node;
      p.dense = out_.values[at(p.number)].dense && shows_dense(v, p.offset);
    }
    out_.values.push_back(p);
    latest_[v] = max_level;
    wanted_by_[v] = nobody;
    mark_[v] = nobody;
    if (!is(v, fact::input)) return;
    auto& value = out_.values.back();
    value.place = place::argument;
    for (std::size_t k = 0; k < g_.inputs().size(); ++k)
      if (g_.inputs()[k] == v) {
        value.number = static_cast<int>(k);
        value.dense = dense_[k] != 0;
      }
  }

  // Loops read what is padded with zeros in its memory, where nobody but loops reads it.
  constexpr void find_windows() {
    list<char> read_by_loops(size_);
    for (int v = 0; v < size_; ++v) read_by_loops[v] = is_padding(kind(v)) && !is_output_[v];
    for (int v = 0; v < size_; ++v)
      for (const auto& e : operands(v))
        if (!elementwise(v) || !(extents(v) == extents(e.node))) read_by_loops[e.node] = 0;
    const auto shape_of = [&](int v) -> const shape& { return extents(v); };
    for (int v = 0; v < size_; ++v) {
      if (!read_by_loops[v]) continue;
      const int from = operands(v)[0].node, around = operands(v)[1].node;
      const dtype d = g_.data(v).spec.dtype;
      const bool truth = d == dtype::boolean && single(base(from)) && is(base(from), fact::constant);
      if (!truth && (!is_number(d) || is_storage(d) || !out_.values[at(from)].dense)) continue;
      if (!is(around, fact::constant) || g_.node(around).attribute("value").words[0] != 0) continue;
      if (truth && g_.node(base(from)).attribute("value").words[0] == 0) continue;
      const window w = window_of_padding(g_, v);
      const auto is_dense = [&](int u) { return out_.values[at(u)].dense || out_.values[at(u)].place == place::window || read_by_loops[u]; };
      if (!w.exists || !loops_are_dense(g_, extents(v), shape_of, is_dense)) continue;
      facts_[v] |= static_cast<unsigned>(fact::view);
      auto& value = out_.values[at(v)];
      value.place = place::window;
      value.number = truth ? base(from) : from;
      value.dense = false;
      value.offset = -w.before;
    }
  }

  // Whether what a view or part shows of dense memory is dense, and where a block begins.
  constexpr bool shows_dense(int v, index& offset) const {
    return part(v) ? picks_first_axis(v) : is(v, fact::keeps_order) || is_block(v, offset);
  }
  // Whether a view of dense memory shows a dense block of it, such as some rows, and where that begins.
  constexpr bool is_block(int v, index& offset) const {
    const shape &from = out_.extents.shapes[at(operands(v)[0].node)], &to = out_.extents.shapes[at(v)];
    if (!from.is_static() || !to.is_static() || to.size() == 0) return false;
    node_facts facts(g_, v);
    shape strides = to;
    index first = 0;
    g_.data(v).kind->restride({facts.context().attributes, from, row_major_strides(from), to}, first, strides);
    const shape expected = row_major_strides(to);
    for (int a = 0; a < to.rank; ++a)
      if (to[a] != 1 && strides[a] != expected[a]) return false;
    offset = first;
    return true;
  }

  // Says when late extents are known; before there are steps, only which are late.
  constexpr void date_expressions(bool planned) {
    for (auto& e : out_.extents.expressions) {
      e.after = e.relation != extent_algebra::relation::at_most ? -1 : planned ? out_.values[at(e.node)].step : 0;
      if (known_after(e.a) > e.after) e.after = known_after(e.a);
      if (known_after(e.b) > e.after) e.after = known_after(e.b);
    }
  }
  constexpr int known_after(index extent) const {
    if (is_static_extent(extent)) return -1;
    for (const auto& e : out_.extents.expressions)
      if (e.symbol == extent) return e.after;
    return -1;
  }
  constexpr bool late(int v) const {
    const shape& s = extents(v);
    for (int a = 0; any_late_ && a < s.rank; ++a)
      if (known_after(s[a]) >= 0) return true;
    return false;
  }

  // The earliest level at which each node can run: one more than what it needs from memory. Of stateful nodes each has a
  // later one than that before it.
  constexpr void find_levels() {
    int free_level = 0;  // for the next stateful node
    for (int v = 0; v < size_; ++v) {
      if (leaf(v)) continue;
      bool stateful = is(v, fact::stateful | fact::control) && is_stateful(g_, nodes_[v]);
      int level = stateful ? free_level : 0;
      for (const auto& e : operands(v)) {
        if (given(e.node) && !late(e.node)) continue;
        bool in_registers = !view(e.node) && stays_in_registers(e.node, v);
        int needs = level_[e.node] + (in_registers || view(v) || further_output(v) ? 0 : 1);
        if (needs > level) level = needs;
      }
      level_[v] = level;
      if (stateful) free_level = level + 1;
    }
  }

  // Moves elementwise nodes to the level where they are first needed, so that they are fused there.
  constexpr void sink() {
    for (int v = size_; v-- > 0;) {
      if (elementwise(v) && latest_[v] != max_level && latest_[v] > level_[v]) level_[v] = latest_[v];
      for (const auto& e : operands(v)) {
        int w = e.node;
        bool in_registers = stays_in_registers(w, v);
        int limit = view(v) ? level_[w] : in_registers ? level_[v] : level_[v] - 1;
        if (limit < latest_[w]) latest_[w] = limit;
      }
    }
  }

  // Computed again rather than stored when two steps want it: one operation on what is in memory anyway.
  constexpr bool cheap(int v) const {
    if (is(v, fact::approximate | fact::checked)) return false;
    for (const auto& e : operands(v))
      if (elementwise(e.node)) return false;
    return true;
  }

  constexpr int group_of(step_kind k, int level, int space, int node) {
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      const auto& o = groups_[i];
      if (k >= step_kind::kernel || o.kind != k || o.level != level || !same_shape(o.space, space)) continue;
      if (k == step_kind::reduction && !same_axes(o.node, node)) continue;
      return static_cast<int>(i);
    }
    groups_.push_back({k, level, space, node});
    return static_cast<int>(groups_.size()) - 1;
  }
  constexpr bool same_axes(int a, int b) const {
    auto x = g_.node(a).attribute("axes").values, y = g_.node(b).attribute("axes").values;
    if (x.size() != y.size()) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
      if (x[i] != y[i]) return false;
    return true;
  }

  constexpr void want(int v, int step) {
    int& w = wanted_by_[v];
    if (step == several || (w != nobody && w != step)) w = several;
    else w = step;
  }
  constexpr void store(int v) { must_store_[v] = 1; }

  constexpr void choose_stored() {
    for (int v = size_; v-- > 0;) {
      if (leaf(v)) continue;
      if (view(v)) {
        for (const auto& e : operands(v)) store(e.node);
      } else if (reduction(v)) {
        int w = operands(v)[0].node;
        int step = group_of(step_kind::reduction, level_[v], w, v);
        out_.values[at(v)].step = step;
        if (!elementwise(w)) continue;
        if (fuses(v)) want(w, step);
        else store(w);
      } else if (elementwise(v)) {
        choose_elementwise(v);
      } else if (puts(v)) {
        const int element = element_of(v);
        out_.values[at(v)].step = group_of(step_kind::loop, level_[v], element, v);
        want(element, out_.values[at(v)].step);
        for (const auto& e : operands(v).first(2)) store(e.node);
      } else if (!further_output(v)) {
        int step = group_of(control(v) ? step_kind::control : step_kind::kernel, level_[v], v, v);
        for (int i = 0; i < outputs_in_prepared(g_, v); ++i) out_.values[at(v + i)].step = step;
        for (const auto& e : operands(v)) store(e.node);
      }
    }
  }
  constexpr void choose_elementwise(int v) {
    int step = wanted_by_[v];
    if (must_store_[v] || is_output_[v] || (step == several && !cheap(v))) {
      step = group_of(step_kind::loop, level_[v], v, v);
      out_.values[at(v)].step = step;
    }
    for (const auto& e : operands(v)) {
      if (!elementwise(e.node)) continue;
      if (computable_in(e.node, v)) want(e.node, step);
      else store(e.node);
    }
  }

  // By level; in a level loops over one element first, then loops, then what may read their results. Among loops those come
  // first whose space may turn out to be a smaller one: a loop over more can read what a loop over less has stored.
  // By level, then by kind, then by size.
  constexpr index rank_of(const group& o) const {
    const index first = index{o.level} * 4096;
    if (o.kind != step_kind::loop) return first + 2048;
    if (single(o.space)) return first;
    index weight = 0;
    const shape& s = extents(o.space);
    for (int a = 0; a < s.rank; ++a) weight += is_static_extent(s[a]) ? 65 : std::popcount(out_.extents.part_of(s[a]));
    return first + 1024 + weight;
  }
  // Merges runs of twice the length again and again, so that what is equal stays in order.
  static constexpr void sort_by(const list<index>& keys, list<int>& items) {
    const auto n = static_cast<int>(items.size());
    list<int> merged(n);
    for (int run = 1; run < n; run *= 2) {
      for (int first = 0; first < n; first += 2 * run) {
        const int middle = first + run < n ? first + run : n, end = middle + run < n ? middle + run : n;
        for (int a = first, b = middle, to = first; to < end; ++to)
          merged[to] = b == end || (a < middle && keys[items[a]] <= keys[items[b]]) ? items[a++] : items[b++];
      }
      std::swap(items, merged);
    }
  }

  constexpr void order_steps() {
    list<index> ranks;
    for (const auto& o : groups_) ranks.push_back(rank_of(o));
    for (std::size_t i = 0; i < groups_.size(); ++i) order_.push_back(static_cast<int>(i));
    sort_by(ranks, order_);
    list<int> position;
    for (std::size_t i = 0; i < order_.size(); ++i) position.push_back(0);
    for (std::size_t i = 0; i < order_.size(); ++i) position[at(order_[i])] = static_cast<int>(i);
    for (auto& v : out_.values)
      if (v.step >= 0) v.step = position[at(v.step)];
  }

  constexpr void fill_steps() {
    // The roots of each step, in one sweep.
    list<int> first, count;
    for (std::size_t s = 0; s <= order_.size(); ++s) {
      first.push_back(0);
      count.push_back(0);
    }
    for (const auto& v : out_.values)
      if (v.step >= 0) ++count[at(v.step)];
    for (std::size_t s = 0; s < order_.size(); ++s) first[s + 1] = first[s] + count[s];
    int total = first[order_.size()];
    for (int i = 0; i < total; ++i) out_.roots.push_back(0);
    for (auto& c : count) c = 0;
    for (int v = 0; v < size_; ++v) {
      int s = out_.values[at(v)].step;
      if (s >= 0) out_.roots[at(first[at(s)] + count[at(s)]++)] = v;
    }
    for (std::size_t s = 0; s < order_.size(); ++s) {
      const auto& o = groups_[at(order_[s])];
      planned_step step{o.kind, o.space, {static_cast<int>(out_.body.size()), 0}, {static_cast<int>(out_.leaves.size()), 0},
                        {first[s], count[s]}};
      fill_body(static_cast<int>(s), step);
      step.beside = add_leaves_beside(static_cast<int>(s), step);
      step.body.count = static_cast<int>(out_.body.size()) - step.body.first;
      step.leaves.count = static_cast<int>(out_.leaves.size()) - step.leaves.first;
      out_.steps.push_back(step);
    }
  }

  // Depth first from the roots, with a stack of our own: recursion would meet the compilers' depth limits.
  constexpr void fill_body(int s, const planned_step& step) {
    struct visit {
      int node;
      std::size_t next;
    };
    list<visit> stack;
    auto open = [&](int v) {
      if (mark_[v] == s) return;
      mark_[v] = s;
      bool computed_here = elementwise(v) && (out_.values[at(v)].step == s || out_.values[at(v)].step < 0);
      if (computed_here) stack.push_back({v, 0});
      else out_.leaves.push_back(v);
    };
    auto finish = [&] {
      while (!stack.empty()) {
        auto& top = stack.back();
        if (top.next < operands(top.node).size()) {
          open(operands(top.node)[top.next++].node);
        } else {
          out_.body.push_back(top.node);
          stack.pop_back();
        }
      }
    };
    for (int i = 0; i < step.roots.count; ++i) {
      int root = out_.roots[at(step.roots.first + i)];
      if (step.kind == step_kind::loop) {
        open(puts(root) ? element_of(root) : root);
        finish();
      } else {
        if (further_output(root)) continue;
        for (const auto& e : operands(root)) {
          open(e.node);
          finish();
        }
      }
    }
  }

  // The arrays that a loop puts elements into, and their positions there. How many.
  constexpr int add_leaves_beside(int s, const planned_step& step) {
    const std::size_t before = out_.leaves.size();
    for (int i = 0; i < step.roots.count; ++i) {
      const int root = out_.roots[at(step.roots.first + i)];
      if (step.kind != step_kind::loop || !puts(root)) continue;
      for (const auto& e : operands(root).first(2))
        if (std::exchange(mark_[e.node], s) != s) out_.leaves.push_back(e.node);
    }
    return static_cast<int>(out_.leaves.size() - before);
  }

  // Of a reduction over all axes from some axis on: that axis. Else 0.
  constexpr int rows_of(const planned_step& s) const {
    if (s.kind != step_kind::reduction) return 0;
    const auto axes = g_.node(out_.roots[at(s.roots.first)]).attribute("axes").values;
    const shape& from = extents(s.space);
    unsigned set = 0;
    for (index a : axes) set |= 1u << (a < 0 ? a + from.rank : a);
    const int outer = from.rank - static_cast<int>(axes.size());
    if (axes.empty() || set != ((1u << from.rank) - 1) >> outer << outer) return 0;
    index n = 1;
    for (int a = outer; a < from.rank; ++a) n *= from[a] < 0 ? shortest_row : from[a];
    return n < shortest_row || reads_strings(s) ? 0 : outer;
  }
  constexpr bool reads_strings(const planned_step& s) const {
    for (int i = 0; i < s.leaves.count; ++i)
      if (g_.data(out_.leaves[at(s.leaves.first + i)]).spec.dtype == dtype::string) return true;
    return false;
  }
  constexpr bool same_rows(int v, int w, int outer) const {
    const shape &a = extents(v), &b = extents(w);
    bool same = a.rank >= outer && b.rank >= outer;
    for (int axis = 0; same && axis < outer; ++axis) same = a[axis] == b[axis];
    return same;
  }
  // Whether v and the positions of parts on the way to it are stored before a step.
  constexpr bool stored_before(int v, int step) const {
    for (; view(v); v = operands(v)[0].node)
      if (part(v) && !stored_before(operands(v)[1].node, step)) return false;
    return out_.values[at(v)].step < step;
  }
  constexpr bool has_parts(int v) const {
    for (; view(v); v = operands(v)[0].node)
      if (part(v)) return true;
    return false;
  }
  // Whether a step can run row by row behind those that are joined already: what it reads of theirs is in the same row, and
  // nothing else that it reads is stored behind the first of them.
  constexpr bool joins_rows(const planned_step& s, int first, int space, int outer, const list<int>& joined) const {
    if (s.kind != step_kind::loop && rows_of(s) != outer) return false;
    if (!same_rows(s.space, space, outer) || reads_strings(s)) return false;
    for (int i = 0; i < s.roots.count; ++i) {
      const int root = out_.roots[at(s.roots.first + i)];
      if (puts(root) && element_axis(g_, root) > outer) return false;
    }
    bool reads = false;
    for (int i = 0; i < s.leaves.count; ++i) {
      const int v = out_.leaves[at(s.leaves.first + i)];
      if (out_.values[at(v)].place == place::window) return false;
      if (stored_before(v, first)) continue;
      if (has_parts(v) || joined[at(out_.values[at(base(v))].step)] != first) return false;
      reads = true;
      if (!out_.values[at(v)].dense || extents(v).rank != extents(s.space).rank || !same_rows(v, space, outer)) return false;
    }
    return reads;
  }
  // A reduction of rows and the steps that go on with its results run row by row, so that rows are still in the caches when they
  // are read again.
  constexpr void join_rows() {
    const int steps = static_cast<int>(out_.steps.size());
    bool any = false;
    for (int s = 0; s + 1 < steps; ++s) any = any || rows_of(out_.steps[at(s)]) > 0;
    if (!any) return;
    list<int> joined, position;  // by step: the first of those that it runs together with, its place in the new order
    for (int s = 0; s < steps; ++s) {
      joined.push_back(nobody);
      position.push_back(0);
    }
    list<planned_step> ordered;
    for (int s = 0; s < steps; ++s) {
      if (joined[at(s)] != nobody) continue;
      joined[at(s)] = s;
      const std::size_t leader = ordered.size();
      position[at(s)] = static_cast<int>(leader);
      ordered.push_back(out_.steps[at(s)]);
      const int outer = rows_of(out_.steps[at(s)]);
      if (outer == 0) continue;
      for (int next = s + 1; next < steps; ++next) {
        if (joined[at(next)] != nobody || !joins_rows(out_.steps[at(next)], s, out_.steps[at(s)].space, outer, joined)) continue;
        joined[at(next)] = s;
        position[at(next)] = static_cast<int>(ordered.size());
        ordered.push_back(out_.steps[at(next)]);
        ordered.back().outer = outer;
        ordered.back().together = 0;
        ++ordered[leader].together;
        ordered[leader].outer = outer;
      }
    }
    out_.steps = std::move(ordered);
    for (auto& v : out_.values)
      if (v.step >= 0) v.step = position[at(v.step)];
    merge_rows();
  }

  // The elements of a step's space in one row; 0 where only a call knows.
  constexpr index row_size(int s) const {
    const auto& step = out_.steps[at(s)];
    const shape& space = extents(step.space);
    index n = 1;
    for (int a = step.outer; a < space.rank; ++a) n *= is_static_extent(space[a]) ? space[a] : 0;
    return n;
  }
  // Whether a step reads what another one stores, and how: only those values themselves, or by way of views.
  struct reading {
    bool any = false, direct = true;
  };
  constexpr reading reads_of(const planned_step& reader, const planned_step& writer) const {
    reading out;
    for (int i = 0; i < reader.leaves.count; ++i)
      for (int k = 0; k < writer.roots.count; ++k) {
        const int leaf_node = out_.leaves[at(reader.leaves.first + i)];
        if (base(leaf_node) != out_.roots[at(writer.roots.first + k)]) continue;
        out.any = true;
        out.direct = out.direct && !view(leaf_node);
      }
    return out;
  }
  constexpr bool only_read_by(int s, int reader) const {
    const auto& writer = out_.steps[at(s)];
    for (int k = 0; k < writer.roots.count; ++k)
      if (is_output_[out_.roots[at(writer.roots.first + k)]]) return false;
    for (int t = 0; t < static_cast<int>(out_.steps.size()); ++t)
      if (t != reader && reads_of(out_.steps[at(t)], writer).any) return false;
    return true;
  }
  // Whether loop s can be part of a step behind it. One over whole rows can if that reduces them: then the step stores on its
  // way. One over a single element of each row can if nobody else needs that.
  enum class merge : unsigned char { none, stores, registers };
  constexpr merge merge_of(int s, int into) const {
    const planned_step &loop = out_.steps[at(s)], &step = out_.steps[at(into)];
    if (loop.kind != step_kind::loop) return merge::none;
    const reading reads = reads_of(step, loop);
    if (!reads.any || !reads.direct) return merge::none;
    if (row_size(s) == 1) return row_size(into) != 1 && only_read_by(s, into) ? merge::registers : merge::none;
    return into == s + 1 && step.kind == step_kind::reduction && same_shape(loop.space, step.space) ? merge::stores : merge::none;
  }
  // Appends two ranges of a list to it as one, each entry once.
  constexpr range_of_pool join(list<int>& pool, range_of_pool first, range_of_pool second) const {
    const range_of_pool both{static_cast<int>(pool.size()), 0};
    int count = 0;
    for (const range_of_pool& part : {first, second})
      for (int i = 0; i < part.count; ++i) {
        const int v = pool[at(part.first + i)];
        bool there = false;
        for (int k = 0; !there && k < count; ++k) there = pool[at(both.first + k)] == v;
        if (there) continue;
        pool.push_back(v);
        ++count;
      }
    return {both.first, count};
  }
  constexpr void add_to(const planned_step& loop, planned_step& step, bool stores) {
    list<int> others;
    for (int i = 0; i < step.leaves.count; ++i) {
      const int v = out_.leaves[at(step.leaves.first + i)];
      bool stored = false;
      for (int k = 0; k < loop.roots.count; ++k) stored = stored || out_.roots[at(loop.roots.first + k)] == v;
      if (!stored) others.push_back(v);
    }
    step.leaves = {static_cast<int>(out_.leaves.size()), static_cast<int>(others.size())};
    for (int v : others) out_.leaves.push_back(v);
    step.leaves = join(out_.leaves, loop.leaves, step.leaves);
    step.body = join(out_.body, loop.body, step.body);
    if (stores) step.roots = join(out_.roots, step.roots, loop.roots);
  }
  // A list without what merged steps left behind.
  constexpr void tidy(list<int>& pool, range_of_pool planned_step::*part) {
    list<int> kept;
    for (auto& s : out_.steps) {
      range_of_pool& range = s.*part;
      const int first = static_cast<int>(kept.size());
      for (int i = 0; i < range.count; ++i) kept.push_back(pool[at(range.first + i)]);
      range.first = first;
    }
    pool = std::move(kept);
  }
  constexpr void merge_rows() {
    const int steps = static_cast<int>(out_.steps.size());
    list<int> position(steps);
    list<planned_step> left;
    for (int first = 0, end = 0; first < steps; first = end) {
      end = first + out_.steps[at(first)].together;
      for (int s = first + 1; s < end; ++s) {
        int into = s + 1;
        while (into < end && merge_of(s, into) == merge::none) ++into;
        if (into >= end) continue;
        const bool stores = merge_of(s, into) == merge::stores;
        add_to(out_.steps[at(s)], out_.steps[at(into)], stores);
        for (auto& v : out_.values)
          if (v.step == s) v.step = stores ? into : -1;
        position[s] = nobody;
        --out_.steps[at(first)].together;
      }
    }
    for (int s = 0; s < steps; ++s) {
      if (position[s] == nobody) continue;
      position[s] = static_cast<int>(left.size());
      left.push_back(out_.steps[at(s)]);
    }
    if (static_cast<int>(left.size()) == steps) return;
    out_.steps = std::move(left);
    for (auto& v : out_.values)
      if (v.step >= 0) v.step = position[v.step];
    tidy(out_.body, &planned_step::body);
    tidy(out_.leaves, &planned_step::leaves);
    tidy(out_.roots, &planned_step::roots);
  }
  constexpr range_of_pool together_with(int s) const { return steps_together(out_.steps, s); }
  constexpr int last_together(int s) const { return together_with(s).first + together_with(s).count - 1; }

  constexpr void place_results() {
    for (std::size_t k = 0; k < g_.outputs().size(); ++k) {
      auto& v = out_.values[at(g_.outputs()[k].node)];
      v.place = place::result;
      v.number = static_cast<int>(k);
    }
  }

  constexpr bool same_size(int v, int w) const {
    return size_of(g_.data(v).spec.dtype) == size_of(g_.data(w).spec.dtype) && same_shape(v, w) &&
           (g_.data(v).spec.dtype == dtype::string) == (g_.data(w).spec.dtype == dtype::string);
  }

  constexpr void note_use(list<int>& last_use, int v, int s) {
    for (; view(v); v = operands(v)[0].node)
      if (part(v)) note_use(last_use, operands(v)[1].node, s);
    last_use[at(v)] = s;
  }

  constexpr void assign_slots() {
    find_loop_results();
    auto steps = static_cast<int>(out_.steps.size());
    list<int> last_use, free_after;
    for (int v = 0; v < size_; ++v) last_use.push_back(-1);
    for (int s = 0; s < steps; ++s) {
      const auto& step = out_.steps[at(s)];
      for (int i = 0; i < step.leaves.count; ++i) note_use(last_use, out_.leaves[at(step.leaves.first + i)], s);
    }
    for (int s = 0; s < steps; ++s) {
      const auto& step = out_.steps[at(s)];
      for (int i = 0; i < step.roots.count; ++i) {
        int v = out_.roots[at(step.roots.first + i)];
        auto& value = out_.values[at(v)];
        if (value.place != place::registers || (control(v) && results_of_bodies(g_, v) == 0)) continue;
        if (last_use[at(v)] < s) last_use[at(v)] = s;  // stored, though nobody reads it
        // What a loop begins with lies where it will put its result, which another loop may begin with.
        int heir = v, last = last_use[at(v)];
        while (loop_result_[heir] >= 0) {
          heir = loop_result_[heir];
          for (int used : {out_.values[at(heir)].step, last_use[at(heir)]})
            if (used > last) last = used;
        }
        const auto& end = out_.values[at(heir)];
        int result = end.place == place::result ? end.number : result_to_borrow(heir, last);
        value.place = result >= 0 ? place::result : place::workspace;
        // What a step that runs row by row has used, its neighbours still need in the rows to come.
        value.number = result >= 0 ? result : free_slot(v, together_with(s).first, free_after);
        if (result < 0) free_after[at(value.number)] = last_together(last);
        for (int next = loop_result_[v]; next >= 0; next = loop_result_[next]) {
          out_.values[at(next)].place = value.place;
          out_.values[at(next)].number = value.number;
        }
      }
    }
  }

  // Which loop results begin with a value that nobody else reads.
  constexpr void find_loop_results() {
    list<int> uses(size_);
    for (int v = 0; v < size_; ++v) {
      loop_result_[v] = nobody;
      uses[v] = is_output_[v];
    }
    for (int w = 0; w < size_; ++w)
      for (const auto& e : operands(w)) uses[e.node] += !further_output(w);
    for (int w = 0; w < size_; ++w) {
      if (!control(w) || g_.node(w).attribute("cond").key.empty()) continue;
      for (int k = 0; k < results_of_bodies(g_, w); ++k) {
        const int v = operands(w)[at(k)].node;
        if (uses[v] == 1 && out_.values[at(v)].step >= 0 && same_size(v, w + k)) loop_result_[v] = w + k;
      }
    }
  }

  // Whether v is w, perhaps with other extents, element behind element.
  constexpr bool has_same_order(int v, int w) const {
    while (v != w && !any_late_ && is(v, fact::keeps_order) && !part(v)) v = operands(v)[0].node;
    return v == w;
  }

  // A value whose last reader is a loop that overwrites it place by place with a result can live in that result.
  constexpr int result_to_borrow(int v, int last) const {
    if (last < 0) return -1;
    const auto& step = out_.steps[at(last)];
    if (step.kind != step_kind::loop) return -1;
    // Steps that run row by row with the last one read rows that it has not overwritten yet.
    for (int s = together_with(last).first; s < last; ++s)
      for (int i = 0; i < out_.steps[at(s)].leaves.count; ++i) {
        int leaf_node = out_.leaves[at(out_.steps[at(s)].leaves.first + i)];
        if (base(leaf_node) == v && !(leaf_node == v && same_shape(v, out_.steps[at(s)].space))) return -1;
      }
    int readers = 0, read = v;
    for (int i = 0; i < step.leaves.count; ++i) {
      int leaf_node = out_.leaves[at(step.leaves.first + i)];
      if (base(leaf_node) != v) continue;
      ++readers;
      if (!has_same_order(leaf_node, v)) return -1;
      read = leaf_node;
    }
    if (readers != 1) return -1;
    for (std::size_t k = 0; k < g_.outputs().size(); ++k) {
      int w = g_.outputs()[k].node;
      if (out_.values[at(w)].step != last || !same_size(read, w)) continue;
      if (puts(w) && operands(w)[0].node != v) continue;
      bool taken = false;
      for (int other = 0; other < size_; ++other) {
        const auto& o = out_.values[at(other)];
        taken = taken || (other != w && o.place == place::result && o.number == static_cast<int>(k));
      }
      if (!taken) return static_cast<int>(k);
    }
    return -1;
  }

  constexpr int free_slot(int v, int s, list<int>& free_after) {
    index n = extents(v).size();
    bool text = g_.data(v).spec.dtype == dtype::string;
    index bytes = n < 0 || text ? -1 : n * static_cast<index>(size_of(g_.data(v).spec.dtype));
    int best = -1;
    for (std::size_t i = 0; i < out_.buffers.size(); ++i) {
      auto& slot = out_.buffers[i];
      if (free_after[i] >= s) continue;
      bool fits = bytes >= 0 && slot.bytes >= bytes;
      if (!fits && !same_size(slot.like, v)) continue;
      if (best < 0 || slot.bytes < out_.buffers[at(best)].bytes) best = static_cast<int>(i);
    }
    if (best >= 0) return best;
    out_.buffers.push_back({v, bytes});
    free_after.push_back(-1);
    return static_cast<int>(out_.buffers.size()) - 1;
  }

  static constexpr int max_level = 1 << 30;
  // Rows that are known to be shorter run together, in one loop after another.
  static constexpr index shortest_row = 32;
  planned_for evaluator_;
  Graph g_;
  int size_;
  const node_data* nodes_;
  const edge* edges_;
  stretch<char> dense_;
  stretch<shape> input_shapes_;
  plan out_;
  list<unsigned> facts_;
  list<int> level_, latest_, wanted_by_, mark_;
  list<char> must_store_, is_output_;
  list<int> loop_result_;
  list<char> single_;
  bool any_late_ = false;
  list<int> order_;
  list<char> single_shape_;
  list<group> groups_;
};

}  // namespace detail

namespace detail {

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

/// The plan of a prepared graph. Of a body, `input_shapes` are the extents of its arguments in the graph around it.
template <class Graph = graph_view>
constexpr plan make_plan(const std::type_identity_t<Graph>& g, stretch<char> dense_arguments, stretch<shape> input_shapes = {},
                         planned_for evaluator = planned_for::compiler) {
  return detail::planner<Graph>(g, dense_arguments, input_shapes, evaluator).run();
}

/// How many entries each list of a plan has.
struct plan_sizes {
  int shapes, values, steps, buffers, body, leaves, roots, sources, expressions;
};

constexpr plan_sizes sizes_of(const plan& p) {
  return {static_cast<int>(p.shapes.size()),          static_cast<int>(p.values.size()),          static_cast<int>(p.steps.size()),
          static_cast<int>(p.buffers.size()),           static_cast<int>(p.body.size()),
          static_cast<int>(p.leaves.size()),          static_cast<int>(p.roots.size()),
          static_cast<int>(p.extents.sources.size()), static_cast<int>(p.extents.expressions.size())};
}

/// Whether lists of these sizes have room for those of a plan.
constexpr bool holds(const plan_sizes& room, const plan_sizes& need) {
  return room.shapes >= need.shapes && room.values >= need.values && room.steps >= need.steps && room.buffers >= need.buffers &&
         room.body >= need.body && room.leaves >= need.leaves && room.roots >= need.roots && room.sources >= need.sources &&
         room.expressions >= need.expressions;
}

/// Room for the plans of most graphs of this size.
constexpr plan_sizes usual_sizes(const graph_view& g) {
  const int n = g.size();
  return {16, n, 16 + n / 2, 16 + n / 4, n, 16 + 3 * n / 2, 16 + n, 32, 32};
}

/// A plan as a constant, with room for lists of sizes S. When they do not suffice it says no more than which sizes would.
template <plan_sizes S>
struct static_plan {
  plan_sizes size;
  bool fits;
  detail::pool<shape, S.shapes> shapes;
  detail::pool<planned_value, S.values> values;
  detail::pool<planned_step, S.steps> steps;
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
    buffers.copy(p.buffers);
    body.copy(p.body);
    leaves.copy(p.leaves);
    roots.copy(p.roots);
    sources.copy(p.extents.sources);
    expressions.copy(p.extents.expressions);
  }
};

}  // namespace jig
