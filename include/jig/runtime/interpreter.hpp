// SPDX-License-Identifier: MIT
#pragma once
// The interpreter: a graph that is known at run time only is planned for the extents of its arguments, and runs step by step
// through kernels that are compiled once for each dtype.

#include <jig/passes/loop_values.hpp>
#include <jig/runtime/known_arguments.hpp>
#include <jig/runtime/planned_loop.hpp>
#include <jig/runtime/planned_memory.hpp>
#include <jig/runtime/region_tasks.hpp>
#include <jig/runtime/routine_watch.hpp>

#include <memory>
#include <string>
#include <vector>

namespace jig::detail {

/// A graph that is planned for arguments of given extents, which are dense. Immutable: threads may run it at the same time.
template <class Graph = graph_view>
class planned_routine : planned_memory<Graph> {
  using base = planned_memory<Graph>;
  using base::at, base::shape_of, base::dtype_of_node, base::kind, base::operands, base::values, base::pointer_bytes, base::bytes_of_call;
  using base::bytes_of_value, base::moved, base::need_part, base::find_part, base::find_values, base::view_of_node, base::same_memory,
      base::key_of_body;
  using base::graph_, base::plan_, base::late_, base::failure_, base::strides_, base::placed_;
  using typename base::frame;

 public:
  /// What is known of the arguments has to live as long. In a concurrent one regions that need not wait for one another do not share
  /// memory.
  /// Errors: extents that the graph refuses throw invalid_argument, of a body when it runs.
  planned_routine(const Graph& g, stretch<shape> input_shapes, bool is_body = false, const known_arguments<>* known = nullptr,
                  bool concurrent = false)
      : planned_memory<Graph>(g, input_shapes, is_body, concurrent), known_(known) {
    if (late_ || failure_) return;
    for (const auto& s : plan_.steps) add_step(s);
    for (const auto& r : plan_.regions) add_region(r);
    if (concurrent) tasks_ = region_tasks(view(), [this](int v) -> const shape& { return shape_of(v); });
  }
  planned_routine(const planned_routine&) = delete;
  planned_routine& operator=(const planned_routine&) = delete;

  /// Whether only a run tells some extents, so that this cannot be planned.
  bool late() const {
    if (late_) return true;
    for (const auto& s : steps_)
      for (const auto& b : s.bodies)
        if (b->late()) return true;
    return false;
  }
  /// Whether it has regions that threads may run at the same time.
  bool has_tasks() const { return tasks_.any(); }
  /// The extents of a result.
  const shape& result_shape(std::size_t k) const { return shape_of(graph_.output_edges[k].node); }

  void run(const void* const* arguments, void* const* results, call_tape* tape) const {
    if (failure_) throw_invalid_argument(*failure_);
    routine_watch<Graph>* const watch = watch_of_routines<Graph>;
    const bool tells_regions = watch != nullptr && watch->begin(*this);
    const workspace memory(bytes_of_call());
    const frame fr = find_values(memory.data(), arguments, results, tape);
    if (tasks_.any() && watch == nullptr && shares_tasks()) return tasks_.run([&](int r) { run_task(fr, regions_[at(r)]); });
    for (const auto& r : regions_) {
      run_region(fr, r);
      if (tells_regions) watch->behind(*this, static_cast<std::size_t>(&r - regions_.data()));
    }
    if (watch != nullptr) watch->end(*this);
  }
  /// How it runs; valid as long as this.
  plan_view view() const { return view_of(graph_.view(), plan_); }
  /// The elements of the space of its first step.
  index size_of_region(std::size_t k) const { return shape_of(plan_.steps[plan_.regions[k].first].space).size(); }
  /// Calls `visit(node, key, routine)` for every body of its nodes.
  template <class Visit>
  void for_each_body(const Visit& visit) const {
    for (const auto& s : steps_)
      for (std::size_t k = 0; k < s.bodies.size(); ++k) visit(s.node, key_of_body(s.node, k), *s.bodies[k]);
  }

 private:
  struct kernel_run {
    const runtime_kernel* kernel;
    int node;
    std::vector<any_view> inputs, outputs;  // their first axis is that of the rows where several steps run together
    std::vector<attribute_view> attributes;
    const void* packed = nullptr;
  };
  struct moving {
    int node;
    index bytes;
  };
  struct step_data {
    step_kind kind;
    bool done;               // there is nothing to run
    std::vector<int> parts;  // values to find first: their places depend on values of the call
    planned_loop<> loop;
    // Of kernels and reductions.
    std::vector<kernel_run> kernels;
    // Of control flow: the branches, or condition and body.
    int node = -1;
    index trips = -1;  // where a loop only counts
    std::vector<std::unique_ptr<planned_routine>> bodies;
    std::vector<int> passed;   // what the bodies take besides a condition
    std::vector<index> bytes;  // of the results
    std::vector<char> in_place;
    // Of a region of rows: the operands, and how many bytes each moves from row to row.
    std::vector<moving> moves;
  };
  struct region_data {
    planned_region plan;
    index rows = 1, row_size = 1;
    std::vector<int> views;  // of what exists only in a chunk
  };
  static constexpr index all_rows = planned_loop<>::all_rows;

  void add_step(const planned_step& s) {
    step_data& to = steps_.emplace_back();
    to.kind = s.kind;
    to.done = s.done;
    for (int i = 0; i < s.leaves.count; ++i) need_part(to.parts, plan_.leaves[s.leaves.first + i]);
    if (s.kind == step_kind::loop) to.loop = loop_of(s);
    else if (s.kind == step_kind::control) add_control(s.space, to);
    else
      for (int i = 0; i < s.roots.count; ++i) add_kernel(plan_.roots[s.roots.first + i], to);
  }

  // Rows lie along the first axis of the space of each step.
  void add_region(const planned_region& r) {
    region_data& to = regions_.emplace_back();
    to.plan = r;
    if (r.kind != region_kind::rows) return;
    const shape& space = shape_of(plan_.steps[r.first].space);
    to.rows = space[0];
    to.row_size = to.rows == 0 ? 0 : space.size() / to.rows;
    for (int s = r.first; s < r.first + r.count; ++s) {
      const planned_step& step = plan_.steps[s];
      for (int i = 0; i < step.leaves.count; ++i) {
        const int v = plan_.leaves[step.leaves.first + i];
        if (plan_.values[base_of(values(), v)].place == place::chunk) {
          if (plan_.values[v].place == place::alias) to.views.push_back(v);
          continue;
        }
        const bool along = shape_of(v).rank == shape_of(step.space).rank && shape_of(v)[0] != 1;
        add_moving(steps_[at(s)], v, along);
      }
      for (int i = 0; i < step.roots.count; ++i)
        if (const int v = plan_.roots[step.roots.first + i]; plan_.values[v].place != place::chunk) add_moving(steps_[at(s)], v, true);
    }
  }
  void add_moving(step_data& s, int v, bool along) {
    s.moves.push_back({v, along ? strides_[at(v)][0] * static_cast<index>(element_bytes(dtype_of_node(v))) : 0});
  }
  void run_step(const frame& fr, const step_data& s, index rows) const {
    if (s.done) return;
    switch (s.kind) {
      case step_kind::loop: return s.loop.run(fr.data, rows);
      case step_kind::control: return run_control(fr, s);
      default: return run_kernels(fr, s, rows);
    }
  }
  void run_region(const frame& fr, const region_data& r) const {
    for (int k = r.plan.first; k < r.plan.first + r.plan.count; ++k)
      for (int v : steps_[at(k)].parts) find_part(fr, v);
    if (r.plan.kind == region_kind::rows) run_rows(fr, r);
    else if (r.plan.kind == region_kind::epilogue) run_with_epilogue(fr, r);
    else run_step(fr, steps_[at(r.plan.first)], all_rows);
  }
  // A region beside others, which may find the same parts.
  void run_task(const frame& fr, const region_data& r) const {
    bool finds = false;
    for (int k = r.plan.first; k < r.plan.first + r.plan.count; ++k) finds = finds || !steps_[at(k)].parts.empty();
    if (!finds) return run_region(fr, r);
    const workspace memory(pointer_bytes());
    std::memcpy(memory.data(), fr.data, pointer_bytes());
    run_region({reinterpret_cast<void**>(memory.data()), fr.tape}, r);
  }
  void run_rows(const frame& fr, const region_data& r) const {
    if (r.rows * r.row_size == 0 || !is_shared(r.rows * r.row_size)) return run_some_rows(fr, r, 0, r.rows);
    const index least = (std::max)(shared_length / r.row_size / r.plan.chunk, index{1}) * r.plan.chunk;
    parallel_for(r.rows, least, [&](index first, index length) { run_some_rows(fr, r, first, length); });
  }
  // Chunk by chunk, with pointers of its own.
  void run_some_rows(const frame& whole, const region_data& r, index first, index n) const {
    const workspace memory(pointer_bytes() + at(r.plan.bytes));
    const frame fr{reinterpret_cast<void**>(memory.data()), whole.tape};
    std::memcpy(fr.data, whole.data, pointer_bytes());
    for (int i = 0; i < r.plan.locals.count; ++i) {
      const planned_local& local = plan_.locals[r.plan.locals.first + i];
      fr.data[local.node] = memory.data() + pointer_bytes() + local.offset;
    }
    for (int v : r.views) fr.data[v] = fr.data[base_of(values(), v)];
    for (const index end = first + n; first < end; first += r.plan.chunk) {
      const index rows = (std::min)(end - first, r.plan.chunk);
      for (int k = r.plan.first; k < r.plan.first + r.plan.count; ++k) {
        const step_data& s = steps_[at(k)];
        for (const moving& m : s.moves) fr.data[m.node] = moved(whole.data[m.node], first * m.bytes);
        run_step(fr, s, rows);
      }
    }
  }

  loop_operand operand_of_loop(int v) const { return {v, dtype_of_node(v), shape_of(v), strides_[at(v)], plan_.values[v].dense}; }
  planned_loop<> loop_of(const planned_step& s) const {
    planned_loop<> to(shape_of(s.space));
    std::vector<int> entry(at(graph_.size()), -1);
    for (int i = 0; i < s.leaves.count; ++i) {
      const int v = plan_.leaves[s.leaves.first + i];
      entry[at(v)] = to.add_leaf(operand_of_loop(v));
    }
    for (int i = 0; i < s.body.count; ++i) {
      const int v = plan_.body[s.body.first + i];
      std::vector<int> from;
      std::vector<dtype> types;
      for (const auto& e : operands(v)) {
        from.push_back(entry[at(e.node)]);
        types.push_back(dtype_of_node(e.node));
      }
      entry[at(v)] = add_elementwise(to.program, kind(v), std::move(from), std::move(types), dtype_of_node(v));
    }
    for (int i = 0; i < s.roots.count; ++i) {
      const int v = plan_.roots[s.roots.first + i];
      std::vector<int> shared;
      for (int leaf : to.leaves())
        if (same_memory(leaf, v)) shared.push_back(entry[at(leaf)]);
      to.add_root({v, dtype_of_node(v), shape_of(s.space), row_major_strides(shape_of(s.space)), true}, entry[at(v)],
                  {shared.data(), shared.size()});
    }
    const bool moves_only = s.body.count == 1 && is_op(kind(plan_.body[s.body.first]), ops::identity);
    to.finish(moves_only && s.leaves.count == 1 && s.roots.count == 1);
    return to;
  }
  // A kernel with a loop behind it, which runs on each rectangle of the kernel's result while that is in the cache.
  void run_with_epilogue(const frame& fr, const region_data& r) const {
    const step_data& kernel = steps_[at(r.plan.first)];
    const planned_loop<>& behind = steps_[at(r.plan.first + 1)].loop;
    struct {
      const planned_routine& routine;
      std::size_t region;
      const planned_loop<>& loop;
      void** data;
    } tiled{*this, static_cast<std::size_t>(&r - regions_.data()), behind, fr.data};
    const auto run = [](const void* context, index row, index rows, index column, index columns) {
      const auto& here = *static_cast<const decltype(tiled)*>(context);
      routine_watch<Graph>* const watch = watch_of_routines<Graph>;
      const std::uint64_t begun = watch == nullptr ? 0 : watch->now();
      here.loop.run_tile(here.data, row, rows, column, columns);
      if (watch != nullptr) watch->behind_tile(here.routine, here.region, rows * columns, begun);
    };
    run_kernels(fr, kernel, all_rows, {.run = run, .context = &tiled, .whole_rows = true});
  }

  void add_kernel(int v, step_data& to) {
    if (kind(v).is(fact::output)) return;
    kernel_run& k = to.kernels.emplace_back();
    k.kernel = &runtime_kernel_for(kind(v));
    k.node = v;
    for (const auto& e : operands(v)) k.inputs.push_back(view_of_node(e.node));
    for (int i = 0; i < outputs_in_prepared(graph_.view(), v); ++i) k.outputs.push_back(view_of_node(v + i));
    const auto n = graph_.node(v);
    for (int i = 0; i < n.attribute_count(); ++i) k.attributes.push_back(n.attribute(i));
    if (k.kernel->pack != nullptr && known_ != nullptr) k.packed = packed_input(k);
  }
  // Of input 1, if it is known.
  const void* packed_input(const kernel_run& k) const {
    std::vector<any_view> inputs = k.inputs;
    inputs[1].data = known_data(operands(k.node)[1].node);
    if (inputs[1].data == nullptr) return nullptr;
    kernel_call call;
    call.attributes = {k.attributes.data(), k.attributes.size()};
    call.inputs = {inputs.data(), inputs.size()};
    call.outputs = {k.outputs.data(), k.outputs.size()};
    return known_->packed(*k.kernel, call);
  }
  const void* known_data(int v) const {
    const planned_value& value = plan_.values[v];
    if (value.place == place::argument) return (*known_)(value.number);
    if (value.place != place::alias) return nullptr;
    for (const auto& p : placed_)
      if (p.node == v)
        if (const void* from = known_data(value.number)) return static_cast<const char*>(from) + p.offset;
    return nullptr;
  }
  void run_kernels(const frame& fr, const step_data& s, index rows, const tile_epilogue& then = {}) const {
    for (const auto& k : s.kernels) {
      const std::size_t in = k.inputs.size(), out = k.outputs.size();
      constexpr std::size_t room = 8;
      std::vector<any_view> more(in + out > room ? in + out : 0);
      any_view few[room];
      any_view* const views = more.empty() ? few : more.data();
      for (std::size_t i = 0; i < in; ++i) {
        views[i] = k.inputs[i];
        views[i].data = fr.data[operands(k.node)[i].node];
      }
      for (std::size_t i = 0; i < out; ++i) {
        views[in + i] = k.outputs[i];
        views[in + i].data = fr.data[k.node + static_cast<int>(i)];
      }
      if (rows != all_rows)
        for (std::size_t i = 0; i < in + out; ++i) views[i].extents[0] = rows;
      kernel_call call;
      call.attributes = {k.attributes.data(), k.attributes.size()};
      call.inputs = {views, in};
      call.outputs = {views + in, out};
      call.tape = fr.tape;
      call.packed = k.packed;
      call.then = then;
      k.kernel->run(call);
    }
  }

  void add_control(int v, step_data& to) {
    to.node = v;
    const auto n = graph_.node(v);
    const bool loop = !n.attribute("cond").key.empty();
    const int results = results_of_bodies(graph_.view(), v);
    auto inputs = operands(v);
    std::vector<shape> shapes;
    for (std::size_t k = loop ? 0 : 1; k < inputs.size(); ++k) {
      to.passed.push_back(inputs[k].node);
      shapes.push_back(loop && static_cast<int>(k) < results ? shape_of(v + static_cast<int>(k)) : shape_of(inputs[k].node));
    }
    const auto body = [&](std::size_t k) { return graph_.view().body(n, key_of_body(v, k)); };
    for (std::size_t k = 0; k < 2; ++k) to.bodies.push_back(std::make_unique<planned_routine>(body(k), stretch<shape>(shapes), true));
    for (int k = 0; k < results; ++k) {
      to.bytes.push_back(static_cast<index>(bytes_of_value(dtype_of_node(v + k), shape_of(v + k))));
      if (loop) to.in_place.push_back(to.bodies[1]->can_write_in_place(k));
    }
    if (!loop) return;
    if (!has_effects(body(0))) to.trips = known_trips(graph_.view(), v);
    check_carried(v, results, to);
  }
  bool can_write_in_place(int k) const { return !late_ && !failure_ && writes_in_place(view_of(graph_.view(), plan_), k, k); }
  void check_carried(int v, int results, step_data& to) {
    if (to.bodies[1]->late_ || to.bodies[1]->failure_) return;
    for (int k = 0; k < results; ++k) {
      const shape after = to.bodies[1]->result_shape(at(k));
      if (shape_of(v + k) == after) continue;
      // Only a trip fails.
      to.bodies[1]->failure_ = carried_extents_changed(shape_of(v + k), after).view();
    }
  }

  // The dense memory of a value: its own, or a copy in `spare`.
  const void* dense_data(const frame& fr, int v, std::vector<std::unique_ptr<workspace>>& spare) const {
    if (plan_.values[v].dense) return fr.data[v];
    any_view from = view_of_node(v);
    from.data = fr.data[v];
    spare.push_back(std::make_unique<workspace>(bytes_of_value(from.dtype, from.extents)));
    copy_untyped(from, spare.back()->data(), row_major_strides(from.extents));
    return spare.back()->data();
  }

  void run_control(const frame& fr, const step_data& s) const {
    std::vector<std::unique_ptr<workspace>> spare;
    std::vector<const void*> arguments;
    for (int v : s.passed) arguments.push_back(dense_data(fr, v, spare));
    if (s.in_place.empty() && graph_.node(s.node).attribute("cond").key.empty()) {
      std::vector<void*> results;
      for (std::size_t k = 0; k < s.bytes.size(); ++k) results.push_back(fr.data[s.node + static_cast<int>(k)]);
      const bool yes = *static_cast<const bool*>(fr.data[operands(s.node)[0].node]);
      s.bodies[yes ? 0 : 1]->run(arguments.data(), results.data(), fr.tape);
    } else {
      run_loop_of_bodies(fr, s, arguments, spare);
    }
    while (!spare.empty()) spare.pop_back();
  }
  // A carried value is in its home and in spare memory by turns, unless it is written in place.
  void run_loop_of_bodies(const frame& fr, const step_data& s, std::vector<const void*>& arguments,
                          std::vector<std::unique_ptr<workspace>>& spare) const {
    const std::size_t n = s.bytes.size();
    std::vector<void*> next(n), home(n), other(n);
    for (std::size_t k = 0; k < n; ++k) {
      home[k] = fr.data[s.node + static_cast<int>(k)];
      if (s.in_place[k]) {
        if (arguments[k] != home[k] && s.bytes[k] > 0) std::memcpy(home[k], arguments[k], at(s.bytes[k]));
        arguments[k] = other[k] = home[k];
      } else {
        spare.push_back(std::make_unique<workspace>(at(s.bytes[k])));
        other[k] = spare.back()->data();
      }
      next[k] = arguments[k] == home[k] ? other[k] : home[k];
    }
    bool again = false;
    void* const answer[] = {&again};
    for (index trip = 0; trip != s.trips; ++trip) {
      if (s.trips < 0) s.bodies[0]->run(arguments.data(), answer, fr.tape);
      if (s.trips < 0 && !again) break;
      s.bodies[1]->run(arguments.data(), next.data(), fr.tape);
      for (std::size_t k = 0; k < n; ++k) {
        arguments[k] = next[k];
        next[k] = arguments[k] == home[k] ? other[k] : home[k];
      }
    }
    for (std::size_t k = 0; k < n; ++k)
      if (arguments[k] != home[k] && s.bytes[k] > 0) std::memcpy(home[k], arguments[k], at(s.bytes[k]));
  }

  const known_arguments<>* known_;
  std::vector<step_data> steps_;
  std::vector<region_data> regions_;
  region_tasks tasks_;
};

}  // namespace jig::detail
