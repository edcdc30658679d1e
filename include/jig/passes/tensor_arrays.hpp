// SPDX-License-Identifier: MIT
#pragma once
// Tensor arrays that a loop does nothing with but write: they need no zeros where every element is written, and where only
// transposed ones are used behind the loop, each element is written to where the transpose would put it.

#include <jig/graph/walk.hpp>
#include <jig/ops/arithmetic.hpp>
#include <jig/ops/compare.hpp>
#include <jig/ops/control.hpp>
#include <jig/ops/shape_of.hpp>
#include <jig/ops/tensor_array.hpp>
#include <jig/ops/transpose.hpp>

namespace jig {

namespace detail {

class array_layout {
 public:
  constexpr graph run(const graph_view& g) {
    copy(g, list<int>(g.size()));
    return std::move(out_);
  }

 private:
  // An array that a loop of a graph carries: which node makes it, and along which axis of its memory its elements lie.
  struct written_array {
    int loop, carried, made_by, axis;
    bool whole;
  };

  static constexpr bool is(const graph_view& g, int id, const op& kind) { return is_op(*g.data(id).kind, kind); }
  static constexpr int uses(const graph_view& g, const edge& e) {
    int n = 0;
    for (int id = 0; id < g.size(); ++id)
      for (const auto& in : g.inputs_of(id)) n += in == e;
    for (const auto& out : g.outputs()) n += out == e;
    return n;
  }
  // The number of the argument that an edge is, or -1.
  static constexpr int argument(const graph_view& g, const edge& e) {
    for (std::size_t k = 0; k < g.inputs().size(); ++k)
      if (g.inputs()[k] == e.node) return static_cast<int>(k);
    return -1;
  }
  static constexpr bool is_number(const graph_view& g, const edge& e, index value) {
    return g.data(e.node).kind->is(fact::constant) && g.spec(e).shape.rank == 0 &&
           g.node(e).attribute("value").words[0] == static_cast<std::uint64_t>(value);
  }

  static constexpr list<written_array> find(const graph_view& g) {
    list<written_array> found;
    for (int id = 0; id < g.size(); ++id) {
      const auto n = g.node(id);
      if (!is(g, id, ops::while_op) || !n.attribute("effects_only").key.empty()) continue;
      const graph_view condition = g.body(n, "cond"), body = g.body(n, "body");
      for (int k = 0; k < n.outputs(); ++k) {
        const auto which = static_cast<std::size_t>(k);
        const edge init = n.inputs()[which], inside{body.inputs()[which], 0}, next = body.outputs()[which];
        if (!is(g, init.node, ops::new_array) || !g.node(init).attribute("count").key.empty() || uses(g, init) != 1 ||
            uses(condition, {condition.inputs()[which], 0}) != 0)
          continue;
        if (!is(body, next.node, ops::array_write) || !(body.inputs_of(next.node)[0] == inside)) continue;
        if (uses(body, inside) != 1 || uses(body, next) != 1) continue;
        found.push_back({id, k, init.node, axis_behind(g, {id, k}), writes_all(g, n, condition, body, next.node, init.node)});
      }
    }
    return found;
  }

  // Where the first axis goes in all that is made of a value; 0 if it stays or other axes change places too.
  static constexpr int axis_behind(const graph_view& g, const edge& array) {
    int axis = 0;
    for (const auto& e : g.outputs())
      if (e == array) return 0;
    for (int id = 0; id < g.size(); ++id)
      for (const auto& in : g.inputs_of(id)) {
        if (!(in == array)) continue;
        if (!is(g, id, ops::transpose)) return 0;
        const auto order = g.node(id).attribute("perm").values;
        int to = 0;
        while (order[static_cast<std::size_t>(to)] != 0) ++to;
        for (int a = 0; a < static_cast<int>(order.size()); ++a)
          if (order[static_cast<std::size_t>(a)] != (a < to ? a + 1 : a == to ? 0 : a)) return 0;
        if (axis != 0 && axis != to) return 0;
        axis = to;
      }
    return axis;
  }

  // Whether a loop counts from 0 to the number of elements, by ones, and writes the element with that number in every trip.
  static constexpr bool writes_all(const graph_view& g, const node_view& loop, const graph_view& condition, const graph_view& body,
                                   int writer, int made_by) {
    const int counter = argument(body, body.inputs_of(writer)[1]);
    if (counter < 0 || counter >= loop.outputs()) return false;
    const auto c = static_cast<std::size_t>(counter);
    const edge next = body.outputs()[c], test = condition.outputs()[0];
    if (!is_number(g, loop.inputs()[c], 0) || !is(body, next.node, ops::add) || !is(condition, test.node, ops::less)) return false;
    const auto sum = body.inputs_of(next.node), compared = condition.inputs_of(test.node);
    if (argument(body, sum[0]) != counter || !is_number(body, sum[1], 1) || argument(condition, compared[0]) != counter) return false;
    const index count = g.data(made_by).spec.shape[0];
    if (is_static_extent(count) && is_number(condition, compared[1], count)) return true;
    const int limit = argument(condition, compared[1]);
    if (limit < loop.outputs()) return false;
    return is_extent(g, loop.inputs()[static_cast<std::size_t>(limit)], g.inputs_of(made_by)[0],
                     g.node(made_by).attribute("axis").values[0]);
  }
  // Whether an edge is the extent of `of` along an axis.
  static constexpr bool is_extent(const graph_view& g, const edge& e, const edge& of, index axis) {
    if (!is(g, e.node, ops::strided_slice)) return false;
    const edge extents = g.inputs_of(e.node)[0];
    return is(g, extents.node, ops::shape_of) && g.inputs_of(extents.node)[0] == of &&
           g.node(e).attribute("shrink_axis_mask").values[0] == 1 && g.node(e).attribute("begin").values[0] == axis;
  }

  static constexpr tensor_spec moved(tensor_spec s, int axis) {
    for (int a = 0; a < axis; ++a) std::swap(s.shape[a], s.shape[a + 1]);
    return s;
  }

  // Copies a node with other attributes besides its own.
  constexpr int copy_with(const graph_view& g, int id, const list<edge>& inputs, int axis, bool whole) {
    const auto n = g.node(id);
    const index number[] = {axis}, yes[] = {1};
    list<attribute_view> with = n.attributes();
    if (axis != 0) with.push_back({"element_axis", attribute_kind::integer, number, {}, {}});
    if (whole) with.push_back({"uninitialized", attribute_kind::boolean, yes, {}, {}});
    return out_.add(n.kind(), moved(n.spec(), axis), inputs, with).node;
  }

  // Copies all nodes. By node, `axes` tells of arguments along which axis their elements lie.
  constexpr void copy(const graph_view& g, list<int> axes) {
    const list<written_array> arrays = find(g);
    list<edge> first;  // output of a node
    auto renamed = [&](const edge& e) { return edge{first[e.node].node, first[e.node].port + e.port}; };
    for (int id = 0; id < g.size(); ++id) {
      list<edge> inputs;
      for (const auto& e : g.inputs_of(id)) inputs.push_back(renamed(e));
      int axis = axes[id];
      bool changed = axis != 0, whole = false;
      if (is(g, id, ops::array_write) && axes[g.inputs_of(id)[0].node] != 0) changed = (axis = axes[g.inputs_of(id)[0].node]) != 0;
      for (const auto& a : arrays)
        if (a.made_by == id) {
          changed = true;
          axis = a.axis;
          whole = a.whole;
        }
      edge transposed{};
      if (is(g, id, ops::transpose))
        for (const auto& a : arrays)
          if (a.axis != 0 && g.inputs_of(id)[0] == edge{a.loop, a.carried}) transposed = inputs[0];
      if (transposed.node >= 0) first.push_back(transposed);
      else if (g.data(id).kind->is(fact::control)) first.push_back({copy_control(g, id, inputs, arrays), 0});
      else if (changed) first.push_back({copy_with(g, id, inputs, axis, whole), 0});
      else first.push_back({copy_node(out_, g, id, renamed), 0});
    }
    for (int id : g.inputs()) out_.input_nodes.push_back(first[id].node);
    for (const auto& e : g.outputs()) out_.output_edges.push_back(renamed(e));
  }
  constexpr int copy_control(const graph_view& g, int id, const list<edge>& inputs, const list<written_array>& arrays) {
    const auto n = g.node(id);
    list<attribute_view> with;
    list<index> bodies(n.attribute_count());
    for (int i = 0; i < n.attribute_count(); ++i) {
      auto a = n.attribute(i);
      if (a.kind == attribute_kind::body) {
        const graph_view body = g.body(a.values[0]);
        list<int> axes(body.size());
        for (const auto& w : arrays)
          if (w.loop == id) axes[body.inputs()[static_cast<std::size_t>(w.carried)]] = w.axis;
        auto around = out_.begin_body();
        copy(body, axes);
        bodies[i] = out_.end_body(std::move(around));
        a.values = {&bodies[i], 1};
      }
      with.push_back(a);
    }
    auto spec = [&](int port) {
      for (const auto& w : arrays)
        if (w.loop == id && w.carried == port) return moved(n.spec(port), w.axis);
      return n.spec(port);
    };
    const int made = out_.add(n.kind(), spec(0), inputs, with).node;
    for (int port = 1; port < n.outputs(); ++port) out_.add_output(spec(port));
    return made;
  }

  graph out_;
};

}  // namespace detail

/// The graph with the elements of tensor arrays where they are wanted, and without the zeros that nobody sees.
constexpr graph lay_out_arrays(const graph_view& g) { return detail::array_layout().run(g); }

}  // namespace jig
