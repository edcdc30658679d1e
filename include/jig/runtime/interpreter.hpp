// SPDX-License-Identifier: MIT
#pragma once
// The interpreter: a graph that is known at run time only is planned for the extents of its arguments, and runs step by step
// through kernels that are compiled once for each dtype.

#include <jig/eval/control.hpp>
#include <jig/runtime/any_tensor.hpp>
#include <jig/runtime/block_program.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace jig::detail {

template <class Op>
const runtime_kernel& runtime_kernel_for(const Op& kind) {
  const runtime_kernel* k = find_runtime_kernel(kind);
  if (k == nullptr) [[unlikely]] {
    message m;
    m << kind.name << ": this program has no kernel of it that takes run-time dtypes: include jig/runtime/all_kernels.hpp";
    throw_invalid_argument(m.view());
  }
  return *k;
}

inline std::size_t element_bytes(dtype d) { return d == dtype::string ? sizeof(std::string) : size_of(d); }

template <class Op>
block_function block_function_for(const Op& kind, stretch<dtype> inputs, dtype result) {
  const block_function f = runtime_kernel_for(kind).block(inputs, result);
  if (f == nullptr) {
    message m;
    m << kind.name << ": there is no such operation on these dtypes";
    throw_invalid_argument(m.view());
  }
  return f;
}

/// Adds an elementwise node and returns its entry. More operands than there are functions for, which only sums have, are added up
/// in turns.
template <class Program>
int add_elementwise(Program& program, const op& kind, std::vector<int> from, std::vector<dtype> types, dtype result) {
  constexpr std::size_t most = 8;
  while (from.size() > most) {
    const int sum = program.add(block_function_for(kind, {types.data(), most}, result), {from.data(), most}, result);
    from.erase(from.begin() + 1, from.begin() + most);
    types.erase(types.begin() + 1, types.begin() + most);
    from[0] = sum;
    types[0] = result;
  }
  return program.add(block_function_for(kind, {types.data(), types.size()}, result), {from.data(), from.size()}, result);
}

/// A constant of a graph as a tensor.
template <class Tensor = any_tensor>
Tensor constant_tensor(const graph_view& g, int node) {
  const auto constant = g.node(node);
  const auto words = constant.attribute("value").words;
  Tensor out = Tensor::empty(constant.dtype(), constant.shape());
  std::string_view text = constant.attribute("text").text;
  with_type_of(constant.dtype(), [&]<class T>(const T&) {
    auto* to = static_cast<T*>(out.mutable_data());
    for (const auto word : words) {
      if constexpr (std::is_same_v<T, std::string>) {
        *to++ = text.substr(0, word);
        text.remove_prefix(word);
      } else {
        *to++ = from_word<T>(word);
      }
    }
  });
  return out;
}

/// Whether the planned interpreter can run a graph: it has no strings but in arguments, constants, views and results of kernels,
/// and all its extents follow from those of its arguments.
template <class Graph>
bool can_be_planned(const Graph& g) {
  return !has_varying_extents(g) && !holds_for_any(g, [](const Graph& in, const node_data& n) {
    if (n.kind->is(fact::input | fact::constant)) return false;
    if (n.spec.dtype == dtype::string) return true;
    for (const auto& e : stretch<edge>(in.edges_.data() + n.inputs.first, at(n.inputs.count)))
      if (n.kind->is(fact::elementwise | fact::reduction) && in.spec(e).dtype == dtype::string) return true;
    return false;
  });
}

/// A graph that is planned for arguments of given extents, which are dense. Immutable: threads may run it at the same time.
template <class Graph = graph_view>
class planned_routine {
 public:
  /// Errors: extents that the graph refuses throw invalid_argument, of a body when it runs.
  planned_routine(const Graph& g, stretch<shape> input_shapes, bool is_body = false) {
    list<char> dense;
    for (std::size_t k = 0; k < g.inputs().size(); ++k) dense.push_back(1);
    graph_ = prepared(g, dense);
    plan_ = make_plan(graph_, dense, input_shapes, planned_for::interpreter);
    late_ = plan_.extents.symbols > 0;
    if (late_) return;
    check_extents(is_body);
    if (failure_) return;
    lay_out();
    for (const auto& s : plan_.steps) add_step(s);
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
  /// The extents of a result.
  const shape& result_shape(std::size_t k) const { return shape_of(graph_.output_edges[k].node); }

  void run(const void* const* arguments, void* const* results, call_history* history) const {
    if (failure_) throw_invalid_argument(*failure_);
    const workspace memory(pointer_bytes() + arena_);
    frame fr{reinterpret_cast<void**>(memory.data()), history};
    char* arena = memory.data() + pointer_bytes();
    for (const auto& p : placed_) {
      void*& to = fr.data[p.node];
      switch (p.from) {
        case source::argument: to = const_cast<void*>(arguments[p.number]); break;
        case source::result: to = results[p.number]; break;
        case source::workspace: to = arena + p.offset; break;
        case source::constant: to = const_cast<void*>(constants_[at(p.number)].data()); break;
        case source::view: to = moved(fr.data[p.number], p.offset); break;
      }
    }
    for (const auto& s : steps_) {
      for (int v : s.parts) find_part(fr, v);
      switch (s.kind) {
        case step_kind::loop: run_loop(fr, s); break;
        case step_kind::control: run_control(fr, s); break;
        default: run_kernels(fr, s);
      }
    }
  }

 private:
  enum class source : unsigned char { argument, result, workspace, constant, view };
  // Where the memory of a node is found at the start of a call.
  struct placed {
    int node;
    source from;
    int number;
    index offset;  // in bytes
  };
  struct operand {
    int node;
    bool along;  // it runs along with the space, or is a single element
  };
  struct kernel_run {
    const runtime_kernel* kernel;
    int node;
    std::vector<any_view> inputs, outputs;
    std::vector<attribute_view> attributes;
  };
  struct step_data {
    step_kind kind;
    std::vector<int> parts;  // values to find first: their places depend on values of the call
    // Of a loop.
    block_program<> program;
    std::vector<int> leaves, roots;
    bool contiguous = true;
    index size = 0;
    run_space space;
    std::vector<run_operand> operands;
    // Of kernels and reductions.
    std::vector<kernel_run> kernels;
    // Of control flow: the branches, or condition and body.
    int node = -1;
    std::vector<std::unique_ptr<planned_routine>> bodies;
    std::vector<int> passed;  // what the bodies take besides a condition
    std::vector<index> bytes; // of the results
    std::vector<char> in_place;
  };
  struct frame {
    void** data;  // by node: its first element
    call_history* history;
  };

  template <class I>
  static constexpr std::size_t at(I i) {
    return static_cast<std::size_t>(i);
  }
  const shape& shape_of(int v) const { return plan_.shapes[plan_.values[v].shape]; }
  dtype dtype_of_node(int v) const { return graph_.nodes[v].spec.dtype; }
  const op& kind(int v) const { return *graph_.nodes[v].kind; }
  stretch<edge> operands(int v) const { return graph_.view().inputs_of(v); }
  std::size_t pointer_bytes() const { return aligned_size(at(graph_.size()) * sizeof(void*)); }
  static std::size_t bytes_of_value(dtype d, const shape& s) { return at(s.size()) * element_bytes(d); }

  void check_extents(bool is_body) {
    for (const auto& e : plan_.extents.expressions) {
      if (!e.checked || e.relation == extent_algebra::relation::at_most || !refuses(e)) continue;
      try {
        if (e.relation == extent_algebra::relation::equal && !has_rule(kind(e.node))) throw_different_extents(kind(e.node).name, is_op(kind(e.node), ops::if_op), e.a, e.b);
        node_facts facts(graph_.view(), e.node);
        for (std::size_t i = 0; i < facts.inputs().size(); ++i) facts.inputs()[i].shape = shape_of(operands(e.node)[i].node);
        const rule_context given = facts.context();
        throw_rule_failure({kind(e.node).name, true, false, kind(e.node).rule, given.inputs, given.attributes}, nullptr);
      } catch (const invalid_argument& why) {
        if (!is_body) throw;
        failure_ = why.what();
        return;
      }
    }
  }
  static bool refuses(const extent_expression& e) {
    using relation = extent_algebra::relation;
    if (!is_static_extent(e.a) || !is_static_extent(e.b)) return false;
    switch (e.relation) {
      case relation::equal: return e.a != e.b;
      case relation::broadcast: return e.a != e.b && e.a != 1 && e.b != 1;
      case relation::difference: return e.a < e.b;
      case relation::quotient: return e.b == 0 ? e.a != 0 : e.a % e.b != 0;
      default: return false;
    }
  }

  // Finds a place for every value that is stored, operands first.
  void lay_out() {
    std::vector<index> slot_offset;
    for (const auto& s : plan_.buffers) {
      slot_offset.push_back(static_cast<index>(arena_));
      arena_ += aligned_size(bytes_of_value(dtype_of_node(s.like), shape_of(s.like)));
      if (s.bytes > 0) arena_ = at(slot_offset.back()) + aligned_size((std::max)(arena_ - at(slot_offset.back()), at(s.bytes)));
    }
    strides_.resize(at(graph_.size()));
    through_part_.resize(at(graph_.size()));
    for (int v = 0; v < graph_.size(); ++v) {
      const planned_value& value = plan_.values[v];
      strides_[at(v)] = row_major_strides(shape_of(v));
      switch (value.place) {
        case place::registers:
        case place::chunk:
        case place::window: break;
        case place::argument: placed_.push_back({v, source::argument, value.number, 0}); break;
        case place::result: placed_.push_back({v, source::result, value.number, 0}); break;
        case place::workspace: placed_.push_back({v, source::workspace, value.number, slot_offset[at(value.number)]}); break;
        case place::constant:
        case place::immediate:
          placed_.push_back({v, source::constant, static_cast<int>(constants_.size()), 0});
          constants_.push_back(detail::constant_tensor(graph_.view(), v));
          break;
        case place::alias: {
          index offset = 0;
          node_facts facts(graph_.view(), v);
          if (value.dense) offset = value.offset;
          else kind(v).restride({facts.context().attributes, shape_of(value.number), strides_[at(value.number)], shape_of(v)}, offset,
                                strides_[at(v)]);
          through_part_[at(v)] = through_part_[at(value.number)];
          placed_.push_back({v, source::view, value.number, offset * static_cast<index>(element_bytes(dtype_of_node(v)))});
          if (through_part_[at(v)]) later_.push_back(placed_.back()), placed_.pop_back();
          break;
        }
        case place::part: {
          through_part_[at(v)] = 1;
          shape from = strides_[at(value.number)];
          strides_[at(v)] = {};
          const int axis = part_axis(v);
          for (int a = 0; a < from.rank; ++a)
            if (a != axis) strides_[at(v)].push_back(from[a]);
          break;
        }
      }
    }
  }
  int part_axis(int v) const {
    const index axis = graph_.node(v).attribute("axis").values[0];
    return static_cast<int>(axis < 0 ? axis + shape_of(plan_.values[v].number).rank : axis);
  }
  // Values without elements may have no memory.
  static char* moved(void* from, index bytes) { return from == nullptr ? nullptr : static_cast<char*>(from) + bytes; }
  // Lists the values on the way to v whose places depend on values of the call, outermost last.
  void need_part(std::vector<int>& parts, int v) const {
    if (!through_part_[at(v)]) return;
    const planned_value& value = plan_.values[v];
    need_part(parts, value.number);
    if (value.place == place::part) need_part(parts, operands(v)[1].node);
    for (int p : parts)
      if (p == v) return;
    parts.push_back(v);
  }
  void find_part(const frame& fr, int v) const {
    const planned_value& value = plan_.values[v];
    char* from = static_cast<char*>(fr.data[value.number]);
    if (value.place == place::alias) {
      for (const auto& p : later_)
        if (p.node == v) from = moved(from, p.offset);
      fr.data[v] = from;
      return;
    }
    const int axis = part_axis(v), which = operands(v)[1].node;
    const index extent = shape_of(value.number)[axis];
    const index i = with_type_of(dtype_of_node(which), [&]<class T>(const T&) {
      if constexpr (std::is_integral_v<T>) return static_cast<index>(*static_cast<const T*>(fr.data[which]));
      else return index{-1};
    });
    if (i < 0 || i >= extent) [[unlikely]] throw_bad_index(kind(v).name, i, axis, extent);
    fr.data[v] = moved(from, i * strides_[at(value.number)][axis] * static_cast<index>(element_bytes(dtype_of_node(v))));
  }

  void add_step(const planned_step& s) {
    step_data& to = steps_.emplace_back();
    to.kind = s.kind;
    for (int i = 0; i < s.leaves.count; ++i) need_part(to.parts, plan_.leaves[s.leaves.first + i]);
    if (s.kind == step_kind::loop) add_loop(s, to);
    else if (s.kind == step_kind::control) add_control(s.space, to);
    else
      for (int i = 0; i < s.roots.count; ++i) add_kernel(plan_.roots[s.roots.first + i], to);
  }

  void add_loop(const planned_step& s, step_data& to) {
    const shape& space = shape_of(s.space);
    to.size = space.size();
    std::vector<int> entry(at(graph_.size()), -1);
    for (int i = 0; i < s.leaves.count; ++i) {
      const int v = plan_.leaves[s.leaves.first + i];
      const bool moves = shape_of(v).size() != 1 || to.size == 1;
      entry[at(v)] = to.program.add_leaf(dtype_of_node(v), moves);
      to.leaves.push_back(v);
      to.contiguous = to.contiguous && (!moves || to.size == 1 || (plan_.values[v].dense && shape_of(v) == space));
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
      for (int leaf : to.leaves)
        if (same_memory(leaf, v)) shared.push_back(entry[at(leaf)]);
      to.program.add_root(entry[at(v)], {shared.data(), shared.size()});
      to.roots.push_back(v);
    }
    to.program.finish();
    if (to.contiguous) return;
    to.space.rank = space.rank;
    to.space.leaves = to.program.leaves();
    to.space.roots = to.program.roots();
    to.space.block_length = 256;
    for (int a = 0; a < space.rank; ++a) to.space.extents[a] = space[a];
    const shape dense = row_major_strides(space);
    for (std::size_t k = 0; k < to.leaves.size() + to.roots.size(); ++k) {
      run_operand& o = to.operands.emplace_back();
      const bool is_leaf = k < to.leaves.size();
      const int v = is_leaf ? to.leaves[k] : to.roots[k - to.leaves.size()];
      const index bytes = static_cast<index>(size_of(dtype_of_node(v)));
      const char* somewhere = "";
      if (is_leaf) set_operand(o, {somewhere, 0, shape_of(v), strides_[at(v)]}, space, at(bytes));
      else set_operand(o, {somewhere, 0, space, dense}, space, at(bytes));
      o.moves = !is_leaf || to.program.moves(static_cast<int>(k));
    }
  }
  // Whether stored value w may lie where value v is read. A loop may write a result over the argument that was it before.
  bool same_memory(int v, int w) const {
    const auto &a = plan_.values[base_of(values(), v)], &b = plan_.values[w];
    return (a.place == b.place || (a.place == place::argument && b.place == place::result)) && a.number == b.number;
  }
  stretch<planned_value> values() const { return plan_.values; }

  void run_loop(const frame& fr, const step_data& s) const {
    if (s.size == 0) return;
    const std::size_t leaves = s.leaves.size(), roots = s.roots.size();
    constexpr std::size_t room = 32;
    const void* leaf[room];
    void* root[room];
    if (leaves <= room && roots <= room) return run_loop_in(fr, s, leaf, root);
    std::vector<const void*> many_leaves(leaves);
    std::vector<void*> many_roots(roots);
    run_loop_in(fr, s, many_leaves.data(), many_roots.data());
  }
  void run_loop_in(const frame& fr, const step_data& s, const void** leaf, void** root) const {
    const std::size_t leaves = s.leaves.size(), roots = s.roots.size();
    for (std::size_t k = 0; k < leaves; ++k) leaf[k] = fr.data[s.leaves[k]];
    for (std::size_t k = 0; k < roots; ++k) root[k] = fr.data[s.roots[k]];
    if (s.contiguous && !is_shared(s.size)) return s.program(leaf, root, s.size);
    if (s.contiguous) return run_shared(s, leaf, root);
    run_space space = s.space;
    std::vector<run_operand> copies = s.operands;
    const workspace scratch(leaves * at(space.block_length) * 8 + leaves * sizeof(index));
    space.operands = copies.data();
    space.leaf = leaf;
    space.root = root;
    space.scratch = scratch.data();
    space.row_stride = reinterpret_cast<index*>(scratch.data() + leaves * at(space.block_length) * 8);
    for (std::size_t k = 0; k < copies.size(); ++k)
      copies[k].data = static_cast<char*>(k < leaves ? const_cast<void*>(leaf[k]) : root[k - leaves]);
    run_over(space, s.program);
  }
  static void run_shared(const step_data& s, const void* const* leaf, void* const* root) {
    share_blocks(s.size, shared_length, [&](index first, index length) {
      std::vector<const void*> from;
      std::vector<void*> to;
      for (int k = 0; k < s.program.leaves(); ++k)
        from.push_back(static_cast<const char*>(leaf[k]) + (s.program.moves(k) ? first * s.program.bytes_of_leaf(k) : 0));
      for (int k = 0; k < s.program.roots(); ++k) to.push_back(static_cast<char*>(root[k]) + first * s.program.bytes_of_root(k));
      s.program(from.data(), to.data(), length);
    });
  }

  any_view view_of_node(int v) const { return {dtype_of_node(v), nullptr, shape_of(v), strides_[at(v)]}; }
  void add_kernel(int v, step_data& to) {
    if (kind(v).is(fact::output)) return;
    kernel_run& k = to.kernels.emplace_back();
    k.kernel = &runtime_kernel_for(kind(v));
    k.node = v;
    for (const auto& e : operands(v)) k.inputs.push_back(view_of_node(e.node));
    for (int i = 0; i < outputs_in_prepared(graph_.view(), v); ++i) k.outputs.push_back(view_of_node(v + i));
    const auto n = graph_.node(v);
    for (int i = 0; i < n.attribute_count(); ++i) k.attributes.push_back(n.attribute(i));
  }
  void run_kernels(const frame& fr, const step_data& s) const {
    for (const auto& k : s.kernels) {
      const std::size_t in = k.inputs.size(), out = k.outputs.size();
      constexpr std::size_t room = 8;
      std::vector<any_view> more;
      any_view few[room];
      any_view* views = few;
      if (in + out > room) {
        more.resize(in + out);
        views = more.data();
      }
      for (std::size_t i = 0; i < in; ++i) {
        views[i] = k.inputs[i];
        views[i].data = fr.data[operands(k.node)[i].node];
      }
      for (std::size_t i = 0; i < out; ++i) {
        views[in + i] = k.outputs[i];
        views[in + i].data = fr.data[k.node + static_cast<int>(i)];
      }
      kernel_call call;
      call.attributes = {k.attributes.data(), k.attributes.size()};
      call.inputs = {views, in};
      call.outputs = {views + in, out};
      call.history = fr.history;
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
    const std::string_view keys[] = {loop ? "cond" : "then_branch", loop ? "body" : "else_branch"};
    for (const auto key : keys)
      to.bodies.push_back(std::make_unique<planned_routine>(graph_.view().body(n, key), stretch<shape>(shapes.data(), shapes.size()), true));
    for (int k = 0; k < results; ++k) {
      to.bytes.push_back(static_cast<index>(bytes_of_value(dtype_of_node(v + k), shape_of(v + k))));
      if (loop) to.in_place.push_back(to.bodies[1]->can_write_in_place(k));
    }
    if (loop) check_carried(v, results, to);
  }
  bool can_write_in_place(int k) const { return !late_ && !failure_ && writes_in_place(view_of(graph_.view(), plan_), k, k); }
  void check_carried(int v, int results, step_data& to) {
    if (to.bodies[1]->late_ || to.bodies[1]->failure_) return;
    for (int k = 0; k < results; ++k) {
      const shape after = to.bodies[1]->result_shape(at(k));
      if (shape_of(v + k) == after) continue;
      // Only a trip fails.
      try {
        throw_carried_extents(shape_of(v + k), after);
      } catch (const invalid_argument& why) {
        to.bodies[1]->failure_ = why.what();
      }
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
      s.bodies[yes ? 0 : 1]->run(arguments.data(), results.data(), fr.history);
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
    while (s.bodies[0]->run(arguments.data(), answer, fr.history), again) {
      s.bodies[1]->run(arguments.data(), next.data(), fr.history);
      for (std::size_t k = 0; k < n; ++k) {
        arguments[k] = next[k];
        next[k] = arguments[k] == home[k] ? other[k] : home[k];
      }
    }
    for (std::size_t k = 0; k < n; ++k)
      if (arguments[k] != home[k] && s.bytes[k] > 0) std::memcpy(home[k], arguments[k], at(s.bytes[k]));
  }

  graph graph_;
  plan plan_;
  bool late_ = false;
  std::optional<std::string> failure_;
  std::vector<shape> strides_;
  std::vector<char> through_part_;
  std::vector<placed> placed_, later_;
  std::vector<any_tensor> constants_;
  std::vector<step_data> steps_;
  std::size_t arena_ = 0;
};

}  // namespace jig::detail
