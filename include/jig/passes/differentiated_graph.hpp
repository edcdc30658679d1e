// SPDX-License-Identifier: MIT
#pragma once
// What making gradients appends to a graph besides the gradients of ops: bodies once more, and what loops keep for the way back.

#include <jig/ops/effect.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/ops/select.hpp>
#include <jig/ops/source.hpp>
#include <jig/ops/tensor_array.hpp>
#include <jig/passes/loop_values.hpp>

namespace jig::detail {

/// What the gradients of ops have for their arithmetic.
inline constexpr gradient_ops made_of_ops{.gradient = ops::gradient,
                                          .constant = ops::constant,
                                          .add = ops::add,
                                          .subtract = ops::subtract,
                                          .multiply = ops::multiply,
                                          .divide = ops::divide,
                                          .negate = ops::neg,
                                          .select = ops::select,
                                          .equal = ops::equal,
                                          .less = ops::less,
                                          .greater_equal = ops::greater_equal,
                                          .log = ops::log,
                                          .cast = ops::cast,
                                          .sum = ops::reduce_sum,
                                          .squeeze = ops::squeeze,
                                          .expand_dims = ops::expand_dims,
                                          .zeros_like = ops::zeros_like,
                                          .ones_like = ops::ones_like,
                                          .broadcast_like = ops::broadcast_like,
                                          .sum_like = ops::sum_like,
                                          .shrinkage = ops::shrinkage};

/// A graph to which gradients are appended, and why that cannot be done.
template <class Graph>
class differentiated_graph {
 protected:
  constexpr explicit differentiated_graph(message* why) : why_(why) {}

  constexpr void fail(const message& why) {
    if (!failed_ && why_) *why_ = why;
    failed_ = true;
  }

  static constexpr edge push(graph_extender& inside, index tape, const edge& position, const edge& value) {
    const edge inputs[] = {position, value};
    const attribute_view with{"tape", attribute_kind::integer, {&tape, 1}};
    return inside.append(ops::tape_write, inputs, {&with, 1});
  }

  static constexpr edge recall(graph_extender& inside, index tape, const edge& count, const edge& position, const edge& like) {
    const edge inputs[] = {count, position, like};
    const attribute_view with{"tape", attribute_kind::integer, {&tape, 1}};
    return inside.append(ops::tape_read, inputs, {&with, 1});
  }

  constexpr edge body_input(const tensor_spec& spec) {
    edge e = out_.add(ops::placeholder, spec, {});
    out_.input_nodes.push_back(e.node);
    return e;
  }

  // Appends the nodes of a body once more, with its effects or without; `values` are those of its inputs. Returns its results.
  constexpr list<edge> again(const graph_view& body, const list<edge>& values, bool with_effects = false) {
    list<edge> moved(body.size());
    for (std::size_t k = 0; k < values.size(); ++k) moved[body.inputs()[k]] = values[k];
    auto renamed = [&](const edge& e) {
      const edge to = moved[e.node];
      if (to.node < 0) fail_for_effect(*body.data(e.node).kind);
      return edge{to.node, to.port + e.port};
    };
    for (int id = 0; id < body.size(); ++id) {
      const node_data& n = body.data(id);
      if (n.kind->is(fact::input)) continue;
      if (n.kind->is(fact::stateful) && !with_effects) {
        // Effects happened already; what they hand on is their input.
        if (n.inputs.count > 0 && is_op(*n.kind, ops::check_numerics)) moved[id] = renamed(body.inputs_of(id)[0]);
        continue;
      }
      prepare_loop(body, id, renamed);
      moved[id] = {copy_node(out_, body, id, renamed,
                             [&](graph& into, const graph_view& inner) {
                               auto around = into.begin_body();
                               list<edge> inputs;
                               for (int k : inner.inputs()) inputs.push_back(body_input(inner.data(k).spec));
                               const list<edge> results = again(inner, inputs, with_effects);
                               for (const auto& e : results) into.output_edges.push_back(e);
                               return into.end_body(std::move(around));
                             }),
                   0};
    }
    list<edge> results;
    for (const auto& e : body.outputs()) results.push_back(renamed(e));
    return results;
  }
  constexpr void fail_for_effect(const op& kind) {
    message m;
    m << "gradient: " << kind.name << " inside a branch or loop would happen twice";
    fail(m);
  }

  // Before a loop stands what it begins with when it carries something for its gradient: arrays for the values that it carries, where
  // the number of its trips and the extents are known, and a count.
  constexpr void prepare_loop(const auto& g, int id, const auto& renamed) {
    const node_view loop = g.node(id);
    if (!is_op(loop.kind(), ops::while_op)) return;
    list<edge> start;
    list<tensor_spec> carried;
    for (int k = 0; k < carried_by(loop); ++k) {
      start.push_back(renamed(loop.inputs()[static_cast<std::size_t>(k)]));
      carried.push_back(loop.spec(k));
    }
    prepare_loop(g.body(loop, "body"), start, carried, known_trips(g, id));
  }
  constexpr void prepare_loop(const graph_view& body, const list<edge>& start, const list<tensor_spec>& carried, index trips) {
    list<int> in_arrays;
    for (int k = 0; trips >= 0 && k < static_cast<int>(carried.size()); ++k)
      if (has_array(body, k, carried[k])) in_arrays.push_back(k);
    for (int k : in_arrays) add_array(start[k], carried[k], trips);
    add_zero();
  }
  // That count and these arrays, before a loop that stands there.
  struct prepared {
    edge zero;
    list<edge> arrays;
  };
  static constexpr prepared prepared_for(const graph_view& g, int loop) {
    const auto is_array = [&](int id) {
      return id >= 0 && is_op(*g.data(id).kind, ops::new_array) && !g.node(id).attribute("count").key.empty();
    };
    const int zero = loop - 1;
    int first = zero;
    while (is_array(first - 1)) --first;
    prepared out{{zero, 0}, {}};
    for (int id = first; id < zero; ++id) out.arrays.push_back({id, 0});
    return out;
  }
  static constexpr bool has_array(const graph_view& body, int k, const tensor_spec& s) {
    return s.dtype != dtype::string && s.shape.is_static() && s.shape.rank < max_rank && is_kept(body, k);
  }
  constexpr void add_array(const edge& like, const tensor_spec& element, index count) {
    const index zero = 0, yes = 1;
    const attribute_view with[] = {{"axis", attribute_kind::integer, {&zero, 1}},
                                   {"count", attribute_kind::integer, {&count, 1}},
                                   {"uninitialized", attribute_kind::boolean, {&yes, 1}}};
    shape extents{1, {count}};
    for (int axis = 0; axis < element.shape.rank; ++axis) extents.push_back(element.shape[axis]);
    const edge inputs[] = {like, like};
    require_declared(ops::gradient, ops::new_array);
    out_.add(ops::new_array, {element.dtype, extents}, inputs, with);
  }
  constexpr void add_zero() {
    const std::uint64_t zero = 0;
    add_constant(out_, dtype::int64, zero);
  }
  constexpr edge add_control(const op& kind, const list<edge>& inputs, std::string_view first, std::string_view second,
                             const index (&bodies)[2], const list<tensor_spec>& results) {
    attribute_view with[] = {{first, attribute_kind::body, {&bodies[0], 1}}, {second, attribute_kind::body, {&bodies[1], 1}}};
    edge e = out_.add(kind, results[0], inputs, with);
    for (std::size_t p = 1; p < results.size(); ++p) out_.add_output(results[p]);
    return e;
  }

  graph out_;
  bool failed_ = false;

 private:
  message* why_;
};

}  // namespace jig::detail
