// SPDX-License-Identifier: MIT
#pragma once
// Loop invariants: what every trip of a loop would compute again is computed once, before the loop.

#include <jig/ops/shape_of.hpp>
#include <jig/passes/rewrite.hpp>

namespace jig {

namespace detail {

// Whether a node computes the same whenever its inputs are the same, and never throws: a loop that makes no trip would not
// have run it.
constexpr bool is_pure(const graph_view& g, int id) {
  const node_data& n = g.data(id);
  if (n.kind->is(fact::input | fact::stateful | fact::checked | fact::control | fact::host | fact::updates)) return false;
  if (n.more_specs.count > 0 || is_op(*n.kind, ops::new_array)) return false;
  // It throws for extents beyond int32 alone.
  if (is_op(*n.kind, ops::shape_of)) return true;
  // Extents that do not fit throw; one operand alone always fits.
  bool known = n.spec.shape.is_static();
  int large = 0;
  for (const auto& e : g.inputs_of(id)) {
    known = known && g.spec(e).shape.is_static();
    large += g.spec(e).shape.rank > 0;
  }
  return known || (large <= 1 && n.kind->is(fact::elementwise | fact::reduction));
}

// Moves one level out of nested loops at a time.
template <class Graph>
class invariant_mover {
 public:
  constexpr graph run(const Graph& g) {
    copy(g);
    return std::move(out_);
  }
  constexpr bool moved() const { return moved_; }

 private:
  // What one body of a loop does without: `outside` are its values before the loop, where they are needed there; -1 otherwise.
  struct invariants {
    list<edge> outside;
    list<char> leaves;  // whether the body gets the value as an argument
  };

  // Worth a value of its own in memory: more than one operation on the elements of what is there anyway.
  static constexpr bool is_worth_it(const Graph& body, int id, const list<char>& leaves) {
    const node_data& n = body.data(id);
    if (n.kind->is(fact::constant | fact::view)) return false;
    if (!n.kind->is(fact::elementwise) || n.kind->is(fact::lanes_only) || n.spec.shape.size() == 1) return true;
    for (const auto& e : body.inputs_of(id))
      if (leaves[e.node]) return true;
    return false;
  }
  constexpr invariants move(const Graph& body, int carried, const list<edge>& inputs) {
    list<char> invariant(body.size()), needed(body.size());
    invariants out{list<edge>(body.size()), list<char>(body.size())};
    for (std::size_t k = 0; k < body.inputs().size(); ++k)
      if (static_cast<int>(k) >= carried) {
        out.outside[body.inputs()[k]] = inputs[k];
        invariant[body.inputs()[k]] = 1;
      }
    for (int id = 0; id < body.size(); ++id) {
      if (body.data(id).kind->is(fact::input) || !is_pure(body, id)) continue;
      bool same = true;
      for (const auto& e : body.inputs_of(id)) same = same && invariant[e.node];
      invariant[id] = same;
      out.leaves[id] = needed[id] = same && is_worth_it(body, id, out.leaves);
    }
    for (int id = body.size(); id-- > 0;)
      if (needed[id])
        for (const auto& e : body.inputs_of(id)) needed[e.node] = 1;
    for (int id = 0; id < body.size(); ++id) {
      if (!needed[id] || body.data(id).kind->is(fact::input)) continue;
      out.outside[id] = {copy_node(out_, body, id, [&](const edge& e) { return out.outside[e.node]; }), 0};
      moved_ = true;
    }
    return out;
  }

  constexpr void copy(const Graph& g) {
    list<int> renamed;
    for (int id = 0; id < g.size(); ++id) renamed.push_back(copy_inner(g, id, renamed));
    end(g, renamed);
  }
  constexpr int copy_inner(const Graph& g, int id, const list<int>& renamed) {
    if (g.data(id).kind->is(fact::control) && !g.node(id).attribute("cond").key.empty()) return copy_loop(g, id, renamed);
    return copy_node(out_, g, id, renaming(renamed), [&](graph&, const graph_view& body) { return copy_body(body); });
  }
  static constexpr auto renaming(const list<int>& renamed) {
    return [&](const edge& e) { return edge{renamed[e.node], e.port}; };
  }
  constexpr void end(const Graph& g, const list<int>& renamed) {
    for (int id : g.inputs()) out_.input_nodes.push_back(renamed[id]);
    for (const auto& e : g.outputs()) out_.output_edges.push_back({renamed[e.node], e.port});
  }
  constexpr int copy_body(const Graph& body) {
    auto around = out_.begin_body();
    copy(body);
    return out_.end_body(std::move(around));
  }

  // Both bodies of a loop take all that its node takes.
  constexpr int copy_loop(const Graph& g, int id, const list<int>& renamed) {
    const auto n = g.node(id);
    const int carried = n.attribute("effects_only").key.empty() ? n.outputs() : 0;
    list<edge> inputs;
    for (const auto& e : n.inputs()) inputs.push_back({renamed[e.node], e.port});
    const Graph bodies[] = {g.body(n, "cond"), g.body(n, "body")};
    const invariants found[] = {move(bodies[0], carried, inputs), move(bodies[1], carried, inputs)};
    list<tensor_spec> more;
    for (int b = 0; b < 2; ++b)
      for (int inner = 0; inner < bodies[b].size(); ++inner)
        if (found[b].leaves[inner]) {
          inputs.push_back(found[b].outside[inner]);
          more.push_back(bodies[b].data(inner).spec);
        }
    list<attribute_view> with;
    list<index> numbers(n.attribute_count());
    for (int i = 0; i < n.attribute_count(); ++i) {
      auto a = n.attribute(i);
      if (a.kind == attribute_kind::body) {
        const int b = a.key == "cond" ? 0 : 1;
        numbers[i] = copy_without(bodies[b], found[b], more, b == 0 ? 0 : first_of_body(bodies[0], found[0]));
        a.values = {&numbers[i], 1};
      }
      with.push_back(a);
    }
    const int made = out_.add(n.kind(), n.spec(), inputs, with).node;
    for (int port = 1; port < n.outputs(); ++port) out_.add_output(n.spec(port));
    return made;
  }
  static constexpr int first_of_body(const Graph& condition, const invariants& found) {
    int count = 0;
    for (int id = 0; id < condition.size(); ++id) count += found.leaves[id];
    return count;
  }
  // A body with further arguments, of which those from `first` on stand for what leaves it.
  constexpr int copy_without(const Graph& body, const invariants& found, const list<tensor_spec>& more, int first) {
    auto around = out_.begin_body();
    list<int> renamed(body.size());
    for (int id : body.inputs()) renamed[id] = copy_node(out_, body, id, renaming(renamed));
    const int behind = out_.size();
    for (const auto& spec : more) out_.add(ops::placeholder, spec, {});
    int next = behind + first;
    for (int id = 0; id < body.size(); ++id) {
      if (body.data(id).kind->is(fact::input)) continue;
      renamed[id] = found.leaves[id] ? next++ : copy_inner(body, id, renamed);
    }
    end(body, renamed);
    for (int k = 0; k < static_cast<int>(more.size()); ++k) out_.input_nodes.push_back(behind + k);
    return out_.end_body(std::move(around));
  }

  graph out_;
  bool moved_ = false;
};

constexpr bool has_loops(const graph_view& g) {
  return holds_for_any(g, [](const graph_view&, const node_data& n) { return n.kind->is(fact::control) && is_op(*n.kind, ops::while_op); });
}

}  // namespace detail

/// The graph with what does not change from trip to trip of a loop computed once, before the loop. What may throw stays, since a
/// loop may make no trip, but for extents as values, which are told to be too large before the loop; so do single operations on the
/// elements of tensors, which cost less than memory for their results.
template <class Graph = graph_view>
constexpr graph move_loop_invariants(const std::type_identity_t<Graph>& g) {
  graph out = prune<Graph>(g);
  for (bool moved = true; moved;) {
    detail::invariant_mover<Graph> mover;
    out = prune<Graph>(mover.run(out));
    moved = mover.moved();
  }
  return out;
}

}  // namespace jig
