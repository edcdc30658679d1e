// SPDX-License-Identifier: MIT
#pragma once
// Reverse mode: the gradients that a trace asks for become nodes of its graph. Every node on the way from a target back to the
// sources gets one adjoint, so the cost is linear in the graph. Branches run again, backwards, in a branch of their own; loops keep
// what they carry, trip by trip, for a loop that runs from the last trip to the first.

#include <jig/graph/constexpr_limits.hpp>
#include <jig/passes/constant_positions.hpp>
#include <jig/passes/differentiated_graph.hpp>
#include <jig/passes/drop_gradient_nodes.hpp>
#include <jig/passes/ways_outside.hpp>

#include <algorithm>

namespace jig::detail {

/// A graph without gradients that are still to be made, or why there is none.
struct differentiated {
  jig::graph graph;
  bool failed = false;
  bool too_large = false;  // for the work that was allowed
};

/// The adjoints of what a loop recalled from a tape, kept in another tape of the block by the same positions.
struct kept_adjoints {
  int of, in;  // tapes
  edge last;   // of the loop that kept them
};

/// A loop that gets a gradient.
struct loop_to_reverse {
  graph_view condition, body;
  int carried, all;   // values
  index trips;        // -1: unknown
  edge no_trips;      // the number 0
  list<int> kept;     // which of the carried values are
  list<edge> arrays;  // where, by kept value; without one it has a tape
  int first_tape;
  list<int> active;    // the inputs that get something
  list<int> recalled;  // tapes of another loop
};

/// The values of the loop that goes from the last trip to the first: what it starts with, or what one trip takes.
struct reversed_values {
  // It carries these.
  edge trip;
  list<edge> adjoints;     // of what the loop carries, and sums of what the values from outside get
  list<edge> kept_counts;  // of adjoints that it keeps, by recalled tape
  // It takes these from outside.
  list<edge> kept_values;  // how many are in the tapes, or the arrays, by kept value
  list<edge> inputs;       // of the loop
  list<edge> last_counts;  // of kept adjoints

  constexpr int carried() const { return 1 + static_cast<int>(adjoints.size() + kept_counts.size()); }
  constexpr int port_of_kept_count(int r) const { return 1 + static_cast<int>(adjoints.size()) + r; }
  constexpr list<edge> in_order() const {
    list<edge> out;
    out.push_back(trip);
    for (const auto* part : {&adjoints, &kept_counts, &kept_values, &inputs, &last_counts})
      for (const auto& e : *part) out.push_back(e);
    return out;
  }
  /// The same with other values in this order.
  constexpr reversed_values with(const list<edge>& values) const {
    reversed_values out = *this;
    int next = 0;
    out.trip = values[next++];
    for (auto* part : {&out.adjoints, &out.kept_counts, &out.kept_values, &out.inputs, &out.last_counts})
      for (auto& e : *part) e = values[next++];
    return out;
  }
};

template <class Graph>
class differentiation : differentiated_graph<Graph> {
  using base = differentiated_graph<Graph>;
  using base::add_control, base::again, base::body_input, base::fail, base::failed_, base::has_array, base::out_, base::prepare_loop,
      base::push, base::recall;

 public:
  /// `allowed_work`: how many nodes may be copied, looked at on the way back and made; without end if 0.
  constexpr explicit differentiation(message* why, int allowed_work = 0) : base(why), allowed_work_(allowed_work) {}

  constexpr differentiated run(const Graph& g) {
    expand(g, nullptr, -1);
    differentiated out;
    out.failed = failed_;
    out.too_large = too_large_;
    if (!failed_) out.graph = without_leftovers(out_.view());
    return out;
  }

 private:
  using block = block_of_graph<Graph>;

  int allowed_work_, work_ = 0;
  bool too_large_ = false;
  constexpr void works(int nodes) {
    work_ += nodes;
    if (allowed_work_ > 0 && work_ > allowed_work_) failed_ = too_large_ = true;
  }

  // Whether this asks for gradients of `target` to sources that stand before node `end`.
  static constexpr bool asks_before(const Graph& g, int gradient, const edge& target, int end) {
    auto inputs = g.inputs_of(gradient);
    bool all = inputs[0] == target;
    for (std::size_t k = 1; k < inputs.size() && all; ++k) all = inputs[k].node < end;
    return all;
  }

  // By gradient of a block: the next one of the same node, or 0.
  static constexpr list<int> next_of_target(const Graph& g) {
    list<int> next(g.size()), latest(g.size());
    for (int id = 0; id < g.size(); ++id) {
      if (!is_op(*g.data(id).kind, ops::gradient)) continue;
      int& at = latest[g.inputs_of(id)[0].node];
      next[at] = id;
      at = id;
    }
    return next;
  }

  // Copies a block, with nodes in place of the gradients that it asks for. Gradients of one target are found together, also where a
  // trace asks for one after the other.
  constexpr void expand(const Graph& from, const block* outer, int node) {
    const block b{from, outer, node};
    graph_extender to(out_, made_of_ops);
    list<int> first(from.size());  // of each node; gradients are among `gradients`, counted from -1 down
    list<edge> gradients;
    const list<int> next = next_of_target(from);
    auto renamed = [&](const edge& e) {
      const int at = first[e.node];
      return at >= 0 ? edge{at, e.port} : gradients[-1 - at + e.port];
    };
    for (int id = 0; id < from.size() && !too_large_; ++id) {
      if (!is_op(*from.data(id).kind, ops::gradient)) {
        works(from.data(id).kind->is(fact::control) ? nodes_for_a_block : 1);
        prepare_loop(from, id, renamed);
        first[id] = copy_node(out_, from, id, renamed, [&](graph& into, const Graph& body) {
          auto around = into.begin_body();
          expand(body, &b, id);
          return into.end_body(std::move(around));
        });
        continue;
      }
      if (first[id] < 0) continue;
      const edge target = from.inputs_of(id)[0];
      list<edge> sources;
      list<index> numbers;  // of sources, where they are asked for
      for (int same = id; same > 0; same = next[same]) {
        if (first[same] < 0 || !asks_before(from, same, target, id)) continue;
        if (has_way_outside(b, same)) fail_for_way_outside();
        first[same] = -1 - static_cast<int>(gradients.size() + sources.size());
        auto inputs = from.inputs_of(same);
        for (std::size_t k = 1; k < inputs.size(); ++k) {
          sources.push_back(renamed(inputs[k]));
          numbers.push_back(static_cast<index>(k) - 1);
        }
      }
      for (const auto& e : gradients_of(to, renamed(target), sources, numbers)) gradients.push_back(e);
    }
    if (too_large_) return;
    for (int id : from.inputs()) out_.input_nodes.push_back(first[id]);
    for (const auto& e : from.outputs()) out_.output_edges.push_back(renamed(e));
  }

  constexpr void fail_for_way_outside() {
    message m;
    m << "gradient: inside a branch or loop the target depends on what was computed from the source before it: compute both in "
         "the branch or loop, or take the gradient before it";
    fail(m);
  }

  constexpr list<edge> gradients_of(graph_extender& to, const edge& target, const list<edge>& sources, const list<index>& numbers) {
    to.take_over();
    list<edge> way;
    const edge one = to.number(to.spec(target).dtype, 1), seen = seen_in_pack(out_.view(), target, way);
    list<edge> out = backward(to, {seen}, {one}, sources);
    if (!way.empty()) add_those_beside(out, to, target, one, sources, way);
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (out[k].node >= 0) {
        out[k] = to.broadcast(out[k], sources[k]);
        continue;
      }
      message m;
      m << "gradient: the target, " << to.spec(target) << ", does not depend on ";
      const auto name = out_.node(sources[k]).attribute("name").text;
      if (name.empty()) m << "source " << numbers[k] << ", " << to.spec(sources[k]);
      else m << name << ", " << to.spec(sources[k]);
      m << ", in a way that can be differentiated";
      fail(m);
      out[k] = sources[k];
    }
    return out;
  }

  // Of a part of a Pack the values beside it have no part in the gradients, but they too decide whether a source has one: of zeros. What is
  // on the way to the part may be a source as well.
  constexpr void add_those_beside(list<edge>& found, graph_extender& to, const edge& target, const edge& one, const list<edge>& sources,
                                  const list<edge>& way) {
    list<edge> others;
    for (std::size_t k = 0; k < sources.size(); ++k)
      if (found[k].node < 0) others.push_back(sources[k]);
    if (others.empty()) return;
    const list<edge> through_all = backward(to, {target}, {one}, others);
    int next = 0;
    for (std::size_t k = 0; k < sources.size(); ++k) {
      if (found[k].node >= 0) continue;
      found[k] = through_all[next++];
      bool is_on_way = false;
      for (const edge& e : way) is_on_way = is_on_way || e == sources[k];
      if (found[k].node >= 0 && !is_on_way) found[k] = to.append(ops::zeros_like, {&sources[k], 1});
    }
  }

  // One adjoint for each output of the nodes [begin, end) of a block; there are none before them.
  class adjoints {
    int begin_;
    list<edge> all_;
    list<int> first_;  // by node

   public:
    constexpr adjoints(const graph& g, int begin, int end) : begin_(begin) {
      int count = 0;
      for (int id = begin; id < end; ++id) {
        first_.push_back(count);
        count += 1 + g.nodes[id].more_specs.count;
      }
      all_ = list<edge>(count);
    }
    constexpr edge& of(const edge& e) { return all_[first_[e.node - begin_] + e.port]; }
    constexpr edge at(const edge& e) { return e.node < begin_ ? edge{} : of(e); }
  };

  // What the sources get from the adjoints of the targets, added to what they have before; node -1 where there is nothing. All
  // are in the block that is at the end of the graph.
  constexpr list<edge> backward(graph_extender& to, const list<edge>& targets, const list<edge>& given, const list<edge>& sources,
                                const list<edge>& before = {}) {
    // Nothing before the first source has a part in it: the cost is that of what lies between sources and targets.
    int first = out_.size(), last = 0, end = 0;
    for (const auto& e : sources) first = (std::min)(first, e.node), end = (std::max)(end, e.node + 1);
    for (const auto& e : targets) last = (std::max)(last, e.node);
    end = (std::max)(end, last + 1);
    const int size = (std::max)(end - first, 0);
    list<char> depends(size), has_source(size);
    for (const auto& e : sources) has_source[e.node - first] = 1;
    auto leads_on = [&](const edge& e) {
      if (e.node < first || !is_floating(to.spec(e).dtype)) return false;
      if (depends[e.node - first]) return true;
      for (std::size_t k = 0; has_source[e.node - first] && k < sources.size(); ++k)
        if (sources[k] == e) return true;
      return false;
    };
    for (int id = first; id <= last; ++id)
      for (const auto& e : to.inputs_of(id)) depends[id - first] = depends[id - first] || leads_on(e);
    adjoints found(out_, first, end);
    works(size);
    auto add = [&](const edge& e, const edge& share) {
      if (share.node < 0) return;
      edge& all = found.of(e);
      all = all.node < 0 ? share : to.sum_of(all, share);
    };
    list<kept_adjoints> kept;
    for (std::size_t k = 0; k < before.size(); ++k) add(sources[k], before[k]);
    for (std::size_t k = 0; k < targets.size(); ++k)
      if (leads_on(targets[k])) add(targets[k], given[k]);
    for (int id = last; id >= first && !failed_; --id) {
      if (!depends[id - first]) continue;
      const op& kind = *out_.nodes[id].kind;
      // The loop that put it there gets its adjoint.
      if (is_op(kind, ops::tape_read)) continue;
      out_.here = out_.nodes[id].at;
      list<edge> by_port;
      bool any = fills_any(id, kept);
      for (int port = 0; port <= out_.nodes[id].more_specs.count; ++port) {
        by_port.push_back(found.of({id, port}));
        any = any || by_port.back().node >= 0;
      }
      if (!any) continue;
      const int nodes_before = out_.size();
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
        for (const auto& e : inputs) so_far.push_back(found.at(e));
        gradient_context c(to, id, by_port, wanted, so_far);
        kind.gradient(c);
        if (!c.answered()) {
          message m;
          m << "gradient: " << kind.name << " has none";
          fail(m);
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
          if (!wanted[i]) continue;
          if (c.includes_earlier(i)) found.of(inputs[i]) = c.share(i);
          else add(inputs[i], c.share(i));
        }
      }
      works(kind.is(fact::control) ? nodes_for_a_block : nodes_for_a_made_one * (out_.size() - nodes_before));
    }
    out_.here = {};
    list<edge> out;
    for (const auto& e : sources) out.push_back(found.of(e));
    return out;
  }

  // Repeats the nodes before `end` that depend on a placeholder of an adjoint, with the adjoint itself. By node: its copy.
  constexpr list<edge> with_adjoint(graph_extender& to, int end, int placeholder, const edge& adjoint) {
    list<edge> moved;
    auto renamed = [&](const edge& e) { return edge{moved[e.node].node, moved[e.node].port + e.port}; };
    for (int id = 0; id < placeholder; ++id) moved.push_back({id, 0});
    moved.push_back(to.broadcast(adjoint, {end, 0}));
    const graph before = out_;
    for (int id = placeholder + 1; id < end; ++id) {
      bool changed = false;
      for (const auto& e : before.view().inputs_of(id)) changed = changed || moved[e.node].node != e.node;
      if (changed) prepare_loop(before.view(), id, renamed);
      moved.push_back(changed ? edge{copy_node(out_, before.view(), id, renamed), 0} : edge{id, 0});
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
    fail(m);
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

  // In passes/differentiate_loops.hpp.
  static constexpr void find_kept(const graph_view& g, const node_view& n, loop_to_reverse& loop);
  constexpr edge last_trip(graph_extender& to, const loop_to_reverse& loop, int forward);
  constexpr edge keep_value(graph_extender& inside, const loop_to_reverse& loop, int i, const edge& kept, const edge& trip,
                            const edge& value);
  constexpr edge kept_value(graph_extender& inside, const loop_to_reverse& loop, int i, const edge& kept, const edge& trip,
                            const edge& like);
  constexpr void keep_tape(graph_extender& to, const graph_view& before, const loop_to_reverse& loop, const list<edge>& start, int forward);
  static constexpr edge counter_in_trip(graph_extender& inside, const graph_view& body, int k, const edge& trip, const edge& first);
  constexpr list<kept_adjoints> reverse_trip(graph_extender& inside, const loop_to_reverse& loop, const reversed_values& taken,
                                             const list<kept_adjoints>& kept);
  constexpr list<edge> backward_while(graph_extender& to, const graph_view& before, const node_view& n, const list<edge>& by_port,
                                      const list<char>& wanted, list<kept_adjoints>& kept);

  int tapes_ = 0;
};

}  // namespace jig::detail
