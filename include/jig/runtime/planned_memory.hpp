// SPDX-License-Identifier: MIT
#pragma once
// Where the values of a plan that is made at run time lie: a pointer for each node, found at the start of a call or behind the step that
// tells it.

#include <jig/eval/control.hpp>
#include <jig/passes/lower.hpp>
#include <jig/runtime/node_functions.hpp>

#include <optional>
#include <string>
#include <vector>

namespace jig::detail {

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

/// A graph planned for arguments of given extents, which are dense, and the places of its values.
template <class Graph = graph_view>
class planned_memory {
 protected:
  enum class source : unsigned char { argument, result, workspace, constant, view };
  // Where the memory of a node is found at the start of a call.
  struct placed {
    int node;
    source from;
    int number;
    index offset;  // in bytes
  };
  struct frame {
    void** data;  // by node: its first element
    call_tape* tape;
  };

  template <class I>
  static constexpr std::size_t at(I i) {
    return static_cast<std::size_t>(i);
  }
  const shape& shape_of(int v) const { return plan_.shapes[plan_.values[v].shape]; }
  dtype dtype_of_node(int v) const { return graph_.nodes[v].spec.dtype; }
  const op& kind(int v) const { return *graph_.nodes[v].kind; }
  stretch<edge> operands(int v) const { return graph_.view().inputs_of(v); }
  std::string_view key_of_body(int v, std::size_t k) const {
    constexpr std::string_view keys[] = {"then_branch", "else_branch", "cond", "body"};
    return keys[(graph_.node(v).attribute("cond").key.empty() ? 0 : 2) + k];
  }
  std::size_t pointer_bytes() const { return aligned_size(at(graph_.size()) * sizeof(void*)); }
  static std::size_t bytes_of_value(dtype d, const shape& s) { return at(s.size()) * element_bytes(d); }

  planned_memory(const Graph& g, stretch<shape> input_shapes, bool is_body, bool concurrent = false) {
    list<char> dense;
    for (std::size_t k = 0; k < g.inputs().size(); ++k) dense.push_back(1);
    graph_ = passes_of_interpreter::run<Graph>(g, {dense, input_shapes});
    plan_ = make_plan(graph_, dense, input_shapes, planned_for::interpreter, concurrent);
    late_ = plan_.extents.symbols > 0;
    if (late_) return;
    check_extents(is_body);
    if (!failure_) lay_out();
  }
  /// Units: bytes that a call needs.
  std::size_t bytes_of_call() const { return pointer_bytes() + arena_; }
  frame find_values(char* memory, const void* const* arguments, void* const* results, call_tape* tape) const {
    const frame fr{reinterpret_cast<void**>(memory), tape};
    char* arena = memory + pointer_bytes();
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
    return fr;
  }
  void check_extents(bool is_body) {
    for (const auto& e : plan_.extents.expressions) {
      if (!e.checked || e.relation == extent_algebra::relation::at_most || !refuses(e)) continue;
      const message why = refusal_of(e);
      if (!is_body) throw_invalid_argument(why.view());
      failure_ = why.view();
      return;
    }
  }
  message refusal_of(const extent_expression& e) {
    if (e.relation == extent_algebra::relation::equal && !has_rule(kind(e.node)))
      return different_extents(kind(e.node).name, is_op(kind(e.node), ops::if_op), e.a, e.b);
    node_facts facts(graph_.view(), e.node);
    for (std::size_t i = 0; i < facts.inputs().size(); ++i) facts.inputs()[i].shape = shape_of(operands(e.node)[i].node);
    const rule_context given = facts.context();
    return rule_failure({kind(e.node).name, true, false, {}, kind(e.node).rule, given.inputs, given.attributes}, nullptr);
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
        case place::joined:
        case place::padded_read: break;
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
          else
            kind(v).restride({facts.context().attributes, shape_of(value.number), strides_[at(value.number)], shape_of(v)}, offset,
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
    if (i < 0 || i >= extent) [[unlikely]]
      throw_bad_index(kind(v).name, i, axis, extent);
    fr.data[v] = moved(from, i * strides_[at(value.number)][axis] * static_cast<index>(element_bytes(dtype_of_node(v))));
  }

  any_view view_of_node(int v) const { return {dtype_of_node(v), nullptr, shape_of(v), strides_[at(v)]}; }
  // Whether stored value w may lie where value v is read. A loop may write a result over the argument that was it before.
  bool same_memory(int v, int w) const {
    const auto &a = plan_.values[base_of(values(), v)], &b = plan_.values[w];
    if (a.place == place::chunk) return base_of(values(), v) == w;
    return (a.place == b.place || (a.place == place::argument && b.place == place::result)) && a.number == b.number;
  }
  stretch<planned_value> values() const { return plan_.values; }

  graph graph_;
  plan plan_;
  bool late_ = false;
  std::optional<std::string> failure_;
  std::vector<shape> strides_;
  std::vector<char> through_part_;
  std::vector<placed> placed_, later_;
  std::vector<any_tensor> constants_;
  std::size_t arena_ = 0;
};

}  // namespace jig::detail
