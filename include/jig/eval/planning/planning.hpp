// SPDX-License-Identifier: MIT
#pragma once
// What all parts of the planner know: the graph, the plan so far, and marks on nodes.

#include <jig/eval/plan.hpp>
#include <jig/passes/blocks_of_memory.hpp>

#include <cstdint>

namespace jig::detail {

class planning {
 public:
  constexpr planning(const graph_view& g, stretch<char> dense_arguments, const given_extents& given, planned_for evaluator, bool concurrent)
      : evaluator_(evaluator),
        concurrent_(concurrent),
        g_(g),
        size_(g.size()),
        nodes_(g.nodes_.data()),
        edges_(g.edges_.data()),
        dense_(dense_arguments),
        given_(given),
        facts_(size_),
        level_(size_),
        latest_(size_),
        wanted_by_(size_),
        mark_(size_),
        must_store_(size_),
        is_output_(size_),
        loop_result_(size_),
        last_at_level_(size_ + 1),
        single_(size_),
        stacks_(size_) {}

 protected:
  static constexpr int nobody = -1, several = -2;

  struct group {
    step_kind kind;
    int level;
    int space;
    int node;               // of a kernel or control node; one of the roots otherwise
    int before;             // the group before it on its level, of loops and reductions
    std::uint64_t sources;  // see group_planner::find_sources
  };

  // Short forms: constant evaluation is slow, and these are what it does most.
  constexpr const op& kind(int v) const { return *nodes_[v].kind; }
  constexpr bool is(int v, fact f) const { return (facts_[v] & static_cast<unsigned>(f)) != 0; }
  constexpr bool elementwise(int v) const { return is(v, fact::elementwise); }
  constexpr bool reduction(int v) const { return is(v, fact::reduction); }
  constexpr bool leaf(int v) const { return is(v, fact::input | fact::constant); }
  constexpr bool view(int v) const { return is(v, fact::view); }
  constexpr bool part(int v) const { return is(v, fact::dynamic_slice) && view(v); }
  constexpr bool slices_first_axis(int v) const {
    const index axis = g_.node(v).attribute("axis").values[0];
    return axis == 0 || axis == -extents(operands(v)[0].node).rank;
  }
  constexpr bool puts(int v) const { return is(v, fact::dynamic_update); }
  constexpr int element_of(int v) const { return operands(v)[2].node; }
  // Whether a loop stores what is computed of the operands of v side by side.
  constexpr bool stacks(int v) const { return stacks_[v] != 0; }
  constexpr bool has_equal_parts(int v) const {
    for (const auto& e : operands(v))
      if (!(extents(e.node) == extents(operands(v)[0].node))) return false;
    return true;
  }
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
  // Whether v is a single element in registers of another size than what it is made of. In the loop of a tensor it would halve these, and
  // be converted in every trip.
  constexpr bool converts_number(int v) const {
    if (nodes_[v].kind != &ops::cast) return false;
    const int from = operands(v)[0].node;
    return single(from) && size_of(nodes_[from].spec.dtype) != size_of(nodes_[v].spec.dtype);
  }
  // Whether a loop over the shape of `space` computes v where it needs it: v has that shape, as far as is known before
  // the call, or a single element.
  constexpr bool computable_in(int v, int space) const {
    if (!elementwise(v)) return false;
    if (same_shape(v, space)) return true;
    if (single(v) && !single(space)) return !converts_number(v);
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
    if (stacks(v)) return elementwise(w);
    return elementwise(v) ? computable_in(w, v) : puts(v) ? w == element_of(v) : fuses(v) && elementwise(w);
  }

  constexpr int shape_number(const shape& s) {
    for (std::size_t i = out_.shapes.size(); i-- > 0;)
      if (out_.shapes[i] == s) return static_cast<int>(i);
    out_.shapes.push_back(s);
    single_shape_.push_back(s.size() == 1);
    return static_cast<int>(out_.shapes.size()) - 1;
  }
  // Whether what a view or part shows of dense memory is dense, and where a block begins.
  constexpr bool shows_dense(int v, index& offset) const {
    return part(v) ? slices_first_axis(v) : is(v, fact::keeps_order) || is_block(v, offset);
  }
  // Whether a view of dense memory shows a dense block of it, such as some rows, and where that begins.
  constexpr bool is_block(int v, index& offset) const {
    const shape &from = out_.extents.shapes[at(operands(v)[0].node)], &to = out_.extents.shapes[at(v)];
    return !any_late_ && shows_block(g_, v, from, to, offset);
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
  // The elements of v along its axes from some axis on; 0 where only a call knows.
  constexpr index size_behind(int v, int axis) const {
    index n = 1;
    for (const shape& s = extents(v); axis < s.rank; ++axis) n *= is_static_extent(s[axis]) ? s[axis] : 0;
    return n;
  }
  constexpr bool late(int v) const {
    const shape& s = extents(v);
    for (int a = 0; any_late_ && a < s.rank; ++a)
      if (known_after(s[a]) >= 0) return true;
    return false;
  }

  static constexpr int max_level = 1 << 30;
  planned_for evaluator_;
  bool concurrent_;  // Regions that need not wait for one another may run at the same time.
  graph_view g_;
  int size_;
  const node_data* nodes_;
  const edge* edges_;
  stretch<char> dense_;
  given_extents given_;
  plan out_;
  list<unsigned> facts_;
  list<int> level_, latest_, wanted_by_, mark_;
  list<char> must_store_, is_output_;
  list<int> loop_result_;
  list<int> last_at_level_;  // one more than the number of the last group of a level that may get more nodes
  list<char> single_, stacks_;
  bool any_late_ = false;
  list<int> order_;
  list<std::uint64_t> sources_;
  list<char> single_shape_;
  list<group> groups_;
};

}  // namespace jig::detail
