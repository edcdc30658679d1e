// SPDX-License-Identifier: MIT
#pragma once
// Reverse mode: the gradients that a trace asks for become nodes of its graph. Every node on the way from a target back to the
// sources gets one adjoint, so the cost is linear in the graph. Branches run again, backwards, in a branch of their own; loops keep
// what they carry, trip by trip, for a loop that runs from the last trip to the first.

#include <jig/ops/control.hpp>
#include <jig/ops/effect.hpp>
#include <jig/ops/gradient.hpp>
#include <jig/ops/tensor_array.hpp>
#include <jig/trace/builder.hpp>
#include <jig/trace/loop_values.hpp>

namespace jig::detail {

/// What gradients of all ops are made of, those of loops included.
inline constexpr gradient_ops made_of_ops{
    .gradient = ops::gradient,
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
    .shrinkage = ops::shrinkage,
    .all =
        made_ops<ops::add, ops::subtract, ops::multiply, ops::divide, ops::neg, ops::select, ops::equal, ops::less, ops::greater_equal,
                 ops::log, ops::cast, ops::reduce_sum, ops::squeeze, ops::expand_dims, ops::zeros_like, ops::ones_like, ops::broadcast_like,
                 ops::sum_like, ops::shrinkage, ops::tape_write, ops::tape_read, ops::new_array, ops::array_write, ops::gather>};

/// A graph without gradients that are still to be made, or why there is none.
struct differentiated {
  jig::graph graph;
  trace_failure failure = trace_failure::none;
};

template <class Graph>
class differentiation {
 public:
  constexpr explicit differentiation(message* why) : why_(why) {}

  constexpr differentiated run(const Graph& g) {
    expand(g, nullptr, -1);
    differentiated out;
    out.failure = failure_;
    if (failure_ == trace_failure::none) out.graph = without_leftovers(out_.view());
    return out;
  }

 private:
  // A block that is being copied, and the node around it whose body it is.
  struct block {
    const Graph& from;
    const block* around;
    int node;
    graph_extender to;
  };

  constexpr void fail(trace_failure f, const message& why) {
    if (failure_ == trace_failure::none && why_) *why_ = why;
    failure_ = f;
  }

  // Copies a block, with nodes in place of the gradients that it asks for.
  constexpr void expand(const Graph& from, const block* outer, int node) {
    block b{from, outer, node, graph_extender(out_, made_of_ops)};
    list<int> first(from.size());  // of each node; gradients are among `gradients`, counted from -1 down
    list<edge> gradients;
    auto renamed = [&](const edge& e) {
      const int to = first[e.node];
      return to >= 0 ? edge{to, e.port} : gradients[-1 - to + e.port];
    };
    for (int id = 0; id < from.size(); ++id) {
      if (!is_op(*from.data(id).kind, ops::gradient)) {
        prepare_loop(from, id, renamed);
        first[id] = copy_node(out_, from, id, renamed, [&](graph& to, const Graph& body) {
          auto around = to.begin_body();
          expand(body, &b, id);
          return to.end_body(std::move(around));
        });
        continue;
      }
      auto inputs = from.inputs_of(id);
      list<edge> sources;
      for (std::size_t k = 1; k < inputs.size(); ++k) sources.push_back(renamed(inputs[k]));
      check_ways_outside(b, id);
      first[id] = -1 - static_cast<int>(gradients.size());
      for (const auto& e : gradients_of(b.to, renamed(inputs[0]), sources)) gradients.push_back(e);
    }
    for (int id : from.inputs()) out_.input_nodes.push_back(first[id]);
    for (const auto& e : from.outputs()) out_.output_edges.push_back(renamed(e));
  }

  constexpr list<edge> gradients_of(graph_extender& to, const edge& target, const list<edge>& sources) {
    to.take_over();
    list<edge> out = backward(to, {target}, {to.number(to.spec(target).dtype, 1)}, sources);
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (out[k].node >= 0) {
        out[k] = to.broadcast(out[k], sources[k]);
        continue;
      }
      message m;
      m << "gradient: the target, " << to.spec(target) << ", does not depend on ";
      const auto name = out_.node(sources[k]).attribute("name").text;
      if (name.empty()) m << "source " << static_cast<index>(k) << ", " << to.spec(sources[k]);
      else m << name << ", " << to.spec(sources[k]);
      m << ", in a way that can be differentiated";
      fail(trace_failure::no_gradient, m);
      out[k] = sources[k];
    }
    return out;
  }

  // The adjoints of what a loop recalled from a tape, kept in another tape of the block by the same positions.
  struct kept_adjoints {
    int of, in;  // tapes
    edge last;   // of the loop that kept them
  };

  // One adjoint for each output of each node of a block as it is now.
  struct adjoints {
    list<edge> all;
    list<int> first;  // by node
    constexpr explicit adjoints(const graph& g) {
      int count = 0;
      for (const auto& n : g.nodes) {
        first.push_back(count);
        count += 1 + n.more_specs.count;
      }
      all = list<edge>(count);
    }
    constexpr edge& of(const edge& e) { return all[first[e.node] + e.port]; }
  };

  // What the sources get from the adjoints of the targets, added to what they have before; node -1 where there is nothing. All
  // are in the block that is at the end of the graph.
  constexpr list<edge> backward(graph_extender& to, const list<edge>& targets, const list<edge>& given, const list<edge>& sources,
                                const list<edge>& before = {}) {
    const int size = out_.size();
    list<char> depends(size), has_source(size);
    int first = size, last = 0;
    for (const auto& e : sources) {
      has_source[e.node] = 1;
      if (e.node < first) first = e.node;
    }
    for (const auto& e : targets)
      if (e.node > last) last = e.node;
    auto leads_on = [&](const edge& e) {
      if (!is_floating(to.spec(e).dtype)) return false;
      if (depends[e.node]) return true;
      for (std::size_t k = 0; has_source[e.node] && k < sources.size(); ++k)
        if (sources[k] == e) return true;
      return false;
    };
    for (int id = first; id <= last; ++id)
      for (const auto& e : to.inputs_of(id)) depends[id] = depends[id] || leads_on(e);
    adjoints found(out_);
    auto add = [&](const edge& e, const edge& share) {
      if (share.node < 0) return;
      edge& all = found.of(e);
      all = all.node < 0 ? share : to.sum_of(all, share);
    };
    list<kept_adjoints> kept;
    for (std::size_t k = 0; k < before.size(); ++k) add(sources[k], before[k]);
    for (std::size_t k = 0; k < targets.size(); ++k)
      if (leads_on(targets[k])) add(targets[k], given[k]);
    for (int id = last; id >= first && failure_ == trace_failure::none; --id) {
      if (!depends[id]) continue;
      const op& kind = *out_.nodes[id].kind;
      // The loop that put it there gets its adjoint.
      if (is_op(kind, ops::tape_read)) continue;
      list<edge> by_port;
      bool any = fills_any(id, kept);
      for (int port = 0; port <= out_.nodes[id].more_specs.count; ++port) {
        by_port.push_back(found.of({id, port}));
        any = any || by_port.back().node >= 0;
      }
      if (!any) continue;
      list<edge> inputs;
      list<char> wanted;
      for (const auto& e : to.inputs_of(id)) {
        inputs.push_back(e);
        wanted.push_back(leads_on(e));
      }
      if (kind.is(fact::control)) {
        const list<edge> shares = backward_control(to, id, by_port, wanted, kept);
        for (std::size_t i = 0; i < shares.size(); ++i) add(inputs[i], shares[i]);
      } else if (is_op(kind, ops::custom_gradient)) {
        const list<edge> moved = with_adjoint(to, id, inputs[1].node, by_port[0]);
        for (std::size_t i = 2; i + 1 < inputs.size(); i += 2) {
          const edge& share = inputs[i + 1];
          if (wanted[i]) add(inputs[i], {moved[share.node].node, moved[share.node].port + share.port});
        }
      } else {
        list<edge> so_far;
        for (const auto& e : inputs) so_far.push_back(found.of(e));
        gradient_context c(to, id, by_port, wanted, so_far);
        kind.gradient(c);
        if (!c.answered()) {
          message m;
          m << "gradient: " << kind.name << " has none";
          fail(trace_failure::no_gradient, m);
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          if (c.includes_earlier(i)) found.of(inputs[i]) = c.share(i);
          else add(inputs[i], c.share(i));
        }
      }
    }
    list<edge> out;
    for (const auto& e : sources) out.push_back(found.of(e));
    return out;
  }

  // Repeats the nodes before `end` that depend on a placeholder of an adjoint, with the adjoint itself. By node: its copy.
  constexpr list<edge> with_adjoint(graph_extender& to, int end, int placeholder, const edge& adjoint) {
    list<edge> moved;
    auto renamed = [&](const edge& e) { return edge{moved[e.node].node, moved[e.node].port + e.port}; };
    for (int id = 0; id < end; ++id) {
      bool changed = false;
      for (const auto& e : to.inputs_of(id)) changed = changed || moved[e.node].node != e.node;
      if (id == placeholder) {
        moved.push_back(to.broadcast(adjoint, {end, 0}));
      } else if (!changed) {
        moved.push_back({id, 0});
      } else {
        const graph before = out_;
        prepare_loop(before.view(), id, renamed);
        moved.push_back({copy_node(out_, before, id, renamed), 0});
      }
    }
    to.take_over();
    return moved;
  }

  constexpr list<edge> backward_control(graph_extender& to, int id, const list<edge>& by_port, const list<char>& wanted,
                                        list<kept_adjoints>& kept) {
    const graph before = out_;  // its bodies are read while others are added
    const node_view n = before.node(id);
    if (!n.attribute("then_branch").key.empty()) return backward_if(to, before.view(), n, by_port, wanted);
    if (n.attribute("shape_invariants").key.empty()) return backward_while(to, before.view(), n, by_port, wanted, kept);
    message m;
    m << "gradient: a loop with shape invariants has none";
    fail(trace_failure::no_gradient, m);
    return {};
  }

  static constexpr int tape_of(const graph_view& g, int id) { return static_cast<int>(g.node(id).attribute("tape").values[0]); }
  static constexpr bool is_kept_number(const node_data& n) { return is_op(*n.kind, ops::tape_read) && is_floating(n.spec.dtype); }
  // Whether node v of a graph puts values into the tape whose adjoints were kept.
  static constexpr bool fills(const graph_view& g, int v, const kept_adjoints& kept) {
    return is_op(*g.data(v).kind, ops::tape_write) && tape_of(g, v) == kept.of;
  }
  constexpr bool fills_any(int loop, const list<kept_adjoints>& kept) const {
    if (kept.empty() || !is_op(*out_.nodes[loop].kind, ops::while_op)) return false;
    const graph_view g = out_.view(), body = g.body(g.node(loop), "body");
    for (const auto& e : body.outputs())
      for (const auto& k : kept)
        if (fills(body, e.node, k)) return true;
    return false;
  }

  static constexpr edge push(graph_extender& inside, index tape, const edge& position, const edge& value) {
    const edge inputs[] = {position, value};
    const attribute_view with{"tape", attribute_kind::integer, {&tape, 1}, {}, {}};
    return inside.append(ops::tape_write, inputs, {&with, 1});
  }
  static constexpr edge recall(graph_extender& inside, index tape, const edge& count, const edge& position, const edge& like) {
    const edge inputs[] = {count, position, like};
    const attribute_view with{"tape", attribute_kind::integer, {&tape, 1}, {}, {}};
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
    fail(trace_failure::no_gradient, m);
  }

  // Before a loop stands what it begins with when it carries something for its gradient: arrays for the values that it carries, where
  // the number of its trips and the extents are known, and a count.
  static constexpr bool fits_in_array(const tensor_spec& s) {
    return s.dtype != dtype::string && s.shape.is_static() && s.shape.rank < max_rank;
  }
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
  static constexpr bool has_array(const graph_view& body, int k, const tensor_spec& s) {
    return s.dtype != dtype::string && s.shape.is_static() && s.shape.rank < max_rank && is_kept(body, k);
  }
  constexpr void add_array(const edge& like, const tensor_spec& element, index count) {
    const index zero = 0, yes = 1;
    const attribute_view with[] = {{"axis", attribute_kind::integer, {&zero, 1}, {}, {}},
                                   {"count", attribute_kind::integer, {&count, 1}, {}, {}},
                                   {"uninitialized", attribute_kind::boolean, {&yes, 1}, {}, {}}};
    shape extents{1, {count}};
    for (int axis = 0; axis < element.shape.rank; ++axis) extents.push_back(element.shape[axis]);
    const edge inputs[] = {like, like};
    require_declared(ops::gradient, ops::new_array, made_of_ops.all());
    out_.add(ops::new_array, {element.dtype, extents}, inputs, with);
  }
  constexpr void add_zero() {
    const std::uint64_t zero = 0;
    attribute_view with[] = {{"value", attribute_kind::words, {}, {}, {&zero, 1}}};
    out_.add(ops::constant, {dtype::int64, {}}, {}, with);
  }
  constexpr edge add_control(const op& kind, const list<edge>& inputs, std::string_view first, std::string_view second,
                             const index (&bodies)[2], const list<tensor_spec>& results) {
    attribute_view with[] = {{first, attribute_kind::body, {&bodies[0], 1}, {}, {}},
                             {second, attribute_kind::body, {&bodies[1], 1}, {}, {}}};
    edge e = out_.add(kind, results[0], inputs, with);
    for (std::size_t p = 1; p < results.size(); ++p) out_.add_output(results[p]);
    return e;
  }

  // A branch computes its body again and goes back through it.
  constexpr list<edge> backward_if(graph_extender& to, const graph_view& before, const node_view& n, const list<edge>& by_port,
                                   const list<char>& wanted) {
    list<edge> inputs, sources, shares(static_cast<int>(wanted.size()));
    list<int> ports;
    for (const auto& e : n.inputs()) inputs.push_back(e);
    for (int port = 0; port < n.outputs(); ++port) {
      if (by_port[port].node < 0) continue;
      ports.push_back(port);
      inputs.push_back(to.broadcast(by_port[port], {n.id(), port}));
    }
    list<tensor_spec> results;
    for (std::size_t i = 1; i < wanted.size(); ++i)
      if (wanted[i]) results.push_back(to.spec(n.inputs()[i]));
    if (results.empty()) return shares;
    index bodies[2] = {};
    for (int side = 0; side < 2; ++side) {
      const graph_view body = before.body(n, side == 0 ? "then_branch" : "else_branch");
      auto around = out_.begin_body();
      list<edge> arguments, given, targets, from;
      for (std::size_t i = 1; i < wanted.size(); ++i) {
        arguments.push_back(body_input(before.spec(n.inputs()[i])));
        if (wanted[i]) from.push_back(arguments.back());
      }
      for (int port : ports) given.push_back(body_input(n.spec(port)));
      const list<edge> values = again(body, arguments);
      for (int port : ports) targets.push_back(values[port]);
      graph_extender inside(out_, made_of_ops);
      put_results(inside, backward(inside, targets, given, from), from, from.size());
      bodies[side] = out_.end_body(std::move(around));
    }
    edge made = add_control(ops::if_op, inputs, "then_branch", "else_branch", bodies, results);
    to.take_over();
    for (std::size_t i = 1; i < wanted.size(); ++i)
      if (wanted[i]) shares[i] = {made.node, made.port++};
    return shares;
  }

  // Results of a body, the first gradients: in full, zeros where there is none.
  constexpr void put_results(graph_extender& inside, const list<edge>& gradients, const list<edge>& sources, std::size_t count) {
    for (std::size_t k = 0; k < count; ++k) out_.output_edges.push_back(full_or_zero(inside, gradients[k], sources[k]));
  }
  constexpr edge full_or_zero(graph_extender& inside, const edge& gradient, const edge& like) {
    if (gradient.node >= 0) return inside.broadcast(gradient, like);
    return inside.append(ops::zeros_like, {&like, 1});
  }

  // What an integer is in a trip to which each trip adds a constant.
  static constexpr edge counter_in_trip(graph_extender& inside, const graph_view& body, int k, const edge& trip, const edge& first) {
    const edge step = step_of_counter(body, k), next = body.outputs()[static_cast<std::size_t>(k)];
    const dtype d = body.spec(next).dtype;
    const index to = static_cast<index>(d);
    const attribute_view with{"DstT", attribute_kind::type, {&to, 1}, {}, {}};
    const edge trips = d == dtype::int64 ? trip : inside.append(ops::cast, {&trip, 1}, {&with, 1});
    const edge product[] = {trips, inside.constant(d, body.node(step).attribute("value").words[0])},
               sum[] = {first, inside.append(ops::multiply, product)};
    return inside.append(is_op(body.node(next).kind(), ops::subtract) ? ops::subtract : ops::add, sum);
  }
  // A loop that gets a gradient, and the loop that goes from its last trip to the first: it carries the trip, the adjoints of what
  // the loop carries, the sums of what the values from outside get, and the counts of adjoints that it keeps. From outside it takes
  // the counts of the tapes, what the loop takes, and the last counts of kept adjoints.
  struct loop_to_reverse {
    graph_view condition, body;
    int carried, all;   // values
    index trips;        // -1: unknown
    list<int> kept;     // which of the carried values are
    list<edge> arrays;  // where, by kept value; without one it has a tape
    int first_tape;
    list<int> active;    // the inputs that get something
    list<int> recalled;  // tapes of another loop

    constexpr int first_kept_count() const { return 1 + static_cast<int>(active.size()); }
    constexpr int first_count() const { return first_kept_count() + static_cast<int>(recalled.size()); }
    constexpr int first_input() const { return first_count() + static_cast<int>(kept.size()); }
    constexpr int first_last_count() const { return first_input() + all; }
  };

  // Which of the values that a loop carries are kept, and in which of the arrays before it.
  static constexpr void find_kept(const graph_view& g, const node_view& n, loop_to_reverse& loop) {
    const auto is_array = [&](int id) {
      return id >= 0 && is_op(*g.data(id).kind, ops::new_array) && !g.node(id).attribute("count").key.empty();
    };
    const int zero = n.id() - 1;
    int array = zero;
    while (is_array(array - 1)) --array;
    for (int k = 0; k < loop.carried; ++k) {
      if (!is_kept(loop.body, k)) continue;
      loop.kept.push_back(k);
      loop.arrays.push_back(array < zero && has_array(loop.body, k, n.spec(k)) ? edge{array++, 0} : edge{});
    }
  }

  // A loop that is a gradient itself recalls values of a loop before it. Their adjoints are kept, position by position, until that
  // loop gets its gradient.
  constexpr list<edge> backward_while(graph_extender& to, const graph_view& before, const node_view& n, const list<edge>& by_port,
                                      const list<char>& wanted, list<kept_adjoints>& kept) {
    loop_to_reverse loop{before.body(n, "cond"),
                         before.body(n, "body"),
                         n.outputs(),
                         static_cast<int>(n.inputs().size()),
                         known_trips(before, n.id()),
                         {},
                         {},
                         tapes_,
                         {},
                         {}};
    find_kept(before, n, loop);
    tapes_ += static_cast<int>(loop.kept.size());
    for (int k = 0; k < loop.all; ++k)
      if (k < loop.carried ? is_floating(n.spec(k).dtype) : wanted[k] != 0) loop.active.push_back(k);
    for (int v = 0; v < loop.body.size(); ++v)
      if (is_kept_number(loop.body.data(v))) loop.recalled.push_back(tape_of(loop.body, v));
    list<edge> start;
    for (const auto& e : n.inputs()) start.push_back(e);
    const int forward = n.id();
    keep_tape(to, before, loop, start, forward);

    list<edge> inputs;
    list<tensor_spec> results;
    inputs.push_back(last_trip(to, loop, forward));
    for (int k : loop.active) {
      const edge given = k < loop.carried ? by_port[k] : edge{};
      inputs.push_back(given.node >= 0 ? to.broadcast(given, {forward, k}) : to.append(ops::zeros_like, {&start[k], 1}));
    }
    for (std::size_t r = 0; r < loop.recalled.size(); ++r) inputs.push_back(to.constant(dtype::int64, 0));
    for (const auto& e : inputs) results.push_back(to.spec(e));
    for (std::size_t i = 0; i < loop.kept.size(); ++i) inputs.push_back({forward, loop.carried + 1 + static_cast<int>(i)});
    for (const auto& e : start) inputs.push_back(e);
    for (const auto& k : kept) inputs.push_back(k.last);
    list<tensor_spec> specs;
    for (const auto& e : inputs) specs.push_back(to.spec(e));
    index bodies[2] = {};
    list<kept_adjoints> keeps;
    for (int part = 0; part < 2; ++part) {
      auto around = out_.begin_body();
      list<edge> taken;
      for (const auto& s : specs) taken.push_back(body_input(s));
      graph_extender inside(out_, made_of_ops);
      if (part == 0) {
        edge ends[] = {taken[0], inside.constant(dtype::int64, 0)};
        out_.output_edges.push_back(inside.append(ops::greater_equal, ends));
      } else {
        keeps = reverse_trip(inside, loop, taken, kept);
      }
      bodies[part] = out_.end_body(std::move(around));
    }
    prepare_loop(out_.view().body(bodies[1]), inputs, results, loop.trips);
    const int back = add_control(ops::while_op, inputs, "cond", "body", bodies, results).node;
    to.take_over();
    for (const auto& k : keeps) kept.push_back({k.of, k.in, {back, k.last.port}});
    list<edge> shares(loop.all);
    for (std::size_t i = 0; i < loop.active.size(); ++i)
      if (wanted[loop.active[i]]) shares[loop.active[i]] = {back, static_cast<int>(i) + 1};
    return shares;
  }

  constexpr edge last_trip(graph_extender& to, const loop_to_reverse& loop, int forward) {
    if (loop.trips >= 0) return to.constant(dtype::int64, static_cast<std::uint64_t>(loop.trips - 1));
    const edge last[] = {{forward, loop.carried}, to.constant(dtype::int64, 1)};
    return to.append(ops::subtract, last);
  }
  constexpr edge keep_value(graph_extender& inside, const loop_to_reverse& loop, int i, const edge& kept, const edge& trip,
                            const edge& value) {
    if (loop.arrays[i].node < 0) return push(inside, loop.first_tape + i, kept, value);
    const edge inputs[] = {kept, trip, value};
    return inside.append(ops::array_write, inputs);
  }
  constexpr edge kept_value(graph_extender& inside, const loop_to_reverse& loop, int i, const edge& kept, const edge& trip,
                            const edge& like) {
    if (loop.arrays[i].node < 0) return recall(inside, loop.first_tape + i, kept, trip, like);
    const index axis = 0;
    const attribute_view with{"axis", attribute_kind::integer, {&axis, 1}, {}, {}};
    const edge inputs[] = {kept, trip};
    return inside.append(ops::gather, inputs, {&with, 1});
  }

  // Puts in the place of a loop one that also counts its trips and puts what it carries into tapes: those that nobody recalls are
  // pruned later.
  constexpr void keep_tape(graph_extender& to, const graph_view& before, const loop_to_reverse& loop, const list<edge>& start,
                           int forward) {
    const int carried = loop.carried;
    const edge none{forward - 1, 0};
    list<edge> inputs;
    list<tensor_spec> results;
    for (int k = 0; k < carried; ++k) inputs.push_back(start[k]);
    inputs.push_back(none);
    for (const auto& array : loop.arrays) inputs.push_back(array.node < 0 ? none : array);
    for (int k = 0; k < static_cast<int>(inputs.size()); ++k)
      results.push_back(k < carried ? before.node(forward).spec(k) : before.spec(inputs[k]));
    for (int k = carried; k < loop.all; ++k) inputs.push_back(start[k]);
    index bodies[2] = {};
    for (int part = 0; part < 2; ++part) {
      auto around = out_.begin_body();
      list<edge> taken, values;
      for (const auto& e : inputs) taken.push_back(body_input(before.spec(e)));
      for (int k = 0; k < loop.all; ++k) values.push_back(taken[k < carried ? k : k + 1 + static_cast<int>(loop.kept.size())]);
      for (const auto& e : again(part == 0 ? loop.condition : loop.body, values, true)) out_.output_edges.push_back(e);
      if (part == 1) {
        graph_extender inside(out_, made_of_ops);
        edge trips[] = {taken[carried], inside.constant(dtype::int64, 1)};
        out_.output_edges.push_back(inside.append(ops::add, trips));
        for (int i = 0; i < static_cast<int>(loop.kept.size()); ++i)
          out_.output_edges.push_back(keep_value(inside, loop, i, taken[carried + 1 + i], taken[carried], taken[loop.kept[i]]));
      }
      bodies[part] = out_.end_body(std::move(around));
    }
    add_control(ops::while_op, inputs, "cond", "body", bodies, results);
    to.replace(forward);
  }

  // One trip of a reversed loop. Returns which adjoints it keeps; their last counts are results of the loop.
  constexpr list<kept_adjoints> reverse_trip(graph_extender& inside, const loop_to_reverse& loop, const list<edge>& taken,
                                             const list<kept_adjoints>& kept) {
    const edge trip = taken[0];
    list<edge> values;
    for (int k = 0; k < loop.all; ++k) {
      values.push_back(taken[loop.first_input() + k]);
      if (k < loop.carried && step_of_counter(loop.body, k).node >= 0) values[k] = counter_in_trip(inside, loop.body, k, trip, values[k]);
    }
    for (int i = 0; i < static_cast<int>(loop.kept.size()); ++i)
      values[loop.kept[i]] = kept_value(inside, loop, i, taken[loop.first_count() + i], trip, values[loop.kept[i]]);
    const int first_again = out_.size();
    const list<edge> after = again(loop.body, values);
    const int behind_again = out_.size();
    inside.take_over();
    list<edge> targets, given, sources, sums;
    for (std::size_t i = 0; i < loop.active.size(); ++i) {
      const int k = loop.active[i];
      const edge adjoint = taken[i + 1];
      sources.push_back(values[k]);
      sums.push_back(k < loop.carried ? edge{} : adjoint);
      if (k >= loop.carried) continue;
      targets.push_back(after[k]);
      given.push_back(adjoint);
    }
    for (const auto& e : after)
      for (std::size_t k = 0; k < kept.size(); ++k) {
        if (!fills(out_.view(), e.node, kept[k])) continue;
        targets.push_back(inside.inputs_of(e.node)[1]);
        given.push_back(recall(inside, kept[k].in, taken[loop.first_last_count() + static_cast<int>(k)], trip, targets.back()));
      }
    for (int v = first_again; v < behind_again; ++v)
      if (is_kept_number(out_.nodes[v])) sources.push_back({v, 0});
    const list<edge> got = backward(inside, targets, given, sources, sums);
    edge previous[] = {trip, inside.constant(dtype::int64, 1)};
    out_.output_edges.push_back(inside.append(ops::subtract, previous));
    put_results(inside, got, sources, loop.active.size());
    list<kept_adjoints> keeps;
    for (std::size_t r = 0; r < loop.recalled.size(); ++r) {
      const edge adjoint = got[loop.active.size() + r], of = sources[loop.active.size() + r];
      const int count = loop.first_kept_count() + static_cast<int>(r);
      out_.output_edges.push_back(taken[count]);
      if (adjoint.node < 0) continue;
      out_.output_edges.back() = push(inside, tapes_, inside.inputs_of(of.node)[1], inside.broadcast(adjoint, of));
      keeps.push_back({loop.recalled[r], tapes_++, {-1, count}});
    }
    return keeps;
  }

  // A target inside a body may depend on a source outside in two ways: in the body, and through what the body takes from outside.
  // The second one is out of reach.
  constexpr void check_ways_outside(const block& b, int marker) {
    if (b.around == nullptr) return;
    auto edges = b.from.inputs_of(marker);
    for (std::size_t k = 1; k < edges.size(); ++k) {
      if (!is_way_outside(b, edges[0], edges[k], false)) continue;
      message m;
      m << "gradient: inside a branch or loop the target depends on what was computed from the source before it: compute both in "
           "the branch "
           "or loop, or take the gradient before it";
      return fail(trace_failure::no_gradient, m);
    }
  }
  // Whether a value of a block depends on another one: only around the block, or also in it.
  constexpr bool is_way_outside(const block& b, const edge& target, const edge& source, bool also_inside) const {
    const Graph& g = b.from;
    if (also_inside && depends_on(g, target, source)) return true;
    const int at = input_number(g, source);
    if (b.around == nullptr || at < 0) return false;
    const Graph& outer = b.around->from;
    auto edges = outer.inputs_of(b.node);
    const std::size_t skipped = edges.size() - g.inputs().size();
    const bool loop = outer.node(b.node).attribute("then_branch").key.empty();
    const int carried = loop ? outer.node(b.node).outputs() : 0;
    if (at < carried) return false;
    for (std::size_t k = 0; k < g.inputs().size(); ++k) {
      const edge input{g.inputs()[k], 0};
      if (input == source || !is_floating(g.spec(input).dtype) || !depends_on(g, target, input)) continue;
      if (static_cast<int>(k) < carried) return true;
      if (is_way_outside(*b.around, edges[k + skipped], edges[static_cast<std::size_t>(at) + skipped], true)) return true;
    }
    return false;
  }
  static constexpr bool depends_on(const Graph& g, const edge& target, const edge& source) {
    if (target == source) return true;
    list<char> depends(g.size());
    for (int id = source.node + 1; id <= target.node; ++id)
      for (const auto& e : g.inputs_of(id)) depends[id] = depends[id] || ((depends[e.node] || e == source) && is_floating(g.spec(e).dtype));
    return depends[target.node] != 0;
  }

  // The graph with what custom gradients are of in their place, and without nodes that only led to gradients.
  static constexpr graph without_leftovers(const graph_view& g) {
    graph out;
    copy_needed(out, g);
    return out;
  }
  static constexpr void copy_needed(graph& out, const graph_view& g) {
    const list<char> needed = needed_without_shares(g);
    list<edge> moved(g.size());
    auto renamed = [&](const edge& e) { return edge{moved[e.node].node, moved[e.node].port + e.port}; };
    for (int id = 0; id < g.size(); ++id) {
      const node_data& n = g.data(id);
      if (is_op(*n.kind, ops::custom_gradient)) moved[id] = needed[id] ? renamed(g.inputs_of(id)[0]) : edge{};
      else if (needed[id] || n.kind->is(fact::input))
        moved[id] = {copy_node(out, g, id, renamed,
                               [](graph& to, const graph_view& body) {
                                 auto around = to.begin_body();
                                 copy_needed(to, body);
                                 return to.end_body(std::move(around));
                               }),
                     0};
    }
    for (int id : g.inputs()) out.input_nodes.push_back(moved[id].node);
    for (const auto& e : g.outputs()) out.output_edges.push_back(renamed(e));
  }
  static constexpr list<char> needed_without_shares(const graph_view& g) {
    list<char> needed;
    for (const auto& n : g.nodes_) needed.push_back(is_stateful(g, n));
    for (const auto& e : g.outputs()) needed[e.node] = 1;
    for (int id = g.size(); id-- > 0;) {
      if (!needed[id]) continue;
      auto inputs = g.inputs_of(id);
      for (std::size_t i = 0; i < (is_op(*g.data(id).kind, ops::custom_gradient) ? 1 : inputs.size()); ++i) needed[inputs[i].node] = 1;
    }
    return needed;
  }

  graph out_;
  trace_failure failure_ = trace_failure::none;
  message* why_;
  int tapes_ = 0;
};

/// Makes the gradients that a graph asks for. If that cannot be done, says why where `why` points to.
template <class Graph = graph_view>
constexpr differentiated differentiate(const std::type_identity_t<Graph>& g, message* why = nullptr) {
  return differentiation<Graph>(why).run(g);
}

}  // namespace jig::detail
